"""The task network of the debate application. Importing this package fills the domain `DEBATE`."""

from planvow.debate.methods import claim, classification, coref, decompose, dialectic, fact_check, frame, scope
from planvow.debate.methods.base import DEBATE

__all__ = ["DEBATE", "claim", "classification", "coref", "decompose", "dialectic", "fact_check", "frame", "scope"]
