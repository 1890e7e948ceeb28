"""Bytes to text, without losing or inventing anything.

What comes out is what `data.decode(encoding)` gives, line ends and a UTF-8 byte order mark included, so a span counts
the same characters for everyone. Stray bytes of the Windows code page in a UTF-8 file are read as that code page,
and said so.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from planvow.debate.errors import TranscriptError

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),  # kept as U+FEFF: that is what decoding as UTF-8 gives
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")  # an escape may begin a colour of a terminal
_MAX_CONTROL_SHARE = 0.01
_WINDOWS = "cp1252"


class Decoded(NamedTuple):
    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded:
    """Decode a transcript; raise TranscriptError for bytes that are no text."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                return _checked(Decoded(data.decode(encoding), encoding))
            except UnicodeDecodeError as error:
                if encoding != "utf-8":
                    raise TranscriptError(f"the byte order mark says {encoding}, but {error.reason}") from None
    if b"\0" in data[:4096] and (wide := _utf16_without_mark(data)) is not None:
        return _checked(wide)
    try:
        return _checked(Decoded(data.decode("utf-8"), "utf-8"))
    except UnicodeDecodeError:
        return _checked(_mixed(data))


def _mixed(data: bytes) -> Decoded:
    """UTF-8 with stray bytes of the Windows code page, or that code page throughout."""
    text = data.decode("utf-8", "surrogateescape")  # a stray byte becomes one escape character
    strays = sum(1 for character in text if "\udc80" <= character <= "\udcff")
    sequences = len(data) - len(text)
    if 3 * sequences < strays:  # sequences that happen to be UTF-8 are rare in other encodings
        return Decoded(_windows(data), _WINDOWS, ("not UTF-8; read as Windows-1252",))
    text = text.translate({0xDC00 + byte: _windows(bytes([byte])) for byte in range(0x80, 0x100)})
    note = f"{strays} bytes are not UTF-8 and were read as Windows-1252"
    return Decoded(text, "utf-8", (note,))


def _windows(data: bytes) -> str:
    """Decode as Windows-1252; its five undefined bytes as Latin-1 has them."""
    return (
        "".join(bytes([b]).decode(_WINDOWS, "ignore") or chr(b) for b in data)
        if _undefined(data)
        else data.decode(_WINDOWS)
    )


def _undefined(data: bytes) -> bool:
    return any(byte in data for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D))


def _utf16_without_mark(data: bytes) -> Decoded | None:
    """Zero bytes in every other place mean UTF-16 without a mark."""
    for encoding, odd in (("utf-16-le", 1), ("utf-16-be", 0)):
        sample = data[odd:4096:2]
        if sample and sample.count(0) > 0.6 * len(sample) and len(data) % 2 == 0:
            try:
                return Decoded(data.decode(encoding), encoding)
            except UnicodeDecodeError:
                continue
    return None


def _checked(decoded: Decoded) -> Decoded:
    controls = len(_CONTROL.findall(decoded.text))
    if controls > max(2, _MAX_CONTROL_SHARE * len(decoded.text)):
        raise TranscriptError(
            "this is binary data, not text", hint="export the transcript as plain text, .srt, .vtt or JSON"
        )
    if not controls:
        return decoded
    note = f"{controls} control characters were read as white space"
    return decoded._replace(notes=(*decoded.notes, note))
