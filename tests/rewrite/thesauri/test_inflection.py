"""Forms and tags of words, against irregular verbs that every grammar lists, and round trips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.rewrite.thesauri.inflection import PLURAL_ONLY, TAGS, Inflection
from paragauge.text.lines import Lines

VERBS = """
take takes taking took taken
be is being was been
have has having had had
do does doing did done
go goes going went gone
begin begins beginning began begun
sing sings singing sang sung
run runs running ran run
come comes coming came come
put puts putting put put
let lets letting let let
get gets getting got gotten
make makes making made made
say says saying said said
find finds finding found found
leave leaves leaving left left
write writes writing wrote written
know knows knowing knew known
see sees seeing saw seen
stop stops stopping stopped stopped
try tries trying tried tried
agree agrees agreeing agreed agreed
die dies dying died died
visit visits visiting visited visited
use uses using used used
refer refers referring referred referred
""".strip().splitlines()
NOUNS = [("house", "houses"), ("city", "cities"), ("child", "children"), ("man", "men")]
NOUNS += [
    ("box", "boxes"),
    ("day", "days"),
    ("mouse", "mice"),
    ("people", "people"),
    ("church", "churches"),
    ("woman", "women"),
    ("human", "humans"),
    ("roman", "romans"),
]
ADJECTIVES = [("easy", "easier", "easiest"), ("big", "bigger", "biggest"), ("bad", "worse", "worst")]
ADJECTIVES += [
    ("hard", "harder", "hardest"),
    ("large", "larger", "largest"),
    ("good", "better", "best"),
]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.split()[0])
def test_verbs(verb: str) -> None:
    forms = Inflection.of()
    paradigm = dict(zip(("VB", "VBZ", "VBG", "VBD", "VBN"), verb.split(), strict=True))
    lemma = paradigm["VB"]
    for tag, form in paradigm.items():
        assert forms.inflect(lemma, tag) == form
        assert forms.base(form, tag) == lemma
        # A form has no tag of another form.
        others = {other for other, spelled in paradigm.items() if spelled != form}
        known = {"get": {"VBN"}}.get(lemma, set()) if form == "got" else set()
        borne = {other for other in others if forms.base(form, other) == lemma}
        assert borne == known, form


@pytest.mark.parametrize(("singular", "plural"), NOUNS)
def test_nouns(singular: str, plural: str) -> None:
    forms = Inflection.of()
    assert forms.inflect(singular, "NNS") == plural
    assert forms.base(plural, "NNS") == singular
    assert forms.base(singular, "NN") == (None if singular in PLURAL_ONLY else singular)
    assert (forms.base(singular, "NNS") is None) == (singular != plural)


@pytest.mark.parametrize("degrees", ADJECTIVES, ids=lambda degrees: degrees[0])
def test_adjectives(degrees: tuple[str, str, str]) -> None:
    forms = Inflection.of()
    for tag, form in zip(("JJ", "JJR", "JJS"), degrees, strict=True):
        assert forms.inflect(degrees[0], tag) == form
        assert forms.base(form, tag) == degrees[0]
        assert [other for other in ("JJ", "JJR", "JJS") if forms.base(form, other) == degrees[0]] == [
            tag
        ]


def test_words_without_inflection_have_no_tags() -> None:
    forms = Inflection.of()
    assert [forms.base("the", tag) for tag in TAGS] == [None] * len(TAGS)
    assert forms.base("house", "DT") is None
    assert forms.inflect("the", "DT") == "the"


def test_the_base_form_depends_on_the_tag() -> None:
    forms = Inflection.of()
    assert forms.base("found", "VBD") == "find"
    assert forms.base("found", "VB") == "found"
    assert forms.base("saw", "VBD") == "see"
    assert forms.base("saw", "NN") == "saw"


@given(
    st.lists(st.text(max_size=8).filter(lambda word: " " not in word), max_size=6),
    st.sampled_from(range(len(TAGS))),
)
def test_batches_give_the_same_bases_as_single_words(words: list[str], tag: int) -> None:
    forms = Inflection.of()
    numbers, bases = forms.bases(Lines.of(words).lower())
    for word, row in zip(Lines.of(words).lower(), numbers.tolist(), strict=True):
        batched = [None if number < 0 else bases[number] for number in row]
        ((single,), own) = forms.bases(Lines.of([word]))
        assert [None if number < 0 else own[number] for number in single.tolist()] == batched
        assert forms.base(word, TAGS[tag]) == batched[tag]


@given(st.text(max_size=12), st.sampled_from([*TAGS, "DT"]))
def test_inflect_takes_any_text(lemma: str, tag: str) -> None:
    assert isinstance(Inflection.of().inflect(lemma, tag), str)


def test_the_present_of_be_is_not_its_base_form() -> None:
    forms = Inflection.of()
    assert [forms.base(word, "VBP") for word in ("be", "am", "are")] == [None, "be", "be"]
    assert (forms.base("be", "VB"), forms.inflect("be", "VBP")) == ("be", "are")
