"""Frames: how a file of them is read, and what fits."""

from __future__ import annotations

import pytest

from planvow.goals import GoalInterpreter
from planvow.goals.rephrase.frames import frames_of

FRAMES = frames_of(
    r"""
# Asking a platform.
FIND = find|look
    |watch
SOME = any |some |

search {p} for {q} <-
  ({FIND}) ({SOME})?(?P<q>\S+( \S+)?) on {P}
  {P}:
      (?P<q>.+)
open {p} <-
  {P}\(\)
""",
    P="(?P<p>youtube|bing)",
)


def fitting(sentence):
    return [order.format(**match.groupdict()) for order, match in FRAMES.fitting(sentence)]


@pytest.mark.parametrize(
    ("sentence", "orders"),
    [
        ("find cats on youtube", ["search youtube for cats"]),
        ("Watch some funny cats on Bing", ["search Bing for funny cats"]),  # goes on in the next line, in any case
        ("watch any cats on bing", ["search bing for cats"]),  # a bar at the end keeps the blank before it
        ("bing:cats", ["search bing for cats"]),
        ("youtube()", ["open youtube"]),
        ("find cats on youtube now", []),
    ],
)
def test_a_frame_fits_a_whole_sentence_and_names_its_parts(sentence, orders):
    assert fitting(sentence) == orders


def test_what_is_given_and_what_is_defined_stand_by_name():
    assert FRAMES.patterns["FIND"] == "find|look|watch"
    assert FRAMES.patterns["SOME"] == "any |some "


@pytest.mark.parametrize(
    ("sentence", "actions", "meta_type"),
    [
        ("write the text Back in 5 minutes to door.txt", ["write"], "single"),  # it could be added, too
        ("list documents and list downloads", ["list", "list"], "dependent_multi"),  # or both at once
    ],
)
def test_of_several_frames_the_first_in_the_file_counts(sentence, actions, meta_type):
    meta = GoalInterpreter().interpret(sentence).meta_goal
    assert ([goal.action for goal in meta.goals], meta.meta_type) == (actions, meta_type)
