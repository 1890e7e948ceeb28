"""The reading of a whole transcript: one `TurnReading` after another, whichever parser is underneath.

Turns are parsed as they are pulled, and what is remembered between turns is bounded (the last propositions, the
entities last heard), so time grows with the length of the debate and memory does not.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from planvow.debate.claims.propositions import Draft, SentenceDraft, read_sentence
from planvow.debate.claims.trimming import Clause
from planvow.debate.references.addressee import Addressee
from planvow.debate.references.ellipsis import left_out
from planvow.debate.references.mentions import Mention
from planvow.debate.references.opponent import Opponent
from planvow.debate.references.presiding import presiding_speakers
from planvow.debate.references.references import Antecedent, ReferenceTracker, committed_text
from planvow.debate.references.standalone import standalone
from planvow.debate.references.voices import Voice, speaker_name, voices_of
from planvow.debate.relations.linking import Linker
from planvow.debate.relations.relations import proposition
from planvow.debate.relations.stance import Stance, TurnStance
from planvow.debate.scoring.features import Features, Place
from planvow.debate.scoring.model import Ranker, Table, shipped_table
from planvow.debate.speech.restore import Heard, heard
from planvow.debate.terms.language import (
    ClaimKey,
    ClaimReading,
    EntityKind,
    MentionReading,
    ReferenceReading,
    ScopeReading,
    SentenceReading,
    TurnReading,
)
from planvow.debate.terms.transcript import UNKNOWN_SPEAKER, Span, SpeakerTurn, Transcript
from planvow.debate.words.quotations import overlapping, quoted_spans, to_its_close
from planvow.debate.words.words import Parser, Sentence
from planvow.debate.words.wordsets import word_set

_YES_OR_NO = 2  # words of an answer after which the question still stands: "Yes."
_STUDY_NOUNS = word_set("study report survey poll research paper")


class ParsedLanguage:
    """A language back-end made of a parser and a weight table."""

    def __init__(self, parser: Parser, table: Table | None = None, ranker: Ranker | None = None) -> None:
        self._parser = parser
        self._ranker = ranker
        self._table = table if table is not None else shipped_table(parser.name, ranker.name if ranker else "")

    @property
    def name(self) -> str:
        return self._parser.name

    @property
    def version(self) -> str:
        ranked = f", ranker {self._ranker.name} ({self._ranker.version})" if self._ranker else ""
        return f"{self._parser.version}, weights {self._table.version}{ranked}"

    def read(self, transcript: Transcript) -> Iterator[TurnReading]:
        hearings = heard(transcript.turns)
        turns = [  # as long as before, so all places in them are places in what was given
            replace(turn, text=hearing.text) if hearing.text != turn.text else turn
            for turn, hearing in zip(transcript.turns, hearings, strict=True)
        ]
        spoken = [hearing for turn, hearing in zip(turns, hearings, strict=True) if not turn.is_preamble]
        parsed = self._parser.parse((hearing.text, hearing.spans) for hearing in spoken)
        presiding = presiding_speakers(turns, [hearing.spans for hearing in hearings])
        voices = voices_of(transcript)
        addressee = Addressee(turns, voices, presiding)
        opponent = Opponent(turns, voices, presiding)
        state = _Talk(self._table, voices, presiding, addressee, opponent, self._ranker)
        for turn, hearing in zip(turns, hearings, strict=True):
            if turn.is_preamble:
                sentences = tuple(SentenceReading(span=span) for span in hearing.spans)
                yield TurnReading(turn_index=turn.turn_index, sentences=sentences)
            else:
                yield state.read_turn(turn, hearing, next(parsed))


class _Talk:
    """What is carried from turn to turn."""

    def __init__(
        self,
        table: Table,
        voices: Mapping[str, Voice],
        presiding: frozenset[str],
        addressee: Addressee,
        opponent: Opponent,
        ranker: Ranker | None,
    ) -> None:
        self._addressee = addressee
        self._opponent = opponent
        self._ranker = ranker
        self._table = table
        self._voices = voices
        self._presiding = presiding
        self._tracker = ReferenceTracker(table)
        self._linker = Linker(table)
        self._claims: list[Antecedent] = []
        self._after_question = False
        self._asked: tuple[str, Sentence] | None = None

    def read_turn(self, turn: SpeakerTurn, hearing: Heard, sentences: Sequence[Sentence]) -> TurnReading:
        spans = hearing.spans
        name = "" if turn.speaker == UNKNOWN_SPEAKER else speaker_name(turn.speaker)
        self._tracker.start_turn(turn.turn_index, turn.speaker_key, name)
        self._addressee.start_turn(turn.speaker_key)
        self._opponent.start_turn(turn.speaker_key)
        voice = self._voices.get(turn.speaker)
        presides = turn.speaker_key in self._presiding
        quotations = quoted_spans(turn.text, spans)
        claims: list[ClaimReading] = []
        mentions: list[MentionReading] = []
        references: list[ReferenceReading] = []
        kinds: list[SentenceReading] = []
        scopes: list[ScopeReading] = []
        stance = TurnStance()
        for index, words in enumerate(sentences):
            stance.hear(turn.text, spans[index])
            quoted = overlapping(quotations, *spans[index])
            place = Place(index, len(sentences), self._after_question)
            meaning = partial(self._ranker.features, turn.text[slice(*spans[index])]) if self._ranker else None
            draft = read_sentence(words, place, self._table, quoted, presides=presides, meaning=meaning)
            if index in hearing.questions:
                draft = SentenceDraft(words, "question")
            kinds.append(SentenceReading(span=spans[index], kind=draft.kind))
            found, pointing = self._tracker.read(words, turn.text, turn.turn_index, self._claims)
            mentions.extend(
                _mention_reading(mention) for mention in found if mention.is_name or mention.key in _STUDY_NOUNS
            )
            references.extend(pointing)
            addressed = self._addressee.meant(words) if draft.drafts else {}
            opposed = self._opponent.meant(words, found, quoted)
            for piece in draft.drafts:
                claim = _claim(turn, draft, piece, index, voice, pointing, quoted, addressed, opposed)
                claim = replace(claim, boundary_confidence=hearing.confidence(index))
                if self._asked and (rest := left_out(*self._asked, words, piece.clause.first, piece.clause.after)):
                    claim = replace(claim, standalone_text=f"{claim.standalone_text} {rest}")
                key = ClaimKey(turn.turn_index, len(claims))
                claims.append(claim)
                self._remember(claim, key, piece, turn, index, stance.of(claim.span), draft.meant)
                if claim.scope != "TURN":
                    scopes.append(ScopeReading(span=claim.span, kind=claim.scope))
            if draft.kind == "question":
                self._asked = (turn.text, words)
            elif len(words) > _YES_OR_NO:
                self._asked = None
        self._after_question = bool(kinds) and kinds[-1].kind == "question"
        links = self._linker.relations_of_turn()
        return TurnReading(
            turn_index=turn.turn_index,
            sentences=tuple(kinds),
            mentions=tuple(mentions),
            scopes=tuple(scopes),
            claims=tuple(claims),
            relations=tuple(links.shown),
            possible=tuple(links.possible),
            references=tuple(references),
        )

    def _remember(
        self,
        claim: ClaimReading,
        key: ClaimKey,
        piece: Draft,
        turn: SpeakerTurn,
        sentence: int,
        stance: Stance,
        meaning: Features,
    ) -> None:
        text = turn.text[claim.span[0] : claim.span[1]]
        self._claims.append(Antecedent(text, key.turn_index, claim.span))
        del self._claims[:-3]
        self._linker.add(
            key,
            proposition(
                piece.words,
                role=piece.role,
                speaker=turn.speaker_key,
                turn=turn.turn_index,
                sentence=sentence,
                opening=piece.clause.opening,
                presides=turn.speaker_key in self._presiding,
                stance=stance,
                meaning=meaning,
            ),
        )


def _claim(
    turn: SpeakerTurn,
    sentence: SentenceDraft,
    piece: Draft,
    index: int,
    voice: Voice | None,
    references: Sequence[ReferenceReading],
    quoted: Sequence[Span],
    addressed: Mapping[int, str],
    opposed: Mapping[int, str],
) -> ClaimReading:
    words, clause = sentence.words, piece.clause
    span = (words[clause.first].start, words[clause.after - 1].end)
    replacements = _replacements(words, clause, span, references, turn.turn_index)
    replacements = _with_opponent(turn.text, span, clause, replacements, opposed)
    others_words = {at for at in range(clause.first, clause.after) if any(a <= words[at].start < b for a, b in quoted)}
    standalone_text = standalone(
        turn.text, words, clause.first, clause.after, voice, replacements, others_words, addressed
    )
    close = to_its_close(turn.text, quoted, span[1]) if piece.scope == "TURN" else span[1]
    if close > span[1] and words[clause.first].start < quoted[-1][0]:  # it reports all that was said
        standalone_text += turn.text[span[1] : close].replace("\n", " ")
        span = (span[0], close)
    return ClaimReading(
        span=span,
        sentence_index=index,
        role=piece.role,
        claim_type=piece.types[0].claim_type,
        confidence=piece.types[0].confidence,
        reasons=(*piece.types[0].reasons, *piece.reasons),
        check_worthiness=piece.check_worthiness,
        standalone_text=standalone_text,
        scope=piece.scope,
        types=piece.types,
    )


def _replacements(
    words: Sentence, clause: Clause, span: Span, references: Sequence[ReferenceReading], turn_index: int
) -> dict[int, str]:
    """Committed names for the pronouns of a claim: once each, and not where the claim has the name itself."""
    found: dict[int, str] = {}
    named: set[str] = set()
    for reference in references:
        name = committed_text(reference)
        at = next((i for i in range(clause.first, clause.after) if words[i].start == reference.span[0]), None)
        if name is None or at is None:
            continue
        meant = reference.candidates[0]
        if meant.turn_index == turn_index and span[0] <= meant.span[0] < span[1]:
            named.add(name)
        if name in named:
            continue
        named.add(name)
        found[at] = f"{name}'s" if words[at].tag == "PRP$" else name
    return found


def _with_opponent(
    text: str, span: Span, clause: Clause, committed: Mapping[int, str], opposed: Mapping[int, str]
) -> dict[int, str]:
    """The opponent's name, once, where the claim does not have it; what was committed to another stays."""
    found = dict(committed)
    inside = sorted(at for at in opposed if clause.first <= at < clause.after)  # text order
    name = next((opposed[at].removesuffix("'s") for at in inside if opposed[at]), "")
    if not name or any(at in committed for at in inside) or name.split()[-1].lower() in text[slice(*span)].lower():
        return found
    for at in inside:
        found[at] = opposed[at]
        if opposed[at]:
            break
    return found


def _mention_reading(mention: Mention) -> MentionReading:
    kind: EntityKind = "UNKNOWN"
    if mention.kind == "person" and mention.is_name:
        kind = "PERSON"
    elif mention.key in _STUDY_NOUNS:
        kind = "STUDY"
    return MentionReading(span=(mention.start, mention.end), canonical=mention.text, kind=kind)
