"""The task network of the debate application. Importing this package fills the domain `DEBATE`."""

from planvow.debate.methods import claim, coref, decompose, dialectic, fact_check, frame, scope
from planvow.debate.methods.base import DEBATE

__all__ = ["DEBATE", "claim", "coref", "decompose", "dialectic", "fact_check", "frame", "scope"]
