"""Words of other programs, and what the same thing is called here: what the palette finds beside the titles."""

import difflib
from collections.abc import Iterable

from editor.model.i18n import tr

SYNONYMS: dict[str, tuple[str, ...]] = {
    "anim": ("montage", "notify", "clip", "graph"),
    "animation": ("montage", "clip", "graph"),
    "animgraph": ("graph",),
    "api": ("guide",),
    "animator": ("animation graph", "animation mode"),
    "animation blueprint": ("animation graph", "animation mode"),
    "anim instance": ("animation graph", "run"),
    "attack": ("montage",),
    "audio": ("add marker", "playblast"),
    "autokey": ("auto key",),
    "blendshape": ("morph", "curves", "timeline"),
    "blueprint": ("graph",),
    "bookmark": ("marker",),
    "branch": ("branch filter", "layers"),
    "breakdown": ("timing bar: tween", "tween"),
    "camera": ("front", "back", "left", "right", "top", "bottom", "frame selection", "frame all", "orthographic",
               "opposite side", "flip view", "follow the character"),
    "breakpoint": ("break point", "run"),
    "rewind": ("rewind", "recorded step", "run"),
    "debugger": ("why", "run"),
    "post process": ("post-process", "animation mode"),
    "parameter": ("variable",),
    "blackboard": ("variable",),
    "viewport shading": ("next shading", "clay", "flat colours"),
    "unlit": ("flat colours", "next shading"),
    "matcap": ("next shading", "clay"),
    "wireframe": ("next shading",),
    "joystick": ("play the character", "variables", "pad"),
    "gamepad": ("play the character", "variables", "pad"),
    "slow motion": ("slower motion", "faster motion"),
    "test character": ("play the character",),
    "drive": ("play the character",),
    "developer overlay": ("graphics traffic",),
    "draw calls": ("graphics traffic",),
    "statistics": ("graphics traffic",),
    "gpu": ("graphics traffic",),
    "walk": ("play the character", "root motion"),
    "motion field": ("play by motion matching",),
    "minimap": ("clip overview",),
    "scrollbar": ("clip overview",),
    "navigator": ("clip overview",),
    "work area": ("range",),
    "preview range": ("range",),
    "in point": ("set range start",),
    "out point": ("set range end",),
    "auto frame": ("fit curves",),
    "normalize view": ("fit curves", "curves: normalised"),
    "pose search": ("play by motion matching",),
    "matching": ("play by motion matching", "motion matching: weights"),
    "trajectory weight": ("motion matching: weights",),
    "feature weight": ("motion matching: weights",),
    "pose weight": ("motion matching: weights",),
    "cost bias": ("motion matching: weights",),
    "search interval": ("motion matching: weights",),
    "pose search schema": ("motion matching: weights",),
    "jump": ("play the character",),
    "locomotion": ("play the character", "controller", "terrain", "locomotion sample"),
    "sprint": ("locomotion sample",),
    "get up": ("locomotion sample",),
    "playtest": ("play the character",),
    "pie": ("play the character",),
    "game": ("play the character",),
    "stairs": ("terrain",),
    "play setup": ("play set-up",),
    "role": ("play set-up",),
    "missing clip": ("play set-up",),
    "gizmos": ("play overlay",),
    "debug draw": ("play overlay",),
    "velocity arrow": ("play overlay",),
    "contact": ("play overlay", "event lanes"),
    "slope": ("terrain",),
    "ground": ("terrain",),
    "level": ("terrain",),
    "capsule": ("play overlay",),
    "foot slip": ("play overlay", "foot trace"),
    "bake run": ("bake the run", "export the played run"),
    "third person": ("play the character",),
    "wasd": ("play the character",),
    "collapse": ("fold to function",),
    "constraint": ("pin", "virtual bone", "ik"),
    "cycle": ("looping", "loop", "start the cycle"),
    "documentation": ("guide",),
    "event": ("notify", "marker"),
    "fk": ("bake goal", "match goal"),
    "fsm": ("graph", "transition"),
    "hotkey": ("shortcuts",),
    "keyframe": ("set key", "insert key"),
    "keymap": ("shortcuts",),
    "manual": ("guide",),
    "mask": ("mask", "layers", "isolate", "lock bones"),
    "mocap": ("import", "retarget source"),
    "montages": ("montage",),
    "morph": ("morph", "curves", "timeline"),
    "notification": ("notify", "marker"),
    "notifier": ("notify", "marker"),
    "notify": ("notify", "marker", "timeline"),
    "nudge": ("nudge keys", "previous frame", "next frame", "time offset", "move"),
    "oneshot": ("montage",),
    "onion": ("ghosts", "ghosts of the transition"),
    "options": ("preferences",),
    "organise": ("tidy", "align"),
    "python": ("guide",),
    "record": ("auto key", "playblast", "record"),
    "render": ("playblast", "contact sheet"),
    "script": ("guide",),
    "section": ("montage section",),
    "storyboard": ("contact sheet",),
    "filmstrip": ("contact sheet",),
    "thumbnails": ("contact sheet",),
    "screenshot": ("playblast", "contact sheet"),
    "settings": ("preferences",),
    "shapekey": ("morph", "curves", "timeline"),
    "shortcut": ("shortcuts",),
    "slot": ("montage", "slot in the graph"),
    "sound": ("add marker", "playblast"),
    "sync": ("sync", "marker", "analyse clips", "blend space"),
    "tangent": ("tangent", "preferences"),
    "video": ("playblast",),
    "ragdoll": ("ragdoll", "bodies", "simulate"),
    "physics": ("ragdoll", "bodies", "simulate"),
    "simulation": ("simulate", "ragdoll"),
    "jiggle": ("simulate",),
    "overlap": ("cascade", "simulate"),
    "secondary motion": ("simulate",),
    "follow through": ("cascade", "simulate"),
    "dynamics": ("simulate", "ragdoll"),
    "spring": ("simulate",),
    "hair": ("simulate", "add bodies"),
    "tail": ("simulate", "add bodies"),
    "cloth": ("simulate",),
    "gravity": ("simulate",),
    "collision": ("bodies",),
    "collider": ("bodies",),
    "rigid body": ("bodies",),
    "physics asset": ("bodies",),
    "mass": ("bodies",),
    "tween machine": ("timing bar",),
    "animbot": ("timing bar", "nudge keys"),
    "ease": ("blend to ease", "tangents"),
    "favour": ("timing bar: tween",),
    "breakdowner": ("timing bar: tween",),
    "denoise": ("timing bar: smooth", "gaussian"),
    "jitter": ("timing bar: noise", "noise"),
    "drag chain": ("cascade",),
    "offset": ("cascade", "time offset", "nudge keys"),
    "on twos": ("bake on 2s",),
    "on fours": ("bake on 4s",),
    "key all channels": ("share keys",),
    "hold pose": ("align to previous key",),
    "copy previous key": ("align to previous key",),
    "retime": ("nudge keys", "insert frames", "remove frames"),
    "inbetween": ("insert frames", "remove frames", "tween"),
    "in-between": ("insert frames", "remove frames", "tween"),
    "hold frame": ("insert frames",),
    "ripple edit": ("insert frames", "remove frames"),
    "move keys": ("nudge keys",),
    "shift keys": ("nudge keys", "time offset"),
    "zoom": ("frame selection", "frame all", "fit"),
}  # fmt: skip
"""By a word, what to look for instead in titles; the best first."""

NOTES = {
    "audio": tr("Posewright has no sound. Use markers for beats."),
    "sound": tr("Posewright has no sound. Use markers for beats."),
    "cloth": tr("Posewright has no cloth. Chains of bones can be simulated to keys."),
}
"""What to say where a word names something that there is not."""


def meanings(word: str) -> tuple[str, ...]:
    """What a word (or the beginning of one, from four letters on) means here; empty where it is no synonym."""
    word = word.casefold()
    if word in SYNONYMS:
        return SYNONYMS[word]
    singular = word.removesuffix("s")
    if singular in SYNONYMS:
        return SYNONYMS[singular]
    begun = [means for known, means in SYNONYMS.items() if len(word) >= 4 and known.startswith(word)]
    return tuple(dict.fromkeys(m for means in begun for m in means))


def note(words: str) -> str:
    """What to say about words that name something there is not, or ""."""
    return next((NOTES[w] for w in words.casefold().split() if w in NOTES), "")


def near(words: str, titles: Iterable[str]) -> tuple[str, ...]:
    """Words of titles, and known synonyms, that are spelled much like words that nothing matches."""
    known = {word for title in titles for word in title.casefold().split() if len(word) > 2}
    found: list[str] = []
    for word in words.casefold().split():
        found += difflib.get_close_matches(word, sorted(known | SYNONYMS.keys()), n=3, cutoff=0.6)
    return tuple(dict.fromkeys(found))
