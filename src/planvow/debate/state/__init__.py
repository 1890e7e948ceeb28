"""The blackboard of an analysis."""

from planvow.debate.state.discourse import DiscourseState
from planvow.debate.state.entity import Entity, EntityMention, EntityType
from planvow.debate.state.reference import OpenReference
from planvow.debate.state.scope import SalienceFrame, Scope, ScopeType

__all__ = [
    "DiscourseState",
    "Entity",
    "EntityMention",
    "EntityType",
    "OpenReference",
    "SalienceFrame",
    "Scope",
    "ScopeType",
]
