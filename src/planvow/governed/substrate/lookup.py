"""Finding a section by its id or by the name people give it, and the nearest ones where there is none.

A name is `FILE # HEADING`, the heading as a list shows it: `Title / Part` in prose, `Class.method` in code. Where
several sections of a file have it, `Class.method[2]` is the second. Plans hold ids; names are for people.
"""

from __future__ import annotations

import re

from planvow.governed.errors import AmbiguousAnchorError, UnknownSectionError
from planvow.governed.sections.readers import joint_of
from planvow.governed.sections.sections import ID_LENGTH, Section
from planvow.governed.substrate.interface import Substrate, build_hint
from planvow.governed.substrate.nearest import nearest, nearest_hint

_ID = re.compile(rf"[0-9a-f]{{{ID_LENGTH}}}")
_ID_BEGINNING = re.compile(r"[0-9a-f]{6,63}")
_ORDINAL = re.compile(r"(.+)\[([1-9][0-9]{0,5})\]", re.DOTALL)
SHOWN = 5


def named_section(sections: Substrate, section_id: str, *, place: str | None = None) -> Section:
    """Return the section with this id, or raise UnknownSectionError."""
    section = sections.section(section_id)
    if section is None:
        raise UnknownSectionError(
            f"no section has the id {section_id[:64]!r}"
            + ("" if sections.exists else f": no {sections.path.name} here"),
            place=place,
            hint=_hint_for_id(sections, section_id),
        )
    return section


def meant_section(sections: Substrate, written: str, *, place: str | None = None) -> Section:
    """Return the section that an id, `FILE` or `FILE # HEADING` stands for, or raise with the nearest ones."""
    file_path, mark, heading = (part.strip() for part in written.partition("#"))
    if mark:
        return find_section(sections, file_path, (heading,) if heading else (), place=place)
    whole = next((s for s in sections.sections(written) if not s.heading_path), None)
    return named_section(sections, written, place=place) if whole is None else whole


def find_section(
    sections: Substrate, file_path: str, heading_path: tuple[str, ...], *, place: str | None = None
) -> Section:
    """Return the one section of a file with this heading, or raise with the candidates: never a guess."""
    there = sections.sections(file_path)
    if not there:
        raise unknown_file(sections, file_path, place=place)
    found = [s for s in there if s.heading_path == heading_path] or _as_people_write(there, heading_path)
    if len(found) == 1:
        return found[0]
    heading = " / ".join(heading_path) or "(whole file)"
    if found:
        message = f"{len(found)} sections of {file_path} have the heading {heading}"
        shown = (f"{s.heading}[{n}] ({s.section_id}, line {s.line_start + 1})" for n, s in enumerate(found[:SHOWN], 1))
        hint = f"name one by its number or its id: {', '.join(shown)}"
    else:
        message = f"no section of {file_path} has the heading {heading}"
        found = _near(sections, there, heading_path)
        otherwise = f"planvow cortex sections list {file_path} shows all of this file"
        hint = f"nearest: {', '.join(s.name for s in found)}; {otherwise}" if found else otherwise
    raise AmbiguousAnchorError(
        message, place=place, hint=hint, details={"candidates": [s.section_id for s in found[:SHOWN]]}
    )


def unknown_file(sections: Substrate, file_path: str, *, place: str | None = None) -> UnknownSectionError:
    """Return the error for a file that is not indexed."""
    otherwise = build_hint(sections)
    hint = nearest_hint(file_path, sections.files(), otherwise) if sections.exists else otherwise
    return UnknownSectionError(f"{file_path} is not in the index", place=place, hint=hint)


def _as_people_write(there: list[Section], heading_path: tuple[str, ...]) -> list[Section]:
    """Return the sections that one written heading stands for, with the number of one of them or without."""
    if len(heading_path) != 1:
        return []
    (written,) = heading_path
    found = [section for section in there if section.heading_path and section.heading == written]
    numbered = None if found else _ORDINAL.fullmatch(written)
    if numbered is None:
        return found
    namesakes = [section for section in there if section.heading_path and section.heading == numbered[1]]
    return namesakes[int(numbered[2]) - 1 :][:1]


def _near(sections: Substrate, there: list[Section], heading_path: tuple[str, ...]) -> list[Section]:
    """Return the sections whose headings are nearest: of this file, or, where none is, of all."""
    for among in (there, sections.sections()):
        known = {section.heading: section for section in reversed(among) if section.heading_path}
        near = nearest(joint_of(there[0].reader).join(heading_path), known)
        if near:
            return [known[heading] for heading in near]
    return []


def _hint_for_id(sections: Substrate, written: str) -> str:
    if not sections.exists or _ID.fullmatch(written):
        return build_hint(sections)
    otherwise = f"an id has {ID_LENGTH} characters; planvow cortex sections list shows them"
    if _ID_BEGINNING.fullmatch(written):
        begun = [s for s in sections.sections() if s.section_id.startswith(written)][:SHOWN]
        shown = ", ".join(f"{s.section_id} ({s.name})" for s in begun)
        return f"these begin so: {shown}; {otherwise}" if begun else otherwise
    known = [s.name.replace(" # ", "#") for s in sections.sections()]
    return nearest_hint(written.replace(" # ", "#"), known, otherwise)
