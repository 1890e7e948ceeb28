"""The status words under the engine's name; they live in the base layer, where reading them loads no engine."""

from planvow.status import Status

__all__ = ["Status"]
