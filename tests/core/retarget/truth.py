"""What a person finds in the rigs at hand: chain → bones of the source, read off names and pictures."""

from core.retarget.chain_map import ChainMap

Chains = dict[str, tuple[str, ...]]
FINGERS = ("thumb", "index", "middle", "ring", "pinky")


def body(sided: dict[str, tuple[str, ...]], **middle: tuple[str, ...]) -> Chains:
    """Chains of a body; in sided names ``{S}`` stands for Left and Right, ``{I}`` L and R, ``{i}`` l and r."""
    found = dict(middle)
    for word, letter in (("Left", "L"), ("Right", "R")):
        for chain, names in sided.items():
            found[f"{word.lower()} {chain}"] = tuple(
                n.format(S=word, I=letter, i=letter.lower()) for n in names
            )
    return found


def _limbs(collar: str, arm: str, elbow: str, hand: str, leg: str, knee: str, foot: str, toe: str) -> Chains:
    return {
        "clavicle": (collar,), "arm": (arm, elbow), "hand": (hand,), "leg": (leg, knee), "foot": (foot,),
        "toe": (toe,),
    }  # fmt: skip


def _three(name: str) -> Chains:
    return {finger: tuple(name.format(finger.title(), n) for n in (1, 2, 3)) for finger in FINGERS}


PLAIN = _limbs(
    "{S}Shoulder", "{S}Arm", "{S}ForeArm", "{S}Hand", "{S}UpLeg", "{S}Leg", "{S}Foot", "{S}ToeBase"
)
FOUR = ("Spine", "Spine1", "Spine2", "Spine3")
EVEN = body(PLAIN, hips=("Hips",), spine=FOUR, neck=("Neck", "Neck1"), head=("Head",))
PAB = body(
    PLAIN | _three("{{S}}Hand{0}{1}") | {"toe": ("{S}FootThumb1",)},
    hips=("Hips", "Pelvis"), spine=FOUR, neck=("Neck",), head=("Head",),
) | {
    "left hand": ("Lefthand",), "left pinky": tuple(f"LeftHandRingPinky{n}" for n in (1, 2, 3)),
}  # fmt: skip
KAYKIT = body(
    {
        "arm": ("upperarm.{i}", "lowerarm.{i}"), "hand": ("wrist.{i}",), "toe": ("toes.{i}",),
        "leg": ("upperleg.{i}", "lowerleg.{i}"), "foot": ("foot.{i}",),
    },
    root=("root",), hips=("hips",), spine=("spine", "chest"), head=("head",),
)  # fmt: skip


def _robot(dot: str) -> Chains:
    return body(
        {
            "clavicle": (f"Shoulder{dot}{{I}}",), "arm": (f"UpperArm{dot}{{I}}", f"LowerArm{dot}{{I}}"),
            "hand": (f"Palm2{dot}{{I}}",), "leg": (f"UpperLeg{dot}{{I}}", f"LowerLeg{dot}{{I}}"),
            "thumb": (f"Thumb{dot}{{I}}", f"Thumb2{dot}{{I}}"),
            "index": (f"Index{dot}{{I}}", f"Index2{dot}{{I}}"),
            "middle": (f"Middle1{dot}{{I}}", f"Middle2{dot}{{I}}"),
            "ring": (f"Ring1{dot}{{I}}", f"Ring2{dot}{{I}}"),
        },
        hips=("Hips",), spine=("Abdomen", "Torso"), neck=("Neck",), head=("Head",),
    )  # fmt: skip


ROBOT = _robot(".") | {"root": ("RobotArmature",)}

HUMANOIDS: dict[str, Chains] = {
    "bvh/cmu_01_01.bvh": body(
        PLAIN | {"thumb": ("{I}Thumb",)},
        hips=("Hips",), spine=("LowerBack", "Spine", "Spine1"), neck=("Neck", "Neck1"), head=("Head",),
    ),
    "bvh/cmu_jumping_jacks.bvh": body(
        _limbs(
            "{S}Collar", "{S}Shoulder", "{S}Elbow", "{S}Wrist", "{S}Hip", "{S}Knee", "{S}Ankle", "{S}Toe"
        ) | {"thumb": ("{I}Thumb",)},
        hips=("Hips",), spine=("lowerback", "Chest", "Chest2"), neck=("lowerneck", "Neck"), head=("Head",),
    ),
    "bvh/fair1_dab.bvh": body(
        PLAIN | {"thumb": ("{S}HandThumb1",)}, hips=("Hips",), spine=FOUR, neck=("Neck",), head=("Head",)
    ),
    "bvh/pybvh_example.bvh": EVEN,
    "bvh/standard_skeleton_1frame.bvh": EVEN,
    "bvh/rokoko_jesse_dance.bvh": body(
        PLAIN | _three("{{S}}Hand{0}{1}"),
        hips=("Hips",), spine=FOUR[:3], neck=("Neck",), head=("Head",),
    ),
    "fbx/maya_kenney_character_7700_binary.fbx": body(
        PLAIN | {
            "toe": ("{S}Toes",), "thumb": ("{S}HandThumb1", "{S}HandThumb2"),
            "index": ("{S}HandIndex1", "{S}HandIndex2", "{S}HandIndex3"),
        },
        root=("Root",), hips=("Hips",), spine=("Spine", "Chest", "UpperChest"), neck=("Neck",), head=("Head",),
    ),
    "fbx/pab_jog.fbx": PAB,
    "fbx/pab_arnaud_skin.fbx": PAB,
    "gltf/KayKit_Med_MovementBasic.glb": KAYKIT,
    "gltf/manny_med_mod.gltf": KAYKIT,
    "gltf/CesiumMan.gltf": {
        "hips": ("node_2",), "spine": ("node_11", "node_12"), "neck": ("node_19",), "head": ("node_20",),
        "left arm": ("node_13", "node_14"), "left hand": ("node_15",),
        "right arm": ("node_16", "node_17"), "right hand": ("node_18",),
        "left leg": ("node_3", "node_4"), "left foot": ("node_5",), "left toe": ("node_6",),
        "right leg": ("node_7", "node_8"), "right foot": ("node_9",), "right toe": ("node_10",),
    },
    "gltf/RobotExpressive.glb": ROBOT,
    "clients/blender501_Robot_Walking.glb": ROBOT,
    "clients/blender501_Robot_Walking.fbx": ROBOT,
    "clients/blender501_Robot_Walking.bvh": _robot("."),
    "clients/blender501_Robot_Walking.usdc": _robot("_"),
}  # fmt: skip
"""Every rig with a body on two legs."""

IN_PART: dict[str, Chains] = {
    "bvh/rotation_first_root.bvh": {"hips": ("Hips",), "spine": ("Spine",), "head": ("Head",)},
    "gltf/test.vrma": {"hips": ("hips",), "spine": ("spine", "chest")},
}
"""Rigs that hold a trunk and not much else."""

QUADRUPEDS = (
    "gltf/Fox.glb",
    "clients/three187_Fox.glb",
    "clients/blender501_Fox_Run.glb",
    "clients/blender501_Fox_Run.fbx",
    "clients/blender501_Fox_Run.bvh",
    "clients/blender501_Fox_Run.usda",
)


def wrong(found: ChainMap, truth: Chains) -> list[str]:
    """Chains of a map that a person would not make so, and those that it lacks."""
    made = {pair.name: pair.source for pair in found.chains}
    odd = [f"{name}: {', '.join(bones)}" for name, bones in made.items() if truth.get(name) != bones]
    return odd + [f"{name}: missing" for name in truth if name not in made]
