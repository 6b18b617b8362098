"""Rules that find hints for the review desk: what a requester may want to look at, in words.

Hints decide nothing. On an answer (`find_answer_hints`): spelling, more than one sentence, length,
another language, a copy of the source or of another worker's answer, the same answer to another item,
time spent. On a worker (`find_worker_hints`): the share of near-identical answers, of copies, of
misspelled answers, and of unlikely times. Chen and Dolan (2011, section 3.1) qualified workers
"mainly on the grammaticality and spelling accuracy of the submitted descriptions", and their page asks
for one sentence that is neither incomplete nor too detailed (figure 1).

Short answers to the same item agree by chance ("A man is singing."), so a copy counts only from
`copy_words` words on. Near-identical is a Jaccard coefficient of the words of at least `alike`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.collect.quality.language_guess import find_other_language
from paragauge.collect.quality.spelling import find_speller
from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.text.unicode_words import nearest_overlap, same_words, words
from paragauge.text.wording import pluralize

NOTE, WARNING = "note", "warning"
# A period after these, or after a single letter, does not end a sentence.
ABBREVIATIONS = frozenset(
    words(
        "mr mrs ms dr st prof jr sr vs etc eg ie no inc ltd approx fig cf al us pm am bzw zb usw ca "
        "evtl sra dra srta"
    )
)
_END = re.compile(r"(\S*?)([.!?…؟।]+)[\"'»”’)\]]*\s+(?=\S)|([。！？])(?=.)")


@dataclass(frozen=True)
class Hint:
    """A hint: its kind, its level (note or warning), and a text for people."""

    kind: str
    level: str
    text: str


@dataclass(frozen=True)
class HintRules:
    """Limits of the hints."""

    shortest: int = 3  # words
    longest: int = 30
    copy_words: int = 6
    alike: float = 0.8
    fastest: float = 0.06  # seconds per character; people type about five in a second
    least_seconds: float = 2.0
    slowest: float = 1800.0
    least_answers: int = 5  # shares are reported from this many answers on
    share: float = 0.2


DEFAULT_RULES = HintRules()


def count_sentences(text: str) -> int:
    """Estimate the number of sentences; abbreviations and initials do not end one.

    >>> count_sentences("Mr. J. Smith pays $3.50 for it."), count_sentences("He runs. Then he falls!")
    (1, 2)
    >>> count_sentences("狗在跑。猫在看。"), count_sentences("")
    (2, 0)
    """
    if not words(text):
        return 0
    ends = 0
    for match in _END.finditer(text.strip()):
        before, mark, _ = match.groups()
        bare = "".join(words((before or "").replace(".", "")))
        if mark == "." and (bare in ABBREVIATIONS or (len(bare) == 1 and bare.isalpha())):
            continue
        ends += 1
    return ends + 1


def find_answer_hints(
    answer: WrittenAnswer,
    others: Iterable[WrittenAnswer] = (),
    allowed: frozenset[str] = frozenset(),
    rules: HintRules = DEFAULT_RULES,
) -> tuple[Hint, ...]:
    """The hints on one answer.

    `others` are answers to compare with: those to the same item, and those of the same worker;
    `allowed` are words that count as known, such as those of trusted sentences.

    >>> [hint.text for hint in find_answer_hints(WrittenAnswer("Tomato cuting", "v1", "ada"))]
    ['unknown word: cuting (cutting?)', 'very short: 2 words']
    """
    hints = [*_find_text_hints(answer, allowed, rules), *_find_copy_hints(answer, others, rules)]
    return (*hints, *_find_time_hints(answer, rules))


def _find_text_hints(
    answer: WrittenAnswer, allowed: frozenset[str], rules: HintRules
) -> Iterable[Hint]:
    language = find_other_language(answer.text, answer.language)
    if language is not None:
        yield Hint("language", WARNING, f"said to be {answer.language}, but looks like {language}")
    checker = find_speller(answer.language) if language is None else None
    wrong = checker.find_misspelled(answer.text, allowed | set(words(answer.source))) if checker else ()
    if wrong:
        suspects = [
            f"{misspelling.word} ({misspelling.suggestion}?)"
            if misspelling.suggestion
            else misspelling.word
            for misspelling in wrong
        ]
        noun = "word" if len(wrong) == 1 else "words"
        level = WARNING if len(wrong) > 1 else NOTE
        yield Hint("spelling", level, f"unknown {noun}: {', '.join(suspects[:5])}")
    count = count_sentences(answer.text)
    if count > 1:
        yield Hint("sentences", WARNING, f"{count} sentences instead of one")
    length = len(words(answer.text))
    if length == 0:
        yield Hint("length", WARNING, "no words at all")
    elif length < rules.shortest:
        yield Hint("length", WARNING, f"very short: {length} word{'s' * (length > 1)}")
    elif length > rules.longest:
        yield Hint("length", NOTE, f"very long: {length} words")


def _find_copy_hints(
    answer: WrittenAnswer, others: Iterable[WrittenAnswer], rules: HintRules
) -> Iterable[Hint]:
    mine = same_words(answer.text)
    if not mine:
        return
    if answer.source and mine == same_words(answer.source):
        yield Hint("source", WARNING, "the source itself, unchanged")
    copied: set[str] = set()
    repeated: set[str] = set()
    for other in others:
        if same_words(other.text) != mine:
            continue
        if other.worker != answer.worker and other.item == answer.item:
            copied.add(other.worker)
        elif other.worker == answer.worker and other.item != answer.item:
            repeated.add(other.item)
    if copied and len(mine.split()) >= rules.copy_words:
        who = "another worker" if len(copied) == 1 else f"{len(copied)} other workers"
        yield Hint("copy", WARNING, f"the same words as {who} wrote on this item")
    if repeated:
        noun = "another item" if len(repeated) == 1 else f"{len(repeated)} other items"
        yield Hint("duplicate", WARNING, f"the worker gave the same answer to {noun}")


def _find_time_hints(answer: WrittenAnswer, rules: HintRules) -> Iterable[Hint]:
    if answer.seconds is None:
        return
    if answer.seconds < max(rules.least_seconds, rules.fastest * len(answer.text)):
        size = len(answer.text)
        yield Hint(
            "time",
            WARNING,
            f"{answer.seconds:.1f} seconds for {pluralize(size, 'character')}: too fast to type",
        )
    elif answer.seconds > rules.slowest:
        yield Hint("time", NOTE, f"took {answer.seconds / 60:.0f} minutes")


def find_worker_hints(
    answers: Sequence[WrittenAnswer],
    others: Iterable[WrittenAnswer] = (),
    allowed: frozenset[str] = frozenset(),
    rules: HintRules = DEFAULT_RULES,
) -> tuple[Hint, ...]:
    """The hints on one worker, from all answers of that worker; `others` are those of other workers.

    >>> lazy = [WrittenAnswer("Somebody does something nice.", f"v{i}", "bob") for i in range(10)]
    >>> [hint.text for hint in find_worker_hints(lazy)]
    ['100% of 10 answers are near-identical to answers to other items']
    """
    if len(answers) < rules.least_answers:
        return ()
    total = len(answers)
    hints = []
    tokens = [words(answer.text) for answer in answers]
    alike = float((nearest_overlap(tokens, [answer.item for answer in answers]) >= rules.alike).mean())
    if alike >= rules.share:
        text = f"{alike:.0%} of {total} answers are near-identical to answers to other items"
        hints.append(Hint("near-identical", WARNING, text))
    hints += _find_shared_answers(answers, others, rules)
    misspelled = [
        bool(checker.find_misspelled(answer.text, allowed | set(words(answer.source))))
        for answer in answers
        if (checker := find_speller(answer.language))
    ]
    if misspelled and np.mean(misspelled) >= rules.share:
        text = f"{np.mean(misspelled):.0%} of {total} answers have unknown words"
        hints.append(Hint("spelling", WARNING, text))
    fast = [
        bool(tuple(_find_time_hints(answer, rules))) for answer in answers if answer.seconds is not None
    ]
    if fast and np.mean(fast) >= rules.share:
        text = f"{np.mean(fast):.0%} of {total} answers took an unlikely time"
        hints.append(Hint("time", WARNING, text))
    return tuple(hints)


def _find_shared_answers(
    answers: Sequence[WrittenAnswer], others: Iterable[WrittenAnswer], rules: HintRules
) -> Iterable[Hint]:
    mine = {(answer.item, same_words(answer.text)) for answer in answers}
    long = {(item, text) for item, text in mine if len(text.split()) >= rules.copy_words}
    shared: Counter[str] = Counter()
    for item, text, worker in {(other.item, same_words(other.text), other.worker) for other in others}:
        if worker != answers[0].worker and (item, text) in long:
            shared[worker] += 1
    if shared and shared.most_common(1)[0][1] >= rules.share * len(answers):
        worker, count = min(shared.items(), key=lambda entry: (-entry[1], entry[0]))
        text = f"{count} of {len(answers)} answers are the same as those of worker {worker}"
        yield Hint("copy", WARNING, text)
