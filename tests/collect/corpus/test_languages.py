"""Languages are one idea: however a worker names a language, all counts and exports agree about it."""

from __future__ import annotations

import pytest

from paragauge.collect.campaigns import campaigns, memberships
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, TierSettings
from paragauge.collect.corpus.campaign_answers import StoredClusters
from paragauge.collect.corpus.campaign_export import ExportSettings, export
from paragauge.collect.corpus.clusters import Sentence, SentenceFilter
from paragauge.collect.corpus.corpus_import import import_corpus
from paragauge.collect.quality.language_grants import grant_for_language
from paragauge.collect.statistics.campaign_statistics import compute_statistics
from paragauge.collect.statistics.tier_table import list_languages
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.answers import Answer
from paragauge.collect.tasks.tasks_left import explain_useless_grant
from paragauge.errors import SettingError

STATED = ("English", "en", "eng", "EN-us", "American English", " english ")
ROWS = [Sentence("v1", f"a dog runs {n}", 2, name, f"w{n}") for n, name in enumerate(STATED)]
ROWS += [
    Sentence("v1", "ein Hund läuft", 2, "Deutsch", "w7"),
    Sentence("v1", "der Hund", 2, "de", "w8"),
]
ROWS += [Sentence("v2", "it rains", 2, "en-GB", "w1"), Sentence("v2", "il pleut", 2, "fr", "w9")]


@pytest.fixture
def mixed(any_store):
    """A campaign with sentences in three languages under ten names."""
    tiers = {1: TierSettings(1, 9), 2: TierSettings(5, 9)}
    settings = CampaignSettings(kind="describe", title="T", tiers=tiers, budget_cents=10_000)
    campaign = campaigns.create(any_store, settings, "c", "ada")
    import_corpus(any_store, campaign, ROWS, "ada")
    return campaign


def export_text(store, campaign, path, what, **settings):
    counts = export(store, campaign, path, ExportSettings(what, **settings))
    return counts, path.read_text(encoding="utf-8") if path.is_file() else ""


def test_dashboard_and_exports_count_a_language_alike(any_store, mixed, tmp_path):
    figures = compute_statistics(any_store, mixed, "english")
    assert figures.corpus.answers == 7
    assert list_languages(any_store, mixed) == [
        ("en", "English", 7),
        ("de", "German", 2),
        ("fr", "French", 1),
    ]
    for name in ("English", "eng", "en"):
        chosen = SentenceFilter(languages=frozenset({name}))
        counts, _ = export_text(
            any_store, mixed, tmp_path / "c.tsv", "clusters", sentence_filter=chosen
        )
        assert counts.sentences == 7
    assert len(list(submissions.stream(any_store, mixed, language="ENG"))) == 7


@pytest.mark.parametrize("what", ["clusters", "pairs", "test"])
def test_languages_are_mixed_only_if_asked(any_store, mixed, tmp_path, what):
    expected = r"in 3 languages \(English 7, German 2, French 1\); choose one"
    with pytest.raises(SettingError, match=expected):
        export_text(any_store, mixed, tmp_path / "a.tsv", what)
    assert not (tmp_path / "a.tsv").exists()
    counts, text = export_text(any_store, mixed, tmp_path / "a.tsv", what, mixed_languages=True)
    assert counts.sentences == 10
    assert "ein Hund" in text


def test_one_language_under_several_names_is_not_a_mixture(any_store, mixed, tmp_path):
    filtered = SentenceFilter(languages=frozenset({"de"}))
    counts, text = export_text(any_store, mixed, tmp_path / "a.tsv", "pairs", sentence_filter=filtered)
    assert counts.rows == 2
    assert "der Hund\tein Hund läuft" in text


def test_pairs_across_languages(any_store, mixed, tmp_path):
    path = tmp_path / "t.tsv"
    counts, text = export_text(
        any_store, mixed, path, "translations", parallel=None, direction=("English", "ger")
    )
    # Six English and two German sentences about v1; v2 has no German one.
    assert (counts.items, counts.sentences, counts.rows) == (1, 8, 12)
    assert text.splitlines()[0] == "item\tsource_language\ttarget_language\tsource\ttarget"
    assert {tuple(line.split("\t")[:3]) for line in text.splitlines()[1:]} == {("v1", "en", "de")}
    back, _ = export_text(any_store, mixed, path, "translations", parallel=1, direction=("de", "en"))
    assert back.rows == 2
    every, text = export_text(any_store, mixed, path, "translations", parallel=None)
    assert every.rows == 13
    assert "v2\ten\tfr\tit rains\til pleut" in text
    folder = tmp_path / "plain"
    export_text(any_store, mixed, folder, "translations", plain=True, direction=("de", "en"))
    assert (folder / "source.txt").read_text().splitlines() == ["ein Hund läuft", "der Hund"]


@pytest.mark.parametrize("wrong", [("en",), ("en", "English"), ("en", "de", "fr")])
def test_a_direction_has_two_languages(any_store, mixed, tmp_path, wrong):
    with pytest.raises(SettingError, match="no or two different languages"):
        export_text(any_store, mixed, tmp_path / "t.tsv", "translations", direction=wrong)


def test_sentences_keep_the_names_that_workers_gave(any_store, mixed, tmp_path):
    _, text = export_text(any_store, mixed, tmp_path / "s.tsv", "sentences")
    assert "\tDeutsch\t" in text
    kept = {s.language for cluster in StoredClusters(any_store, mixed) for s in cluster.sentences}
    assert {"EN-us", "American English"} <= kept


def test_a_chosen_language_may_be_named_otherwise(store, describe, worker_in):
    campaign, worker = describe(store, 1, languages=("English", "Deutsch")), worker_in(store)
    task = assignments.next_assignment(store, campaign, worker)
    submissions.submit(store, task, worker, Answer("Ein Hund.", "german"))
    [row] = submissions.stream(store)
    assert row.language == "Deutsch"


def send(store, campaign, worker, text, language):
    task = assignments.next_assignment(store, campaign, worker, 1)
    answer = Answer(text, language)
    submissions.submit(store, task, worker, answer)
    return grant_for_language(store, campaign, worker, answer)


def test_who_writes_in_another_language_is_granted_tier_2(store, describe, worker_in):
    campaign = describe(store, main_language="en-US")
    english, german, pretender, refused = (worker_in(store) for _ in range(4))
    assert not send(store, campaign, english, "A dog is in the garden.", "English")
    assert send(store, campaign, german, "Ein Hund ist im Garten.", "de")
    assert not send(store, campaign, pretender, "The dog is in the garden.", "Deutsch")
    memberships.refuse(store, campaign, refused, "ada", "poor")
    assert not send(store, campaign, refused, "Der Hund ist im Garten.", "German")
    tiers = [
        memberships.get_standing(store, campaign, who).tier for who in (english, german, pretender)
    ]
    assert tiers == [1, 2, 1]
    [decision] = memberships.list_decisions(store, german)
    assert (decision.actor, decision.reason) == ("languages", "writes in German")
    # A later refusal holds: another answer does not grant the tier again.
    memberships.refuse(store, campaign, german, "ada", "not German after all")
    assert not send(store, campaign, german, "Ein Hund bellt auf der Straße.", "de")
    assert memberships.get_standing(store, campaign, german).tier == 1


def test_without_the_setting_no_language_grants_anything(store, describe, worker_in):
    campaign, worker = describe(store), worker_in(store)
    assert not send(store, campaign, worker, "Ein Hund ist im Garten.", "de")
    with pytest.raises(SettingError, match="add tier 2"):
        CampaignSettings(kind="describe", title="T", main_language="en").check_new()


def test_a_grant_after_all_items_gives_tasks(store, describe, worker_in):
    campaign, worker = describe(store, 2), worker_in(store)
    for _ in range(2):
        send(store, campaign, worker, "A dog runs.", "English")
    assert explain_useless_grant(store, memberships.get_standing(store, campaign, worker)) == ""
    memberships.grant(store, campaign, worker, "ada")
    assert isinstance(assignments.next_assignment(store, campaign, worker), assignments.Assignment)


def test_a_useless_grant_is_explained(store, describe, worker_in):
    campaign, worker = describe(store, 1, both_tiers=False), worker_in(store)
    send(store, campaign, worker, "A dog runs.", "English")
    told = explain_useless_grant(store, memberships.get_standing(store, campaign, worker))
    assert "may not do the same item in both tiers" in told
    full = describe(store, 1, "full", tiers={1: TierSettings(1, 2), 2: TierSettings(5, 0)})
    told = explain_useless_grant(store, memberships.get_standing(store, full, worker))
    assert "No item wants more answers in tier 2" in told
