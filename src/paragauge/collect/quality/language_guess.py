"""Guess the language of an answer from its script and its function words.

It needs no model and no download, and every guess can be explained: letters of a script that one
language of the table uses decide alone (Greek, Thai, Hangul ...); in the Latin, Cyrillic and Arabic
scripts the function words of each language are counted, and letters that only some of them have. A
word counts 1 / (number of languages that have it). The guess is made only if the best language has a
point and more than one and a half times the points of the next, so that short answers get none: a
hint that is wrong costs a good worker more than one that is missing. Whether an answer is *not* in the
language that was stated is easier to tell: some language must have a point, and twice those of the
stated one.

`benchmarks/papers/noise.py` prints how often it is right on Tatoeba's sentences.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache, lru_cache

from paragauge.lexicon.language_names import find_language_tag, name_language
from paragauge.text.unicode_words import words

# Script (the first word of its letters' names) -> the language that uses it most.
ONE_LANGUAGE = {
    "GREEK": "el", "HEBREW": "he", "THAI": "th", "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja",
    "CJK": "zh", "DEVANAGARI": "hi", "BENGALI": "bn", "TAMIL": "ta", "TELUGU": "te", "GUJARATI": "gu",
    "GURMUKHI": "pa", "KANNADA": "kn", "MALAYALAM": "ml", "GEORGIAN": "ka", "ARMENIAN": "hy",
    "SINHALA": "si", "KHMER": "km", "LAO": "lo", "MYANMAR": "my", "ETHIOPIC": "am",
}  # fmt: skip
# Languages that share such a script with the one above: a guess does not contradict them.
SHARED = {"hi": {"mr", "ne", "sa"}, "bn": {"as"}, "am": {"ti"}, "he": {"yi"}, "zh": {"ja"}}
FUNCTION_WORDS = {
    "en": "the a an is are was were be been of to in on and with for his her its their he she it they "
    "this that there at by from some someone what where how can i my me you your do does not have has "
    "we will would who when if all up out had did but so about t s m re ll ve could should which",
    "es": "el la los las un una unos de del que y en es está son con por para su se al no lo le como "
    "más pero sin sobre hay muy mi yo tu te me nos este esta ya cuando donde mejor",
    "fr": "le la les un une des du de et est sont dans sur avec pour par que qui ne pas il elle ils se "
    "au aux en ce cette son sa ses leur on je tu vous nous mon mais plus être c d j l m n qu a ai ça",
    "de": "der die das ein eine einen einem einer und ist sind mit auf in im den dem des zu zum von "
    "für nicht sich er sie es ich du wir ihr seine ihre auch wie wird werden über",
    "it": "il lo la i gli le un uno una di del della dei che e è sono in nel con per su non si da al "
    "alla come più ma suo sua io mi ti questo questa",
    "pt": "o a os as um uma de do da dos das que e é está são em no na com por para se não ao seu sua "
    "mais mas como eu você ele ela isso este muito",
    "nl": "de het een en is zijn van in op met voor niet aan er die dat te bij naar hij ze ik je wij "
    "haar ook maar door worden wordt over",
    "sv": "en ett och är i på med för att som det den de han hon av till inte om sig har var jag du vi "
    "sin sitt",
    "da": "en et og er i på med for at som det den de han hun af til ikke om sig har var jeg du vi sin "
    "nogle",
    "no": "en ei et og er i på med for å som det den de han hun av til ikke om seg har var jeg du vi "
    "sin noen",
    "fi": "ja on ei se hän että joka ovat oli mutta kuin myös minä sinä he nyt niin tai kun mitä",
    "pl": "i w na z do się nie to jest są że jak po za od przez dla jego jej który która ma ten ta",
    "cs": "a v na se je že s z do o to jsou po pro za jeho její který která ve ale jak když",
    "ro": "și în la cu de pe un o este sunt să nu care din pentru se lui ei mai ce al a",
    "hu": "a az egy és is nem hogy van meg ez de ki mint vagy aki csak azt el",
    "tr": "bir ve bu da de için ile çok o ne gibi var daha kadar olarak ama mi ben sen",
    "id": "yang di dan ke dari untuk dengan ini itu adalah sedang pada tidak ada seorang sebuah oleh",
    "tl": "ang ng sa na mga ay at si isang niya nila kanyang ito siya nag para hindi may",
    "vi": "là và của một có không người đang cho với trong được các này những trên",
    "sw": "na ya wa ni kwa katika za la mtu anaye yake cha hii huyu kuwa",
    "ca": "el la els les un una de del que i en és són amb per al no es seu seva",
    "hr": "i u na je se da su od za s ne to koji koja što kao ali po ima",
    "ru": "и в на не с что он она как по из за от это его её для у к но они я ты мы есть",
    "uk": "і в на не з що він вона як по із за від це його її для у до але вони я ти ми є та",
    "bg": "и в на не с че той тя като по от за това се да е са един една но до",
    "sr": "и у на је се да су од за са не то који која као али по има",
    "ar": "في من على إلى هذا هذه التي الذي أن هو هي مع كان عن ما لا يقوم و رجل",
    "fa": "و در به از که این را با است برای آن یک می او ما تا بر هم مرد",
    "ur": "ہے میں اور کے کی کا سے کو پر ہیں ایک نے یہ وہ رہا رہی بھی",
}  # fmt: skip
LETTERS = {
    "uk": "їєґ", "ru": "ыэё", "fa": "پچژگ", "ur": "ٹڈڑںے", "de": "ß", "pt": "ãõ", "es": "ñ¿¡",
    "pl": "łśźż", "tr": "ğış", "cs": "řěů", "ro": "țș", "hu": "őű", "vi": "ơưđ", "sr": "ђјљњћџ",
}  # fmt: skip
# The languages that a guess can tell from others.
TAGS = frozenset({*ONE_LANGUAGE.values(), *FUNCTION_WORDS}.union(*SHARED.values()))
SCRIPTS = (*ONE_LANGUAGE, "CYRILLIC", "ARABIC", "LATIN")
LEAD = 1.5
CLEARLY = 2


def guess_language(text: str) -> str | None:
    """The code of the language of a text, or None if it is unclear.

    >>> guess_language("A woman is slicing some tomatoes."), guess_language("Hay un perro en el mar")
    ('en', 'es')
    >>> guess_language("собака бежит, и она лает"), guess_language("犬が走る"), guess_language("ok")
    ('ru', 'ja', None)
    """
    ranked = _score_languages(text).most_common(2)
    if not ranked or ranked[0][1] < 1:
        return None
    second = ranked[1][1] if len(ranked) > 1 else 0
    return ranked[0][0] if ranked[0][1] > LEAD * second else None


def find_other_language(text: str, stated: str) -> str | None:
    """The name of the language that a text seems to be in instead of the stated one, if any.

    >>> find_other_language("Ya no te quedan balas", "English"), find_other_language("犬が走る", "en")
    ('Spanish', 'Japanese')
    >>> find_other_language("A dog is in the garden.", "English") is None
    True
    """
    code, points = find_language_tag(stated), _score_languages(text)
    if code is None or code not in TAGS or not points:
        return None
    likeliest, most = points.most_common(1)[0]
    if most < 1 or most < CLEARLY * points[code] or code in SHARED.get(likeliest, ()):
        return None
    return None if likeliest == code else name_language(likeliest)


def _score_languages(text: str) -> Counter[str]:
    """The points of each language."""
    scripts = Counter(script for character in text if (script := _find_script(character)))
    points: Counter[str] = Counter()
    if not scripts:
        return points
    main, count = scripts.most_common(1)[0]
    if main == "CJK" and scripts["HIRAGANA"] + scripts["KATAKANA"]:
        main = "HIRAGANA"
    elif count * 2 <= scripts.total():
        return points
    if main in ONE_LANGUAGE:
        points[ONE_LANGUAGE[main]] = count
        return points
    # At an apostrophe another function word may begin: c'est, l'ami, don't.
    for word in words(text.replace("'", " ").replace("’", " ")):
        owners = _owners().get(word, ())
        for owner in owners:
            points[owner] += 1 / len(owners)  # type: ignore[assignment]
    for language, letters in LETTERS.items():
        if any(letter in letters for letter in text.casefold()):
            points[language] += 1
    return points


@lru_cache(maxsize=1 << 16)
def _find_script(character: str) -> str | None:
    name = unicodedata.name(character, "") if character.isalpha() else ""
    return next((script for script in SCRIPTS if name.startswith(script)), None)


@cache
def _owners() -> dict[str, tuple[str, ...]]:
    owners: dict[str, tuple[str, ...]] = {}
    for language, listed in FUNCTION_WORDS.items():
        for word in dict.fromkeys(words(listed)):
            owners[word] = (*owners.get(word, ()), language)
    return owners
