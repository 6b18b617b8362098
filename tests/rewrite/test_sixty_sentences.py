"""Sixty sentences, each rewritten and read: no broken article, and no error of agreement.

`EXPECTED` has a reference, an output, what WordNet alone makes of the reference (an empty text: nothing
is proposed), and whether the filter that ships accepts it. Bad synonyms are among them ("an alone
uniform"): they are for the filter to refuse, but they agree with what stands around them.
"""

from __future__ import annotations

import pytest

from paragauge.rewrite.rewrite_method import rewrite

EXPECTED = [
    ("The men were tired.", "The man was tired.", "", True),
    (
        "She showed me a picture of the house.",
        "She showed me an image of the house.",
        "She showed me an image of the house.",
        True,
    ),
    ("He told an amusing story.", "He told a funny story.", "He told a funny story.", True),
    ("It was an enormous mistake.", "It was a huge error.", "It was an enormous error.", True),
    (
        "They bought a car in May.",
        "They bought an automobile in May.",
        "They bought an automobile in May.",
        True,
    ),
    (
        "An error was found in the report.",
        "A mistake was found in the report.",
        "A mistake was found in the report.",
        True,
    ),
    ("He is an attorney in Boston.", "He is a lawyer in Boston.", "He is a lawyer in Boston.", True),
    (
        "She has a job at the bank.",
        "She has an occupation at the bank.",
        "She has an occupation at the bank.",
        False,
    ),
    (
        "The doctor gave her a response.",
        "The doctor gave her an answer.",
        "The doctor gave her an answer.",
        True,
    ),
    ("He made an effort to help.", "He made a try to help.", "He made a try to help.", False),
    (
        "A film about the war was shown.",
        "A movie about the war was shown.",
        "A movie about the war was shown.",
        True,
    ),
    ("The police were called at once.", "The police was called at once.", "", True),
    ("The people have decided.", "The public has decided.", "", True),
    ("Two buses were late.", "The bus was late.", "", True),
    (
        "The children are playing outside.",
        "The kids play outside.",
        "The kids are playing outside.",
        True,
    ),
    ("The child is asleep.", "The kids are asleep.", "", True),
    ("Many houses were destroyed.", "A home was destroyed.", "", True),
    ("He begins work at nine.", "They start work at nine.", "", True),
    ("They begin work at nine.", "He starts work at nine.", "", True),
    ("She has begun to sing.", "She started to sing.", "She has started to sing.", True),
    ("She began to sing.", "She has started to sing.", "She started to sing.", True),
    ("He speaks slowly.", "He talks slowly.", "He talks slowly.", True),
    ("They have spoken to us.", "They talked to us.", "They have talked to us.", True),
    ("We do not want to go.", "We make no want.", "", True),
    ("He has a large garden.", "He gets a big garden.", "He has a big garden.", True),
    ("They are happy to have you.", "They take you happily.", "", True),
    ("I was in Paris.", "I were in Paris.", "", True),
    (
        "The talks will take place in June.",
        "Far from home the talks are in June.",
        "The talks will take home in June.",
        False,
    ),
    ("Pundits point out that prices fell.", "Pundits indicate that prices fell.", "", True),
    ("They drew up a contract.", "They made a contract.", "", True),
    ("Please turn off the radio.", "Please switch off the radio.", "", True),
    ("He gave up smoking.", "He quit smoking.", "", True),
    ("She thought of her mother.", "She considered her mother.", "", True),
    ("Lamb told police he had shot her.", "Lamb said he had shot her.", "", True),
    (
        "The minister stated that taxes will rise.",
        "The minister said that taxes will rise.",
        "The minister said that taxes will rise.",
        True,
    ),
    ("The minister said that taxes will rise.", "The minister told us taxes will rise.", "", True),
    ("Great Britain left the union.", "The UK left the union.", "", True),
    ("Holland won the match.", "The Netherlands won the match.", "", True),
    ("Mr Smith is here.", "Mr. Smith is here.", "Mr. Smith is here.", True),
    ("The company is known for its goods.", "The company is known for its product.", "", True),
    ("His trousers are new.", "His pants are new.", "His pants are new.", True),
    ("The news is good.", "The tidings are good.", "", True),
    ("This series is long.", "These serials are long.", "", True),
    ("It is difficult to say.", "It is hard to say.", "It is hard to say.", True),
    ("The exam was hard.", "The exam was difficult.", "The exam was difficult.", True),
    ("He works hard.", "He works difficult.", "", True),
    ("They sing well.", "They sing good.", "", True),
    ("She also sings.", "She sings too.", "", True),
    ("He is still here.", "He is not here yet.", "", True),
    ("It happened in an hour.", "It occurred within one hour.", "", True),
    ("We saw an old picture.", "We saw an old image.", "We saw an old image.", True),
    ("He wore a unique uniform.", "He wore an alone uniform.", "He wore an alone uniform.", False),
    ("An unusual event occurred.", "A strange event happened.", "A strange event happened.", True),
    ("She is a European leader.", "She is an European leader.", "", True),
    ("He bought an apartment downtown.", "He bought a flat downtown.", "", True),
    ("The apartment is small.", "The flat is little.", "The apartment is little.", True),
    ("A huge crowd came.", "An enormous crowd came.", "", True),
    (
        "He answered an urgent call.",
        "He replied to a pressing call.",
        "He answered a pressing call.",
        False,
    ),
    ("The biggest city is Tokyo.", "The largest city is Tokyo.", "The largest city is Tokyo.", True),
    ("They are bigger than us.", "They are larger than us.", "They are larger than us.", True),
    (
        "She quickly left the room.",
        "She rapidly departed the room.",
        "She rapidly departed the room.",
        True,
    ),
    ("They sell cheap shoes.", "They sell inexpensive shoes.", "They sell inexpensive shoes.", True),
    ("The police officer left.", "The policeman left.", "", True),
    (
        "She is an heir to the throne.",
        "She is an inheritor to the throne.",
        "She is an inheritor to the throne.",
        True,
    ),
]


def test_there_are_at_least_sixty() -> None:
    assert len(EXPECTED) >= 60
    assert len({reference for reference, *_ in EXPECTED}) == len(EXPECTED)


@pytest.mark.parametrize(("reference", "output", "rewritten", "accepted"), EXPECTED)
def test_what_is_rewritten_agrees(reference: str, output: str, rewritten: str, accepted: bool) -> None:
    proposed = rewrite([reference], [output], "wordnet").references[0]
    assert proposed == [rewritten or reference]
    chosen = rewrite([reference], [output]).references[0]
    assert chosen == (proposed if accepted else [reference])
