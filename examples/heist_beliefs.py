"""The heist again, with characters that can be wrong.

Run: python examples/heist_beliefs.py. Vera believes that the guard sleeps. She plans on that, runs into him, learns,
and plans again: a distraction first. Max, in the same world, was told by a friend that the guard is awake, and plans
around him from the start.
"""

from npc_heist import heist
from planvow import State
from planvow.beliefs import BeliefManager, Persona, act_on_beliefs

TODO = [("perform_heist", "vera", "diamond")]


def museum() -> BeliefManager:
    """The facts, and what Vera believes about them."""
    facts = State(
        at={"vera": "street", "max": "street"},
        guarded={"hall": "awake"},
        locked={"vault": True},
        electronic={"vault": True},
        owner={"diamond": "museum"},
    )
    world = BeliefManager(facts)
    world.register(Persona.ai("vera"))
    world.register(Persona.hybrid("max"))
    for who in ("vera", "max"):
        world.sense(who, who)
        world.sense(who, "diamond")
        for subject, predicate, value in (("hall", "guarded", "asleep"), ("vault", "locked", False)):
            world.observe(who, {"subject": subject, "predicate": predicate, "value": value, "confidence": 0.6})
    return world


def rumour(world: BeliefManager) -> None:
    """A friend has seen the guard awake, and tells Max, who believes it over his own guess."""
    world.observe("friend", {"subject": "hall", "predicate": "guarded", "value": "awake"})
    world.communicate("friend", "max", "hall", "guarded")


if __name__ == "__main__":
    world = museum()
    run = act_on_beliefs(world, "vera", heist, TODO)
    for surprise in run.surprises:
        print(f"surprised at {surprise.command}: {surprise.reason}")
    print("vera did:", *run.executed, sep="\n  ")
    print("the diamond belongs to", world.facts.owner["diamond"])

    world = museum()
    rumour(world)
    run = act_on_beliefs(world, "max", heist, [("perform_heist", "max", "diamond")])
    print("max did:", *run.executed, sep="\n  ")
