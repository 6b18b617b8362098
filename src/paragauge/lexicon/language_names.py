"""Names of languages and their tags of BCP 47 (RFC 5646), so that one language is counted as one.

People write `English`, `en`, `eng`, `en-US` or `American English`. `find_language_tag` gives all of
them the tag `en`: the primary subtag, without region and script, since sentences of one language are
paraphrases of each other whatever the region. The table has the two-letter codes of ISO 639-1 with
their three-letter codes and English names, some languages without a two-letter code, and names that
people use. A name that is not in it is a language of its own: its tag is the name in lowercase.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

# Tag, three-letter codes (the terminological one, then the bibliographic one), English name.
TABLE = """
aa aar Afar; ab abk Abkhazian; ae ave Avestan; af afr Afrikaans; ak aka Akan; am amh Amharic
an arg Aragonese; ar ara Arabic; as asm Assamese; av ava Avaric; ay aym Aymara; az aze Azerbaijani
ba bak Bashkir; be bel Belarusian; bg bul Bulgarian; bi bis Bislama; bm bam Bambara; bn ben Bengali
bo bod,tib Tibetan; br bre Breton; bs bos Bosnian; ca cat Catalan; ce che Chechen; ch cha Chamorro
co cos Corsican; cr cre Cree; cs ces,cze Czech; cu chu Church Slavic; cv chv Chuvash
cy cym,wel Welsh; da dan Danish; de deu,ger German; dv div Divehi; dz dzo Dzongkha; ee ewe Ewe
el ell,gre Greek; en eng English; eo epo Esperanto; es spa Spanish; et est Estonian
eu eus,baq Basque; fa fas,per Persian; ff ful Fulah; fi fin Finnish; fj fij Fijian; fo fao Faroese
fr fra,fre French; fy fry Western Frisian; ga gle Irish; gd gla Scottish Gaelic; gl glg Galician
gn grn Guarani; gu guj Gujarati; gv glv Manx; ha hau Hausa; he heb Hebrew; hi hin Hindi
ho hmo Hiri Motu; hr hrv Croatian; ht hat Haitian Creole; hu hun Hungarian; hy hye,arm Armenian
hz her Herero; ia ina Interlingua; id ind Indonesian; ie ile Interlingue; ig ibo Igbo
ii iii Sichuan Yi; ik ipk Inupiaq; io ido Ido; is isl,ice Icelandic; it ita Italian
iu iku Inuktitut; ja jpn Japanese; jv jav Javanese; ka kat,geo Georgian; kg kon Kongo; ki kik Kikuyu
kj kua Kuanyama; kk kaz Kazakh; kl kal Kalaallisut; km khm Khmer; kn kan Kannada; ko kor Korean
kr kau Kanuri; ks kas Kashmiri; ku kur Kurdish; kv kom Komi; kw cor Cornish; ky kir Kyrgyz
la lat Latin; lb ltz Luxembourgish; lg lug Ganda; li lim Limburgish; ln lin Lingala; lo lao Lao
lt lit Lithuanian; lu lub Luba-Katanga; lv lav Latvian; mg mlg Malagasy; mh mah Marshallese
mi mri,mao Maori; mk mkd,mac Macedonian; ml mal Malayalam; mn mon Mongolian; mr mar Marathi
ms msa,may Malay; mt mlt Maltese; my mya,bur Burmese; na nau Nauru; nb nob Norwegian Bokmål
nd nde North Ndebele; ne nep Nepali; ng ndo Ndonga; nl nld,dut Dutch; nn nno Norwegian Nynorsk
no nor Norwegian; nr nbl South Ndebele; nv nav Navajo; ny nya Chichewa; oc oci Occitan
oj oji Ojibwa; om orm Oromo; or ori Odia; os oss Ossetian; pa pan Punjabi; pi pli Pali
pl pol Polish; ps pus Pashto; pt por Portuguese; qu que Quechua; rm roh Romansh; rn run Rundi
ro ron,rum Romanian; ru rus Russian; rw kin Kinyarwanda; sa san Sanskrit; sc srd Sardinian
sd snd Sindhi; se sme Northern Sami; sg sag Sango; si sin Sinhala; sk slk,slo Slovak
sl slv Slovenian; sm smo Samoan; sn sna Shona; so som Somali; sq sqi,alb Albanian; sr srp Serbian
ss ssw Swati; st sot Southern Sotho; su sun Sundanese; sv swe Swedish; sw swa,swh Swahili
ta tam Tamil; te tel Telugu; tg tgk Tajik; th tha Thai; ti tir Tigrinya; tk tuk Turkmen
tl tgl,fil Tagalog; tn tsn Tswana; to ton Tonga; tr tur Turkish; ts tso Tsonga; tt tat Tatar
tw twi Twi; ty tah Tahitian; ug uig Uyghur; uk ukr Ukrainian; ur urd Urdu; uz uzb Uzbek
ve ven Venda; vi vie Vietnamese; vo vol Volapük; wa wln Walloon; wo wol Wolof; xh xho Xhosa
yi yid Yiddish; yo yor Yoruba; za zha Zhuang; zh zho,chi,cmn Chinese; zu zul Zulu; ast ast Asturian
ceb ceb Cebuano; haw haw Hawaiian; hmn hmn Hmong; ilo ilo Ilocano; kab kab Kabyle; mai mai Maithili
bho bho Bhojpuri; nan nan Min Nan Chinese; sco sco Scots; wuu wuu Wu Chinese; yue yue Cantonese
"""
# Other names, and old codes; a name in the language itself counts as well as an English one.
OTHER_NAMES = {
    "ar": "العربية",
    "bn": "bangla,বাংলা",
    "bs": "bosanski",
    "ca": "català,valencian",
    "cs": "čeština,česky",
    "cy": "cymraeg",
    "da": "dansk",
    "de": "deutsch",
    "el": "ελληνικά,modern greek",
    "en": "american,british,american english,british english,us english,uk english,inglés,ingles,"
    "anglais,englisch",
    "es": "español,espanol,castellano,castilian",
    "et": "eesti",
    "eu": "euskara",
    "fa": "farsi,فارسی,dari",
    "fi": "suomi",
    "fr": "français,francais",
    "ga": "gaeilge,irish gaelic",
    "gl": "galego",
    "gu": "ગુજરાતી",
    "he": "iw,עברית",
    "hi": "हिन्दी,हिंदी",
    "hr": "hrvatski",
    "ht": "haitian",
    "hu": "magyar",
    "hy": "հայերեն",
    "id": "in,bahasa indonesia",
    "is": "íslenska",
    "it": "italiano",
    "ja": "日本語",
    "jv": "jw",
    "ka": "ქართული",
    "km": "cambodian",
    "kn": "ಕನ್ನಡ",
    "ko": "한국어",
    "ky": "kirghiz",
    "lt": "lietuvių",
    "lv": "latviešu",
    "mk": "македонски",
    "ml": "മലയാളം",
    "mr": "मराठी",
    "ms": "bahasa melayu,bahasa malaysia",
    "my": "myanmar",
    "nl": "nederlands,flemish,vlaams",
    "no": "norsk,nb,nob,bokmål,norwegian bokmål,nn,nno,nynorsk,norwegian nynorsk",
    "or": "oriya",
    "pa": "panjabi,ਪੰਜਾਬੀ",
    "pl": "polski",
    "ps": "pushto",
    "pt": "português,portugues,brazilian portuguese,brazilian",
    "ro": "română,romana,mo,moldovan",
    "ru": "русский",
    "si": "sinhalese,සිංහල",
    "sk": "slovenčina,slovensky",
    "sl": "slovene,slovenščina",
    "sq": "shqip",
    "sr": "српски,srpski",
    "sv": "svenska",
    "sw": "kiswahili",
    "ta": "தமிழ்",
    "te": "తెలుగు",
    "th": "ไทย,ภาษาไทย",
    "tl": "filipino,pilipino",
    "tr": "türkçe,turkce",
    "ug": "uighur",
    "uk": "українська",
    "ur": "اردو",
    "vi": "tiếng việt",
    "yi": "ji",
    "yue": "廣東話,粵語,cantonese chinese",
    "zh": "mandarin,mandarin chinese,chinese mandarin,putonghua,中文,普通话,汉语,漢語,"
    "simplified chinese,traditional chinese",
}
# Written forms of Norwegian count as Norwegian.
MERGED = ("nb", "nn")


def find_language_tag(stated: str) -> str | None:
    """The tag of a language that somebody named or gave a code for; None if it is not known.

    >>> [find_language_tag(name) for name in ("English", "eng", "en-US", "Deutsch", "mandarin Chinese")]
    ['en', 'en', 'en', 'de', 'zh']
    >>> find_language_tag("Portuguese (Brazil)"), find_language_tag("Klingon")
    ('pt', None)
    """
    name = " ".join(unicodedata.normalize("NFC", stated).casefold().split())
    known = _tags()
    if name in known:
        return known[name]
    # "en-US", "zh_Hant"; "Portuguese (Brazil)", "English, British"
    code = re.fullmatch(r"([a-z]{2,3})([-_][a-z0-9]{2,8})+", name)
    if code:
        return known.get(code[1])
    return known.get(re.split(r" ?[(,/]", name)[0])


@lru_cache(maxsize=1 << 12)
def normalize_language(stated: str) -> str:
    """The tag of a language, or the name in lowercase if it is not known; empty if none was stated.

    >>> normalize_language("EN"), normalize_language(" Klingon "), normalize_language("")
    ('en', 'klingon', '')
    """
    return find_language_tag(stated) or " ".join(
        unicodedata.normalize("NFC", stated).casefold().split()
    )


def name_language(stated: str) -> str:
    """The English name of a language, or what was stated if it is not known.

    >>> name_language("en-GB"), name_language("deutsch"), name_language("Klingon")
    ('English', 'German', 'Klingon')
    """
    tag = find_language_tag(stated)
    return " ".join(stated.split()) if tag is None else _names()[tag]


def list_language_names() -> list[str]:
    """The English names of all languages of the table, sorted.

    >>> list_language_names()[:3]
    ['Abkhazian', 'Afar', 'Afrikaans']
    """
    return sorted(_names().values())


@cache
def _entries() -> list[tuple[str, list[str], str]]:
    entries = []
    for entry in re.split("[;\n]", TABLE.strip()):
        tag, codes, name = entry.strip().split(" ", 2)
        if tag not in MERGED:
            entries.append((tag, codes.split(","), name))
    return entries


@cache
def _names() -> dict[str, str]:
    return {tag: name for tag, _, name in _entries()}


@cache
def _tags() -> dict[str, str]:
    tags: dict[str, str] = {}
    for tag, codes, name in _entries():
        for each in (tag, *codes, name.casefold(), *OTHER_NAMES.get(tag, "").split(",")):
            if each:
                tags[unicodedata.normalize("NFC", each)] = tag
    return tags
