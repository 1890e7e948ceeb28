"""Who believes what: personas with capabilities, and the manager that keeps beliefs and facts apart (seed 001, 4.2)."""

from __future__ import annotations

from planvow.beliefs.acting import BeliefRun, Surprise, act_on_beliefs
from planvow.beliefs.manager import HIDDEN, BeliefManager
from planvow.beliefs.persona import AI_CAPABILITIES, HUMAN_CAPABILITIES, Belief, Persona

PlannerPersona = Persona
PlannerBeliefManager = BeliefManager

__all__ = [
    "AI_CAPABILITIES",
    "HIDDEN",
    "HUMAN_CAPABILITIES",
    "Belief",
    "BeliefManager",
    "BeliefRun",
    "Persona",
    "PlannerBeliefManager",
    "PlannerPersona",
    "Surprise",
    "act_on_beliefs",
]
