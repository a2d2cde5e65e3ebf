"""Every row that is read is stored, merged or reported: nothing gets lost unseen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.errors import InputError
from quill_ls.store.database import Store
from quill_ls.store.importers.delimited import read_delimited
from quill_ls.store.importers.fortune import read_fortune
from quill_ls.store.importers.jsonl import read_jsonl
from quill_ls.store.importers.quill_json import read_quill_json
from quill_ls.store.importers.rows import EXAMPLES_KEPT, ImportReport, Row, Skipped, import_into
from quill_ls.store.records import Quotation


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store


def accounted(report: ImportReport) -> bool:
    return report.read == report.added + report.merged + report.skipped_count


def test_a_report_counts_reasons_and_shows_the_first_rows(store: Store) -> None:
    rows: list[Row] = [Skipped.of(n, "not JSON", f"line {n}") for n in range(1, 9)]
    rows += [Quotation(text="Know thyself."), Quotation(text="Know thyself!")]
    rows += [Skipped.of(11, "no words", "123")]
    report = import_into(store, rows)
    assert (report.read, report.added, report.merged) == (11, 1, 1)
    assert [(group.reason, group.count) for group in report.skipped] == [
        ("not JSON", 8),
        ("no words", 1),
    ]
    assert [row.line for row in report.skipped[0].examples] == list(range(1, EXAMPLES_KEPT + 1))


def test_a_source_that_breaks_off_leaves_the_store_as_it_was(store: Store) -> None:
    store.add([Quotation(text="Already here.")])

    def broken() -> Iterator[Row]:
        for n in range(5000):
            yield Quotation(text=f"Number {n} of many.")
        raise InputError("The disk is gone.")

    with pytest.raises(InputError, match="disk is gone"):
        import_into(store, broken())
    assert [entry.text for entry in store.quotations()] == ["Already here."]


def test_a_cancelled_import_stores_nothing(store: Store) -> None:
    token = CancelToken()

    def rows() -> Iterator[Row]:
        yield Quotation(text="The first of two.")
        token.cancel()
        yield Quotation(text="The second of two.")

    with pytest.raises(Cancelled):
        import_into(store, rows(), token)
    assert store.count() == 0


def test_long_excerpts_are_cut_to_one_line() -> None:
    skipped = Skipped.of(1, "not JSON", "a\nb " * 100)
    assert "\n" not in skipped.excerpt
    assert len(skipped.excerpt) <= 80


def jsonl_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["text", "author", "work", "year", "topics", "tier", "carried", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
lines = st.one_of(
    anything.map(jsonl_line),
    st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"])),
    st.text(min_size=4).map(lambda text: jsonl_line({"text": text, "author": "Ann"})),
)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(lines, min_size=1, max_size=12))
def test_jsonl_accounts_for_every_line(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text("{}\n" + "\n".join(lines), encoding="utf-8", newline="")
    with Store.open(tmp_path / "any.db") as store:
        before = store.count()
        report = import_into(store, read_jsonl(path))
        assert accounted(report)
        assert report.read == 1 + sum(bool(line.strip()) for line in lines)
        assert store.count() == before + report.added


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_no_text_breaks_the_other_formats(tmp_path: Path, text: str) -> None:
    path = tmp_path / "any.txt"
    path.write_text(f"words of a quotation\n{text}", encoding="utf-8", newline="")
    for read in (read_fortune, read_delimited, read_quill_json):
        # A format may say that the file is none of its own.
        with Store.open(tmp_path / "any.db") as store, suppress(InputError):
            assert accounted(import_into(store, read(path)))
