"""The one definition of the settings.

Everything else that speaks of settings is derived from these classes: the checks of the settings
files, the pages of the documentation, the manifest of the editor extension.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from quill_ls.folders import default_store_path

Scope = Literal["machine", "project"]
"""Who may decide. A ``machine`` setting names a file, uses memory or reaches the network: a
settings file that came with a document may not change it, only the user may."""

Method = Literal[
    "blend",
    "quill",
    "quill-published",
    "ppl-m",
    "ppl-q",
    "ppl-avg",
    "similarity",
    "rank-bm25",
    "vanilla",
]
Tier = Literal["reference", "sourced", "collected", "disputed", "misattributed"]
Constants = Literal["published", "calibrated", "linear"]


@dataclass(frozen=True, slots=True)
class About:
    """What a definition tells of a setting besides its name, type and default.

    Attributes
    ----------
    description
        One or two sentences for the documentation.
    minimum, maximum
        Bounds of a number, both included, or None.
    scope
        Who may decide.
    """

    description: str
    minimum: float | None = None
    maximum: float | None = None
    scope: Scope = "project"


@dataclass(frozen=True, slots=True)
class Option:
    """One setting.

    Attributes
    ----------
    key
        Dotted name, as in the files: ``"suggest.limit"``.
    type
        Type annotation.
    default
        Value when nobody says otherwise.
    about
        The rest of its definition.
    """

    key: str
    type: Any
    default: object
    about: About


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where the quotations are."""

    path: Annotated[
        Path | None,
        About(
            "The SQLite file with the quotations. Not set: `quill.db` in the user's data folder.",
            scope="machine",
        ),
    ] = None

    @property
    def file(self) -> Path:
        """The store's file: `path`, or the one in the user's data folder."""
        return self.path or default_store_path()


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The language model that judges how well a quotation fits."""

    name: Annotated[
        str,
        About(
            "An installed model, or the path of a GGUF file. Empty: the best installed.",
            scope="machine",
        ),
    ] = ""
    gpu_layers: Annotated[
        int,
        About(
            "Layers to keep on the GPU; -1 takes as many as fit, 0 uses the CPU alone.",
            -1,
            1000,
            scope="machine",
        ),
    ] = -1
    threads: Annotated[
        int, About("CPU threads; 0 takes one per core.", 0, 1024, scope="machine")
    ] = 0
    context_tokens: Annotated[
        int,
        About(
            "Tokens that the model holds at once. More takes more memory and lets more candidates "
            "be read together.",
            256,
            131072,
            scope="machine",
        ),
    ] = 2048
    left_context_tokens: Annotated[
        int, About("Tokens of the text before the placeholder to read.", 0, 4096)
    ] = 256
    right_context_tokens: Annotated[
        int, About("Tokens of the text after the placeholder to read.", 0, 4096)
    ] = 32
    offline: Annotated[
        bool, About("Never download anything, even when asked to install a model.", scope="machine")
    ] = False


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The sentence encoder that recalls quotations by meaning."""

    name: Annotated[
        str,
        About(
            "An installed sentence encoder, or the path of its folder. Empty: words alone.",
            scope="machine",
        ),
    ] = "all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class SuggestSettings:
    """What is suggested for a placeholder."""

    limit: Annotated[int, About("Quotations to show for one placeholder.", 1, 100)] = 5
    recall: Annotated[
        int, About("Candidates to recall from the store before ranking.", 1, 2000)
    ] = 100
    rerank: Annotated[
        int,
        About(
            "How many of the recalled candidates the language model reads; 0 asks it nothing.",
            0,
            500,
        ),
    ] = 10
    method: Annotated[
        Method,
        About(
            "How candidates are ranked: by Quill's own blend, the formula of the QUILL paper, "
            "the paper's published code, the perplexity alone, or words in common."
        ),
    ] = "blend"
    novelty: Annotated[
        float,
        About("From -1, quotations that everybody knows, to +1, quotations seldom read.", -1, 1),
    ] = 0.0
    notability: Annotated[
        float, About("How much a well-known author counts; 0 not at all.", 0, 10)
    ] = 1.0
    languages: Annotated[
        tuple[str, ...],
        About("Languages to suggest in, such as `en`, `zh`, `lzh`. Empty: that of the text."),
    ] = ()
    tiers: Annotated[
        tuple[Tier, ...], About("How far an entry must be trusted to be suggested.")
    ] = ("reference", "sourced", "collected")
    attribution: Annotated[
        bool, About("Name the author when a quotation is written into the text.")
    ] = True


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """What the blend is made of."""

    relevance: Annotated[
        float, About("Weight of the nearness in meaning to the text around.", 0, 10)
    ] = 1.0
    matching: Annotated[
        float,
        About("Weight of how well the language model finds the text to go on after it.", 0, 10),
    ] = 1.0
    constants: Annotated[
        Constants,
        About(
            "Constants of the criteria: those of the QUILL paper, or those that "
            "found for the model, by `quill-ls calibrate` or by us; `linear` shows the scores of "
            "the paper's first version, 1 - PPL/50 and Novelty * 5/20."
        ),
    ] = "calibrated"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, immutable."""

    store: StoreSettings = field(default_factory=StoreSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    suggest: SuggestSettings = field(default_factory=SuggestSettings)
    ranking: RankingSettings = field(default_factory=RankingSettings)

    def items(self) -> Iterator[tuple[str, Any]]:
        """Yield every dotted key with its value, in the order of the definition."""
        for section in dataclasses.fields(self):
            values = getattr(self, section.name)
            for leaf in dataclasses.fields(values):
                yield f"{section.name}.{leaf.name}", getattr(values, leaf.name)

    def replace(self, values: dict[str, Any]) -> Settings:
        """Return a copy with other values for some dotted keys; the values are not checked."""
        sections: dict[str, dict[str, Any]] = {}
        for key, value in values.items():
            section, _, leaf = key.partition(".")
            sections.setdefault(section, {})[leaf] = value
        changed: dict[str, Any] = {
            section: dataclasses.replace(getattr(self, section), **leaves)
            for section, leaves in sections.items()
        }
        return dataclasses.replace(self, **changed)


def sections() -> dict[str, str]:
    """Return the name of every section with its description."""
    return {
        name: (section_type.__doc__ or "").strip()
        for name, section_type in typing.get_type_hints(Settings).items()
    }


def options() -> dict[str, Option]:
    """Return every setting by its dotted key, in the order of the definition."""
    found: dict[str, Option] = {}
    for section, section_type in typing.get_type_hints(Settings).items():
        annotations = typing.get_type_hints(section_type, include_extras=True)
        for leaf in dataclasses.fields(section_type):
            key = f"{section}.{leaf.name}"
            value_type, about = typing.get_args(annotations[leaf.name])
            found[key] = Option(key, value_type, leaf.default, about)
    return found
