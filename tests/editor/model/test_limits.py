"""Limits and defaults of the model, each in the unit that it is thought of in: a slip of a digit is noticed."""

from types import ModuleType

import pytest

from editor.model import (
    autokey,
    bone_names,
    clipboard,
    codec,
    codec_tracks,
    commands,
    compile_compare,
    compile_work,
    edit_jobs,
    file_lock,
    file_state,
    history,
    journal,
    journal_file,
    journal_lock,
    leftovers,
    logs,
    playback,
    preferences,
    read_ahead,
    recovery,
    time_axis,
)
from editor.model.blocking import STEPS
from editor.model.preferences import RANGES, Preferences
from editor.model.switches import DEFAULTS as SWITCHES
from editor.model.tangent_modes import MODES

MS, MINUTE, HOUR = 1e-3, 60.0, 3600.0
KIB, MIB, GIB = 1024, 1024**2, 1024**3
MILLION = 10**6


@pytest.mark.parametrize(
    ("module", "limits"),
    [
        (autokey, {"AT_ONCE": MILLION // 2}),
        (bone_names, {"ENOUGH": 0.6, "FEWEST": 4, "SEPARATORS": ":|_-. "}),
        (clipboard, {"MAX_TEXT": 64 * MIB, "MOST_SECONDS": 10.0 * MILLION, "MOST_VALUE": 1e3 * MILLION}),
        (clipboard, {"PIECE": 1000, "MAX_COPIED": MILLION // 4}),
        (codec, {"MAX_CONSTANT": 20 * MILLION, "MAX_DEPTH": 60}),
        (codec_tracks, {"FEW": 8, "MAX_FILLED": 20 * MILLION}),
        (commands, {"PIECE": 300}),
        (compile_compare, {"FACTORS": (1.0, 10.0, 100.0, 1000.0)}),
        (compile_work, {"CHUNK": 512}),
        (edit_jobs, {"GRACE": 80 * MS}),
        (file_lock, {"RENEW_EVERY": MINUTE, "STALE_AFTER": 15 * MINUTE, "FRESH": 10.0, "LARGEST": 4 * KIB}),
        (file_state, {"CHUNK": MIB, "TRIES": 3}),
        (history, {"MAX_STEPS": 5000, "MAX_BYTES": 512 * MIB, "AT_ONCE": 300, "LATER": 10, "WAITING": 6}),
        (journal, {"SYNC_WITHIN": 50 * MS, "RETRY_AFTER": 1.0, "TOGETHER": 64 * KIB}),
        (journal_file, {"MAX_FILE": 8 * GIB, "MAX_META": MIB, "WINDOW": MIB}),
        (journal_file, {"ASSET_DEPTH": 7, "KINDS_AT_ONCE": 2000, "HEAD_SIZE": 4 + 8 + 3 * 4 + 4}),
        (journal_lock, {"LONGEST": 10.0}),
        (leftovers, {"DAY": 24 * HOUR, "HOUR": HOUR}),
        (logs, {"LARGEST": MILLION, "KEPT": 2}),
        (playback, {"MIN_SPEED": 0.1, "MAX_SPEED": 4.0}),
        (preferences, {"MAX_RECENT": 12, "MAX_USED": 24, "MOST_BYTES": 16 * MIB}),
        (read_ahead, {"LOOK": 50 * MS}),
        (recovery, {"LATEST": 1e11, "BACK": 20, "LONGEST_LABEL": 200}),
        (time_axis, {"MAX_PIXELS_PER_FRAME": 160.0, "MIN_PIXELS_PER_SECOND": 1e-3}),
        (time_axis, {"LABEL_GAP": 10.0, "MINOR_GAP": 5.0}),
    ],
    ids=lambda value: value.__name__.rpartition(".")[2] if isinstance(value, ModuleType) else "",
)
def test_limits_are_what_they_are_meant_to_be(module: ModuleType, limits: dict[str, object]) -> None:
    assert {name: getattr(module, name) for name in limits} == limits


def test_a_new_user_finds_these_switches_on() -> None:
    on = {name for name, value in SWITCHES.items() if value}
    shown = {
        "mesh",
        "bones",
        "grid",
        "alignment",
        "shadow",
        "transition_ghosts",
        "heads_up",
        "safe_frame",
        "shot",
    }
    helping = {"short_names", "snap", "snap_keys", "snap_markers", "overview", "fit_curves"}
    heard = {"scrub_sound", "sound", "reference"}
    assert on == shown | helping | heard


def test_a_new_user_finds_these_preferences(tmp_path) -> None:
    kept = Preferences(tmp_path)
    numbers = {
        "scale": 1.0,
        "tolerance_translate": 0.1 * MS,
        "tolerance_rotate": 0.01,
        "tolerance_scale": 0.1 * MS,
        "backups": 5,
        "undo_megabytes": 512,
        "timing_frames": 1,
        "blocking_frames": 0,
        "space_frames": 0,
        "path_frames": 8,
    }
    assert {name: kept.get(name) for name in numbers} == numbers
    on = {name for name, value in preferences.DEFAULTS.items() if value is True}
    assert on == {"auto_key", "snap_to_frames", "in_place", "plant_feet"}
    words = (
        "theme",
        "time_unit",
        "play_mode",
        "loop_mode",
        "key_places",
        "auto_ends",
        "timing_mode",
        "new_tangents",
    )
    chosen = ("dark", "frames", "real_time", "loop", "own", "one_sided", "tween", "curve")
    assert tuple(kept.get(name) for name in words) == chosen
    empty = ("language", "layout", "geometry", "last_folder")
    assert {kept.get(name) for name in empty} == {""} and kept.get("key_preset") == "default"
    assert kept.get("recent") == kept.get("used_actions") == [] and kept.get("shortcuts") == {}


def test_ranges_of_preferences_hold_their_defaults_inside() -> None:
    assert {name: (low, high) for name, (low, high) in RANGES.items() if "tolerance" not in name} == {
        "scale": (0.5, 4.0),
        "backups": (0, 1000),
        "undo_megabytes": (1, MILLION),
        "timing_frames": (1, 1000),
        "space_frames": (0, MILLION // 10),
        "path_frames": (0, 1000),
    }
    tolerances = [RANGES[f"tolerance_{name}"] for name in ("translate", "rotate", "scale")]
    assert tolerances == [(0.0, 1000.0), (0.0, 360.0), (0.0, 1000.0)]


def test_poses_are_held_on_twos_threes_and_fours() -> None:
    assert list(STEPS) == [0, 2, 3, 4] and [STEPS[n] for n in (2, 3, 4)] == [f"On {n}s" for n in (2, 3, 4)]


def test_modes_of_tangents_look_different_where_they_can_be_told_apart_by_their_glyph() -> None:
    glyphs = {look.title: look.glyph for look in MODES.values()}
    assert glyphs["Auto"] == glyphs["Clamped"] == "diamond"
    assert len(set(glyphs.values())) == len(glyphs) - 1
    assert {look.title: look.key for look in MODES.values() if not look.key} == {"Broken": 0}
