"""Settings: one typed definition, and the files that override its defaults."""

from quill_ls.settings.definition import (
    EncoderSettings,
    ModelSettings,
    RankingSettings,
    Settings,
    StoreSettings,
    SuggestSettings,
)
from quill_ls.settings.loading import LoadedSettings, SettingsProblem, load

__all__ = [
    "EncoderSettings",
    "LoadedSettings",
    "ModelSettings",
    "RankingSettings",
    "Settings",
    "SettingsProblem",
    "StoreSettings",
    "SuggestSettings",
    "load",
]
