"""Settings files in, typed values and problems out."""

from __future__ import annotations

import typing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quill_ls.errors import SettingsError
from quill_ls.settings import Settings, definition, load
from quill_ls.settings.definition import options, sections
from quill_ls.settings.values import read_value
from quill_ls.store import records


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    return folder


def write(folder: Path, text: str, name: str = ".quill.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_without_any_file(project: Path) -> None:
    loaded = load(project)
    assert loaded.settings == Settings()
    assert not loaded.problems
    assert not loaded.files


def test_each_source_overrides_the_one_before(project: Path, home: Path) -> None:
    user = write(home, "[suggest]\nlimit = 6\nrecall = 60\nrerank = 16\nnovelty = 1", "config.toml")
    workspace = write(project, "[suggest]\nlimit = 7\nrecall = 70\nrerank = 17")
    named = write(project, "[suggest]\nlimit = 8\nrecall = 80", "named.toml")

    loaded = load(project / "essay.md", named, {"suggest.limit": 9, "suggest.novelty": None})

    suggest = loaded.settings.suggest
    assert (suggest.limit, suggest.recall, suggest.rerank, suggest.novelty) == (9, 80, 17, 1.0)
    assert loaded.origins == {
        "suggest.limit": "command line",
        "suggest.recall": str(named),
        "suggest.rerank": str(workspace),
        "suggest.novelty": str(user),
    }
    assert loaded.files == (user, workspace, named)


def test_the_nearest_workspace_file_holds(project: Path) -> None:
    write(project.parent, "[suggest]\nlimit = 1")
    below = project / "chapters" / "one"
    below.mkdir(parents=True)
    assert load(below).settings.suggest.limit == 1
    write(project, "[suggest]\nlimit = 2")
    assert load(below / "essay.md").settings.suggest.limit == 2


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ("suggest.limit = 0", "suggest.limit", "must be a whole number from 1 to 100, not 0"),
        ("suggest.limit = 5.0", "suggest.limit", "must be a whole number, not 5.0"),
        ("suggest.limit = true", "suggest.limit", "must be a whole number, not true"),
        ("suggest.limit = '5'", "suggest.limit", 'must be a whole number, not "5"'),
        ("suggest.novelty = nan", "suggest.novelty", "must be a number from -1 to 1, not nan"),
        ("suggest.attribution = 1", "suggest.attribution", "must be true or false, not 1"),
        ("suggest.languages = 'en'", "suggest.languages", "must be a list, each a text"),
        ("suggest.tiers = ['good']", "suggest.tiers", 'must be one of "reference", '),
        ("suggest.method = 'best'", "suggest.method", 'must be one of "blend", '),
        ("suggest.limt = 3", "suggest.limt", "is not a setting; is suggest.limit meant?"),
        ("suggest.limit.x = 3", "suggest.limit", "must be a whole number, not a table"),
        ("suggest = 3", "suggest", "is a table: write [suggest] on a line of its own"),
        ("limit = 3", "limit", "is not a setting"),
        ("quux = {a = 1}", "quux", "is not a setting"),
    ],
)
def test_a_wrong_key_costs_only_itself(project: Path, text: str, key: str, message: str) -> None:
    file = write(project, f"ranking.matching = 2\n{text}")

    loaded = load(project)

    assert loaded.settings == Settings().replace({"ranking.matching": 2.0})
    (problem,) = loaded.problems
    assert (problem.source, problem.key) == (str(file), key)
    assert problem.message.startswith(message)


def test_a_wrong_value_leaves_the_lower_source_in_force(project: Path, home: Path) -> None:
    write(home, "suggest.limit = 6", "config.toml")
    write(project, "suggest.limit = -6")
    assert load(project).settings.suggest.limit == 6


@pytest.mark.parametrize(
    "text",
    [
        "store.path = 'evil.db'",
        "model.name = '/tmp/evil.gguf'",
        "encoder.name = 'evil'",
        "model.offline = true",
        "model.threads = 1000",
    ],
)
def test_a_file_beside_a_document_names_no_files_and_reaches_no_network(
    project: Path, home: Path, text: str
) -> None:
    write(project, text)
    loaded = load(project)
    assert loaded.settings == Settings()
    (problem,) = loaded.problems
    assert "may not be set by a file that comes with the documents" in problem.message

    write(home, text, "config.toml")
    assert load(home).settings != Settings()


def test_everything_that_names_a_path_belongs_to_the_machine() -> None:
    for option in options().values():
        if option.type == Path | None or "path" in option.about.description:
            assert option.about.scope == "machine", option.key


def test_paths_are_relative_to_their_file(project: Path) -> None:
    named = write(project, "store.path = 'quotes/mine.db'", "named.toml")
    assert load(None, named).settings.store.path == project / "quotes" / "mine.db"
    assert (
        load(None, overrides={"store.path": Path("x.db")}).settings.store.path
        == Path("x.db").absolute()
    )


def test_a_home_folder_of_nobody_is_a_problem(project: Path) -> None:
    (problem,) = load(project, overrides={"store.path": "~nobody-of-this-name/x"}).problems
    assert "there is no home folder" in problem.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[suggest\n", "is not TOML"),
        (b"a = 1\na = 2\n", "is not TOML"),
        (b"a = '\xff'\n", r"is not text in UTF-8 \(byte 5\)"),
    ],
)
def test_a_file_that_is_no_settings_file(project: Path, content: bytes, message: str) -> None:
    (project / ".quill.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=message):
        load(project)


def test_a_named_file_must_exist(project: Path) -> None:
    with pytest.raises(SettingsError, match=r"There is no settings file .*absent\.toml"):
        load(project, project / "absent.toml")


def test_a_byte_order_mark_is_no_error(project: Path) -> None:
    (project / ".quill.toml").write_bytes(b"\xef\xbb\xbf[suggest]\r\nlimit = 3\r\n")
    assert load(project).settings.suggest.limit == 3


def test_every_default_is_a_value_that_the_setting_takes(tmp_path: Path) -> None:
    for option in options().values():
        assert read_value(option, option.default, tmp_path) == option.default


def test_every_setting_is_described() -> None:
    assert all(sections().values())
    for option in options().values():
        assert option.about.description.endswith("."), option.key


def test_tiers_are_those_of_the_store() -> None:
    # Settings stand beside the store, so neither may import the other.
    assert typing.get_args(definition.Tier) == records.TIERS


toml_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(options())) | st.text(), toml_like, max_size=5))
def test_no_value_whatever_breaks_loading(values: dict[str, object]) -> None:
    loaded = load(Path("/"), overrides=values)
    refused = {problem.key for problem in loaded.problems}
    given_keys = {key for key, value in values.items() if value is not None}
    assert refused | loaded.origins.keys() == given_keys
    assert refused.isdisjoint(loaded.origins)
