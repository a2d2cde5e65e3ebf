"""The composition root: the one place that names concrete classes and puts them together.

Everything is made when it is first used: a command that asks the store loads no model.
"""

from __future__ import annotations

from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING

from quill_ls.engine.renown import Renown
from quill_ls.engine.suggest import Suggester
from quill_ls.errors import ModelError, StoreError
from quill_ls.folders import default_store_path, models_folder
from quill_ls.parsing.gazetteer import Gazetteer, Work
from quill_ls.retrieval.recall import Recall
from quill_ls.scoring.cache import CachedModel
from quill_ls.scoring.models import ResolvedModel, choose, resolve
from quill_ls.settings import Settings
from quill_ls.store.authority import authorities
from quill_ls.store.database import Store

if TYPE_CHECKING:
    from quill_ls.retrieval.encoder import Encoder
    from quill_ls.scoring.llama import LlamaModel
    from quill_ls.scoring.perplexity import LanguageModel


class App:
    """Quill as one set of settings makes it. A context manager: closing it frees everything."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.notices: list[str] = []
        self._loaded: dict[str, LlamaModel] = {}
        self._models: dict[str, CachedModel] = {}

    def __enter__(self) -> App:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the models and close the store."""
        for model in self._loaded.values():
            model.close()
        self._loaded.clear()
        self._models.clear()
        if "store" in self.__dict__:
            self.store.close()

    @cached_property
    def store(self) -> Store:
        """The store that the settings name.

        Raises
        ------
        StoreError
            If there is none yet, with the hint how to make one, or it cannot be opened.
        """
        path = self.settings.store.path or default_store_path()
        if not path.exists():
            raise StoreError(f"There is no store at {path}.", "Run `quill-ls store build`.")
        return Store.open(path)

    @cached_property
    def gazetteer(self) -> Gazetteer:
        """The names of the authors that the store quotes, and of well-known works."""
        quoted = [author for author in self.store.authors() if author.quotations]
        works = [Work(title, entry.name) for entry in authorities() for title in entry.works]
        return Gazetteer(quoted, works)

    @cached_property
    def renown(self) -> Renown:
        """How well known the store's authors are."""
        return Renown(self.store.authors(), authorities())

    @cached_property
    def encoder(self) -> Encoder | None:
        """The sentence encoder, or None with a notice where it is switched off or missing."""
        name = self.settings.encoder.name
        if not name:
            return None
        from quill_ls.retrieval.encoder import SentenceEncoder

        try:
            return SentenceEncoder.load(name, self.settings.model.threads)
        except ModelError as error:
            self.notices.append(f"Recalled by words alone: {error}")
            return None

    @cached_property
    def recall(self) -> Recall:
        """Recall over the store."""
        return Recall(self.store, self.gazetteer, self.renown, self.encoder)

    @cached_property
    def suggester(self) -> Suggester:
        """The use case "suggest"."""
        return Suggester(self.store, self.recall, self.renown, self.settings, self.model)

    def resolve_model(self, language: str) -> ResolvedModel:
        """Find the model for texts in `language`: the one that is set, else the best installed.

        Raises
        ------
        ModelError
            If there is none; the hint says what to install.
        """
        name = self.settings.model.name
        return resolve(name, models_folder()) if name else choose(language, models_folder())

    def model(self, language: str) -> LanguageModel:
        """Return the model for texts in `language`, with a memory of its scores.

        See `resolve_model`.
        """
        resolved = self.resolve_model(language)
        identity = resolved.identity
        if identity not in self._models:
            from quill_ls.scoring.llama import LlamaModel

            options = self.settings.model
            loaded = self._loaded[identity] = LlamaModel(
                resolved.path,
                name=identity,
                gpu_layers=options.gpu_layers,
                threads=options.threads,
                context_tokens=options.context_tokens,
            )
            self._models[identity] = CachedModel(loaded)
        return self._models[identity]
