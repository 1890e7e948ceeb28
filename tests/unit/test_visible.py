"""What steers a terminal is spelt out, and nothing else is changed."""

from __future__ import annotations

import json
import unicodedata

import pytest

from planvow.adapters.cli.frame.visible import visible, without_passwords


@pytest.mark.parametrize(
    ("character", "spelt"),
    [
        ("\x1b", "\\u001b"), ("\x9b", "\\u009b"), ("\x07", "\\u0007"), ("\x08", "\\u0008"), ("\x7f", "\\u007f"),
        ("\r", "\\u000d"), ("\u202e", "\\u202e"), ("\u2066", "\\u2066"), ("\u200f", "\\u200f"), ("\u061c", "\\u061c"),
        ("\u2028", "\\u2028"), ("\U000e0041", "\\udb40\\udc41"), ("\udc9b", "\\udc9b"),
    ],
)  # fmt: skip
def test_each_steering_character_is_spelt_out(character, spelt):
    assert visible(f"a{character}b") == f"a{spelt}b"


@pytest.mark.long
def test_no_control_and_no_direction_gets_through():
    every = "".join(map(chr, range(0x110000)))
    through = [c for c in visible(every) if unicodedata.category(c) in ("Cc", "Cs") or unicodedata.bidirectional(c) in
               ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")]  # fmt: skip
    assert sorted(set(through)) == ["\t", "\n"]


@pytest.mark.parametrize("text", ["plain\n", "a\tb", "häßlich — שלום عربي", "👩‍👩‍👧", "one\r\ntwo\r\n"])
def test_words_of_every_script_stay_as_they_are(text):
    assert visible(text) == text


def test_a_json_document_stays_the_same_document():
    value = {"k": "\x1b[31m \x9b \u202e \U000e0041 \\u001b"}
    assert json.loads(visible(json.dumps(value, ensure_ascii=False))) == value


def test_a_password_in_an_address_is_not_told():
    assert without_passwords("postgresql://worker:s3cret@db/x: no") == "postgresql://worker:…@db/x: no"
    assert without_passwords("https://example.org/a:b@c") == "https://example.org/a:b@c"
