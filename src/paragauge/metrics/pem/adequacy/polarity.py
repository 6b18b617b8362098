"""Expressions that deny without a negation, and negations that deny nothing, put into plain words.

"No later than Friday" denies nothing: it says "by Friday". "He refused to sign" has no negation, yet
says "he did not sign". Features that count negations (`word_changes.py`) read both sentences as
`match_polarity` writes them:

    negations that deny     "no more than ten", "not only", "no doubt", "nothing but", "can not help
    nothing                 laughing", "not uncommon": rewritten wherever they stand
    denying verbs           "failed to sign", "avoided signing", "stopped signing", "was unable to
                            sign": rewritten if the other sentence has the verb (*sign*) too, and not
                            the same denial; otherwise the denying verb is content, and may have a
                            paraphrase of its own (*turned down the offer* for *refused to sign*)

Wording is always measured on the sentences as they are.
"""

from __future__ import annotations

import functools
import re

import numpy as np

from paragauge.lexicon.wordnet import WordNet
from paragauge.text.lines import Lines

VERB_POS = 2  # of `WordNet.lemmatize`
Rules = tuple[tuple[re.Pattern[str], str], ...]

AUXILIARY = "do|does|did|will|would|can|could|must|should|may|might|shall|to|had|has|have|having"
FAIL = "refuse|fail|decline|neglect|forget|omit"
FAILED = "refused|failed|declined|neglected|forgot|forgotten|omitted"
FAILS = "refuses|fails|declines|neglects|forgets|omits"
FAILING = "refusing|failing|declining|neglecting|forgetting|omitting"
STOP = (
    "stop|stops|stopped|stopping|quit|quits|quitting|cease|ceases|ceased|"
    "give up|gives up|gave up|given up"
)
# What follows "to" or "declined to" without being a verb.
VERB = (
    r"(?=(?!(?:a|an|the|its|their|his|her|my|our|your|about|just|only|under|below|it|him|them|us|me|you)\b)"
    r"[a-z]+)"
)
NOT_DOING = "during|evening|morning|anything|something|nothing|everything|spring|building"
DOING = rf"(?=(?!(?:{NOT_DOING})\b)[a-z]+ing\b)"
# What can not be stood follows: not "stand up", nor "stand in line".
OBJECT = "(?= (?!up|in|on|for|by|still|straight|alone|there|here|at|with|out)[a-z])"
BE = "am|are|is|was|were|been|being|be"
NOT_PASSIVE = "".join(rf"(?<!\b{word} )" for word in BE.split("|"))
COMMON = {
    "uncommon": "common",
    "unusual": "usual",
    "unlikely": "likely",
    "unlike": "like",
    "impossible": "possible",
    "improbable": "probable",
    "infrequent": "frequent",
    "infrequently": "often",
    "unreasonable": "reasonable",
    "insignificant": "significant",
    "inconsiderable": "considerable",
    "unimportant": "important",
    "unaware": "aware",
    "unknown": "known",
    "unfamiliar": "familiar",
    "unwelcome": "welcome",
    "dissimilar": "similar",
    "without": "with",
}


def _compile(rules: dict[str, str]) -> Rules:
    return tuple((re.compile(rf"\b(?:{old})", re.IGNORECASE), new) for old, new in rules.items())


# Applied in this order, to text without contractions that has the first words in lower case.
IDIOMS = {
    words: _compile(rules)
    for words, rules in {
        "cannot ": {"cannot ": "can not "},
        " able to ": {
            "(?:am|is|are) able to ": "can ",
            "(?:was|were) able to ": "could ",
            "(?:am|is|are) not able to ": "can not ",
            "(?:was|were) not able to ": "could not ",
        },
        **{f"no{gap}one ": {f"no{gap}one ": "nobody "} for gap in (" ", "-", " - ")},
        " later than ": {"(?:no|not) later than ": "by "},
        " more than ": {"(?:no|not) more than ": "at most "},
        " less than ": {"(?:no|not) less than ": "at least "},
        " fewer than ": {"(?:no|not) fewer than ": "at least "},
        "none other than ": {"none other than ": "exactly "},
        **{f"not {only} ": {f"not {only} ": "also "} for only in ("only", "just", "merely", "simply")},
        "doubt": {
            "there is no doubt (?:that )?": "certainly ",
            r"(?:no doubt|without (?:a |any )?doubt)\b": "certainly",
        },
        "question": {
            "there is no question (?:that )?": "certainly ",
            r"without (?:a |any )?question\b": "certainly",
        },
        "no wonder ": {"no wonder ": "naturally "},
        **{
            f"{nothing} {but} ": {f"{nothing} {but} ": "only "}
            for nothing in ("nothing", "nobody", "none")
            for but in ("but", "except")
        },
        "nothing short of ": {"nothing short of ": "truly "},
        "not to mention ": {"not to mention ": "and "},
        "no matter ": {
            "no matter (?=what|who|how|where|when|which|whether|if)": "regardless of ",
        },
        "not least ": {"not least ": "especially "},
        "not help ": {
            r"can not help (?=[a-z]+ing\b)": "have to ",
            r"could not help (?=[a-z]+ing\b)": "had to ",
            "can not help but ": "have to ",
            "could not help but ": "had to ",
        },
        "not wait to ": {"can not wait to ": "long to ", "could not wait to ": "longed to "},
        "not stand ": {f"can not stand{OBJECT}": "hate", f"could not stand{OBJECT}": "hated"},
        "not abide ": {f"can not abide{OBJECT}": "hate", f"could not abide{OBJECT}": "hated"},
        "not agree more": {"could not agree more": "fully agree"},
        **{
            f"{hardly} ": {
                rf"{hardly} (?:anyone|anybody)\b": "almost nobody",
                rf"{hardly} anything\b": "almost nothing",
                rf"{hardly} any\b": "almost no",
                rf"{hardly} ever\b": "almost never",
                rf"(can|could|do|does|did|will|would) {hardly} ": r"\1 almost not ",
            }
            for hardly in ("hardly", "scarcely")
        },
    }.items()
}
# Two negations: the sentence has a denying verb, too.
TWICE = _compile(
    {
        "(do|does|did|will|would|can|could|must|should|may|might) not "
        rf"(?:{FAIL}|hesitate) to {VERB}": r"\1 ",
        rf"never (?:{FAIL}|{FAILS}|{FAILED}) to {VERB}": "always ",
        rf"(?:not|never) (?:{STOP}) {DOING}": "always ",
    }
)
NOT_UNUSUAL = re.compile(rf"\bnot (?:(very|so|entirely) )?({'|'.join(COMMON)})\b", re.IGNORECASE)
# The verb that is denied follows.
DENIALS = _compile(
    {
        rf"({AUXILIARY}) (?:{FAIL}|{FAILED}) to {VERB}": r"\1 not ",
        rf"{NOT_PASSIVE}(?:{FAILED}) to {VERB}": "did not ",
        rf"(?:{FAILS}) to {VERB}": "does not ",
        rf"(?:{FAIL}) to {VERB}": "do not ",
        rf"(?:{FAILING}) to {VERB}": "not ",
        rf"({AUXILIARY}) (?:avoid|avoided|refrain from|refrained from) {DOING}": r"\1 not ",
        rf"(?:avoided|refrained from) {DOING}": "did not ",
        rf"(?:avoids|refrains from) {DOING}": "does not ",
        rf"(?:avoid|refrain from) {DOING}": "do not ",
        r"(?:was|were) unable to ": "could not ",
        r"(?:am|is|are) unable to ": "can not ",
        r"unable to ": "not able to ",
        rf"(?:{STOP}) {DOING}": "no longer ",
        rf"(?:cease|ceases|ceased) to {VERB}": "no longer ",
    }
)
# One of these words is in every text that a rule of `IDIOMS` changes, or one of `DENIALS`.
NEGATIONS = frozenset(
    {
        *("able", "no", "no-one", "not", "cannot", "nothing", "nobody", "none", "never", "without"),
        *("hardly", "scarcely"),
    }
)
AVOID = "avoid|avoids|avoided|refrain|refrains|refrained"
DENYING = frozenset(
    f"{FAIL}|{FAILED}|{FAILS}|{FAILING}|{STOP}|{AVOID}|unable|hesitate".replace(" up", "").split("|")
)
DENIAL = re.compile(
    rf"\b(?:{'|'.join(sorted(DENYING))})(?: up| from)? (?:to |[a-z]+ing\b)", re.IGNORECASE
)
ENDS = frozenset({"stop", "quit", "cease", "give", "end", "halt", "finish", "over"})
WORD = re.compile("[a-z]+")


def _with_forms(words: frozenset[str]) -> frozenset[str]:
    """The words as they stand between spaces."""
    return frozenset(form for word in words for form in (word, word.capitalize(), f"{word},"))


SPOTTED_NEGATIONS, SPOTTED_DENYING = _with_forms(NEGATIONS), _with_forms(DENYING)
SPOTTED = SPOTTED_NEGATIONS | SPOTTED_DENYING


def match_lines(candidates: Lines, sources: Lines) -> tuple[Lines, Lines]:
    """Both columns, with each pair as `match_polarity` writes it; the same if nothing changes."""
    mine, theirs = list(candidates), list(sources)
    # Each text once: a source may have many candidates, and a candidate may be its source.
    spotted = {text for text in {*mine, *theirs} if not SPOTTED.isdisjoint(text.split(" "))}
    changed = False
    for place, pair in enumerate(zip(mine, theirs, strict=True)):
        if pair[0] in spotted or pair[1] in spotted:
            matched = match_polarity(*pair)
            if matched != pair:
                mine[place], theirs[place] = matched
                changed = True
    return (Lines.of(mine), Lines.of(theirs)) if changed else (candidates, sources)


def match_polarity(candidate: str, source: str) -> tuple[str, str]:
    """Both sentences, without contractions, with negations where they deny something, and only there.

    >>> match_polarity("He did not sign.", "He refused to sign.")
    ('He did not sign.', 'He did not sign.')
    >>> match_polarity("Production ended.", "They stopped producing cars no later than May.")
    ('Production ended.', 'They stopped producing cars by May.')
    """
    spotted = _spot(candidate), _spot(source)
    mine, theirs = (
        _rewrite_idioms(text) if has_negation else text
        for text, (has_negation, _) in zip((candidate, source), spotted, strict=True)
    )
    return (
        _rewrite_denials(mine, theirs) if spotted[0][1] else mine,
        _rewrite_denials(theirs, mine) if spotted[1][1] else theirs,
    )


@functools.lru_cache(maxsize=4096)  # a source is compared with many candidates
def _spot(text: str) -> tuple[bool, bool]:
    """Whether the text has a negation, and whether it has a denying verb: only then rules apply."""
    words = text.split(" ")
    return not SPOTTED_NEGATIONS.isdisjoint(words), not SPOTTED_DENYING.isdisjoint(words)


@functools.lru_cache(maxsize=4096)
def _rewrite_idioms(text: str) -> str:
    lowered = text.lower()
    for words, rules in IDIOMS.items():
        if words in lowered:
            text = _apply(rules, text)
            lowered = text.lower()
    if not DENYING.isdisjoint(lowered.split(" ")):
        text = _apply(TWICE, text)
    if "not " in lowered:
        text = NOT_UNUSUAL.sub(lambda match: COMMON[match[2].lower()], text)
    return text


def _apply(rules: Rules, text: str) -> str:
    for pattern, new in rules:
        text = pattern.sub(functools.partial(_replace, new), text)
    return text


def _replace(new: str, match: re.Match[str]) -> str:
    """The replacement, with a capital letter if the match has one."""
    text = match.expand(new)
    return text[0].upper() + text[1:] if match[0][0].isupper() else text


def _rewrite_denials(text: str, other: str) -> str:
    """The text with those verbs denied by "not" that the other text has too, without the denial."""
    if not DENIAL.search(text):
        return text
    for pattern, new in DENIALS:
        for match in reversed(list(pattern.finditer(text))):
            verb = WORD.match(text, match.end())
            lemmas = _lemmas(other)
            denying = _lemmas(match[0]) & DENYING
            if not denying.isdisjoint(ENDS):
                denying |= ENDS
            if (
                verb is not None
                and denying.isdisjoint(lemmas)
                and not _lemmas(verb[0]).isdisjoint(lemmas)
            ):
                text = text[: match.start()] + _replace(new, match) + text[match.end() :]
    return text


@functools.lru_cache(maxsize=4096)
def _lemmas(text: str) -> frozenset[str]:
    """The base forms of the words, as verbs."""
    words = WORD.findall(text.lower())
    lines = Lines.of([" ".join(words)])
    forms = WordNet.default().lemmatize(lines, np.full(len(words), VERB_POS, np.uint8), 1)
    return frozenset(forms[0].split(" "))
