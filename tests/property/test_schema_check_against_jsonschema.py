"""The schema checker against the reference implementation of draft 2020-12, on schemas of the subset it claims."""

from __future__ import annotations

from collections import Counter

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from planvow.contract.plan.schema_check import schema_problems
from planvow.contract.plan.schema_form import KEYWORDS, TYPES, check_schema
from planvow.errors import InputError

EXAMPLES = 2_000
NAMES = ["a", "b", "a/b", "~"]
REFERENCES = ["#", *(f"#/$defs/{name}" for name in ("a", "b", "a~1b", "~0"))]
names = st.sampled_from(NAMES)
scalars = st.sampled_from([None, True, False, 0, 1, -1, 1.0, 1.5, 2**60, "", "a", "ab", "𝄞"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=6
)
sizes = st.integers(0, 3)
bounds = st.sampled_from([-1, 0, 0.5, 1, 1.0, 2**60])
types = st.sampled_from(sorted(TYPES))


def with_keywords(inner):
    forms = st.lists(inner, min_size=1, max_size=3)
    keywords = {
        "type": types | st.lists(types, min_size=1, max_size=3, unique=True),
        "properties": st.dictionaries(names, inner, max_size=3),
        "required": st.lists(names, max_size=2, unique=True),
        "enum": st.lists(values, min_size=1, max_size=3),
        "const": values,
        "$ref": st.sampled_from(REFERENCES),
        **dict.fromkeys(("items", "additionalProperties"), inner),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), bounds),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), sizes),
        **dict.fromkeys(("anyOf", "allOf", "oneOf"), forms),
    }
    assert set(keywords) == KEYWORDS - {"$defs", "definitions"}
    pairs = [st.tuples(st.just(keyword), value) for keyword, value in keywords.items()]
    return st.lists(st.one_of(pairs), max_size=3, unique_by=lambda pair: pair[0]).map(dict)


schemas = st.recursive(st.booleans() | types.map(lambda name: {"type": name}), with_keywords, max_leaves=6)
definitions = st.fixed_dictionaries(dict.fromkeys(NAMES, schemas))
documents = st.builds(lambda top, defs: {**top, "$defs": defs}, with_keywords(schemas), definitions)


def is_taken(schema):
    """Whether the checker takes a schema; of these it may refuse only what leads nowhere."""
    try:
        check_schema(schema)
    except InputError as refused:
        if "leads back to itself" not in refused.message:
            raise
        return False
    return True


def test_the_checker_agrees_with_the_reference_implementation():
    seen: Counter[str] = Counter()

    @settings(max_examples=EXAMPLES)
    @given(documents, st.lists(values, min_size=4, max_size=4))
    def agree(schema, candidates):
        if not is_taken(schema):
            seen["refused"] += 1
            return
        jsonschema.Draft202012Validator.check_schema(schema)
        reference = jsonschema.Draft202012Validator(schema)
        for value in candidates:
            fits = next(schema_problems(value, schema), None) is None
            assert fits == reference.is_valid(value)
            seen["fits" if fits else "does not fit"] += 1
        seen["schemas"] += 1

    agree()
    assert seen["schemas"] > 0.6 * EXAMPLES
    assert min(seen["fits"], seen["does not fit"]) > EXAMPLES / 2, seen  # both answers are compared often
    assert seen["refused"] > EXAMPLES / 100, seen  # some references do lead in a circle
