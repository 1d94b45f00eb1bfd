"""The parser: one pass over a report, from characters to findings."""

from functools import cache
from pathlib import Path

from endoalign.reports.diagnoses import without_repeats
from endoalign.reports.discourse import assemble
from endoalign.reports.eligibility import decide_eligibility
from endoalign.reports.exams import decide_exam
from endoalign.reports.grammar import GRAMMARS
from endoalign.reports.language import detect_language
from endoalign.reports.lexicon import Lexicon, load_lexicon
from endoalign.reports.normalise import Normalised, normalise
from endoalign.reports.outline import Outline, outline
from endoalign.reports.paris import find_paris_codes
from endoalign.reports.publish import publish, publish_spans
from endoalign.reports.records import Finding, ParsedReport
from endoalign.reports.roles import roles_of, site_titles, term_roles, words_of
from endoalign.reports.sections import HeadingFinder
from endoalign.reports.sentence import Sentence, build_sentence
from endoalign.reports.sentences import slices
from endoalign.reports.sizes import MeasureFinder
from endoalign.reports.spelling import Spelling
from endoalign.reports.telling import without_rectum
from endoalign.reports.terms import TermScanner


class ReportParser:
    """Reads reports of one language by one lexicon; parsing changes nothing in it but memos."""

    def __init__(self, lexicon: Lexicon, every_region: bool = False) -> None:
        """Compile the lexicon; ``every_region`` is the strict landmark rule of `eligibility`."""
        roles = term_roles(lexicon)
        spaced = lexicon.language != "zh"
        spelling = lexicon.spelling
        self.lexicon = lexicon
        self._every_region = every_region
        self._grammar = GRAMMARS[lexicon.language]
        self._terms = TermScanner(roles_of(roles, whole_document=False), whole_words=spaced)
        self._cues = TermScanner(roles_of(roles, whole_document=True), whole_words=spaced)
        self._spelling = Spelling(
            words_of(roles) if spaced else (), spelling.known, spelling.confusions
        )
        self._headings = HeadingFinder(lexicon, site_titles(roles))
        self._measures = MeasureFinder(lexicon)

    @classmethod
    def from_lexicon(cls, source: str | Path, every_region: bool = False) -> "ReportParser":
        """Build a parser from a language ("en", "zh") or the path of a lexicon file.

        Raises:
            FileNotFoundError: there is no such lexicon.
            ValueError: it is not valid; the message names the file and the key.
        """
        return cls(load_lexicon(source), every_region)

    def parse(self, text: str) -> ParsedReport:
        """Read one report. Any text parses; one that is no examination has no findings."""
        norm = normalise(text, self._spelling)
        found = outline(
            norm, self._terms.scan(norm.lower), self._headings.find(norm.cased), self._grammar
        )
        cues, sites = found.told_cues(self._cues.scan(norm.lower)), found.sites()
        exam = decide_exam(cues, sites, found.evidence(norm.lower, self._grammar))
        findings = self._findings(text, norm, found, exam.kind) if exam.kind else ()
        return ParsedReport(
            text=text,
            language=self.lexicon.language,
            sentences=publish_spans(norm, found.spans),
            findings=findings,
            polyp_positive=any(f.kind == "lesion" and f.status == 1 for f in findings),
            exam=exam,
            eligibility=decide_eligibility(exam, cues, sites, self._every_region),
        )

    def _findings(
        self, text: str, norm: Normalised, found: Outline, exam_kind: str
    ) -> tuple[Finding, ...]:
        """Return the findings of the sentences that may state some, by position."""
        drafts = assemble(self._sentences(norm, found, exam_kind))
        return tuple(publish(text, norm, draft) for draft in without_repeats(drafts))

    def _sentences(self, norm: Normalised, found: Outline, exam_kind: str) -> list[Sentence]:
        """Build the sentences that may state findings, with their lengths and Paris codes."""
        spans, categories = found.spans, found.categories
        measures = self._measures.find(norm.lower)
        of_measures = slices([m.start for m in measures], spans)
        codes = find_paris_codes(norm.cased)
        of_codes = slices([code[0] for code in codes], spans)
        upto_cm = self.lexicon.distances.upto_cm
        if exam_kind != "colonoscopy":
            categories = [without_rectum(own) for own in categories]
            upto_cm = self.lexicon.distances.from_incisors_cm
        return [
            build_sentence(
                norm.lower,
                self._grammar,
                spans[at.order],
                at,
                categories[at.order],
                measures[slice(*of_measures[at.order])],
                codes[slice(*of_codes[at.order])],
                upto_cm,
            )
            for at in found.told
        ]


@cache
def _shared_parser(language: str) -> ReportParser:
    return ReportParser.from_lexicon(language)


def parse_report(text: str, language: str | None = None) -> ParsedReport:
    """Read one report; the language is told by its script when ``None``.

    Raises:
        FileNotFoundError: there is no lexicon of ``language``.
    """
    return _shared_parser(language or detect_language(text)).parse(text)
