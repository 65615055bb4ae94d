"""What kinds of nodes, pins and parameters are called, and by what other words people look for them."""

from dataclasses import dataclass
from enum import StrEnum

from editor.model.i18n import sentence, tr


class Tone(StrEnum):
    """Families of nodes; each has a colour of its own."""

    SOURCE = "source"
    BLEND = "blend"
    BONE = "bone"
    LOGIC = "logic"
    VALUE = "value"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Named:
    """How a kind of node is shown.

    Parameters
    ----------
    words : what it is called elsewhere; the search finds it by them
    """

    title: str
    tone: Tone
    group: str
    words: str = ""


_PLAY, _MIX, _BONES = tr("Play"), tr("Blend"), tr("Bones and IK")
_LOGIC, _VALUES, _ACTIONS, _POSES = tr("State machine"), tr("Values"), tr("Actions"), tr("Poses")

NAMES: dict[str, Named] = {
    "output": Named(tr("Output"), Tone.OUTPUT, _POSES, "output pose result final root"),
    "rest": Named(tr("Rest pose"), Tone.SOURCE, _POSES, "reference pose t-pose bind identity local ref"),
    "clip": Named(tr("Clip"), Tone.SOURCE, _PLAY, "sequence player animation play motion action strip"),
    "blend_space": Named(tr("Blend space"), Tone.SOURCE, _PLAY, "blendspace player 1d 2d blend tree locomotion"),
    "snapshot": Named(tr("Pose snapshot"), Tone.SOURCE, _POSES, "saved pose ragdoll get up freeze"),
    "pose_input": Named(tr("Pose input"), Tone.SOURCE, _POSES, "input pose linked parameter post process"),
    "linked_graph": Named(tr("Linked graph"), Tone.LOGIC, _POSES, "function sub graph linked anim layer nested"),
    "blend": Named(tr("Blend"), Tone.BLEND, _MIX, "crossfade mix lerp blend2 two way"),
    "blend_many": Named(tr("Blend many"), Tone.BLEND, _MIX, "multi blend n way direct blend tree mix"),
    "blend_by_bool": Named(tr("Blend by bool"), Tone.BLEND, _MIX, "switch if select transition boolean crossfade"),
    "blend_by_int": Named(tr("Blend by int"), Tone.BLEND, _MIX, "switch select index transition crossfade"),
    "blend_by_enum": Named(tr("Blend by enum"), Tone.BLEND, _MIX, "switch select stance transition crossfade"),
    "blend_by_name": Named(tr("Blend by name"), Tone.BLEND, _MIX, "switch select transition crossfade string"),
    "layered": Named(tr("Layered blend per bone"), Tone.BLEND, _MIX, "layer mask upper body avatar filter"),
    "apply_additive": Named(tr("Apply additive"), Tone.BLEND, _MIX, "add additive layer offset lean breathing"),
    "make_additive": Named(tr("Make additive"), Tone.BLEND, _MIX, "difference subtract dynamic additive"),
    "aim_offset": Named(tr("Aim offset"), Tone.BLEND, _MIX, "aimoffset look additive weapon yaw pitch"),
    "machine": Named(tr("State machine"), Tone.LOGIC, _LOGIC, "states fsm statemachine playback animator controller"),
    "slot": Named(tr("Slot"), Tone.LOGIC, _PLAY, "montage slot one shot play"),
    "save_pose": Named(tr("Save cached pose"), Tone.VALUE, _POSES, "cache save pose share reuse"),
    "use_pose": Named(tr("Use cached pose"), Tone.VALUE, _POSES, "cache use pose share reuse"),
    "pose_asset": Named(tr("Pose asset"), Tone.BONE, _POSES, "pose driver corrective facial morph poses"),
    "inertialise": Named(tr("Inertialise"), Tone.BLEND, _MIX, "inertialization smooth dead blending"),
    "modify_curve": Named(tr("Modify curve"), Tone.VALUE, _POSES, "set curve morph target scalar"),
    "mirror": Named(tr("Mirror"), Tone.BONE, _POSES, "flip swap left right"),
    "root_motion": Named(tr("Root motion"), Tone.BONE, _POSES, "root motion in place displacement scale"),
    "ragdoll": Named(tr("Ragdoll"), Tone.BONE, _POSES, "physics simulate fall powered physical animation death hit"),
    "get_up": Named(tr("Get up"), Tone.SOURCE, _POSES, "stand up recover ragdoll pose match snapshot lying"),
    "transform_bone": Named(tr("Transform bone"), Tone.BONE, _BONES, "modify bone rotate translate scale offset"),
    "copy_bone": Named(tr("Copy bone"), Tone.BONE, _BONES, "constraint copy transforms socket"),
    "two_bone_ik": Named(tr("Two-bone IK"), Tone.BONE, _BONES, "ik arm leg limb hand foot inverse kinematics"),
    "chain_ik": Named(tr("Chain IK"), Tone.BONE, _BONES, "ik fabrik ccd spline spine tail inverse kinematics"),
    "look_at": Named(tr("Look at"), Tone.BONE, _BONES, "aim head eyes track constraint lookat"),
    "foot_placement": Named(tr("Foot placement"), Tone.BONE, _BONES, "foot ik ground stairs plant leg terrain"),
    "plant_feet": Named(tr("Plant feet"), Tone.BONE, _BONES, "foot lock ik ground stairs slide slip pelvis terrain"),
    "stride_warp": Named(tr("Stride warp"), Tone.BONE, _BONES, "stride warping orientation warping steps speed legs"),
    "expression": Named(tr("Expression"), Tone.VALUE, _VALUES, "math formula calculate driver code"),
    "function": Named(tr("Function"), Tone.VALUE, _VALUES, "math operator node"),
    "get": Named(tr("Variable"), Tone.VALUE, _VALUES, "get parameter variable property input"),
    "on_start": Named(tr("On start"), Tone.LOGIC, _ACTIONS, "begin play initialise event ready awake"),
    "on_step": Named(tr("On step"), Tone.LOGIC, _ACTIONS, "update tick event frame process"),
    "on_event": Named(tr("On event"), Tone.LOGIC, _ACTIONS, "anim notify event listen animation event"),
    "on_changed": Named(tr("On changed"), Tone.LOGIC, _ACTIONS, "variable changed watch event"),
    "set": Named(tr("Set variable"), Tone.VALUE, _ACTIONS, "assign write variable parameter"),
    "emit_event": Named(tr("Emit event"), Tone.LOGIC, _ACTIONS, "anim notify event fire send signal call"),
    "go": Named(tr("Go to state"), Tone.LOGIC, _ACTIONS, "force state jump teleport"),
    "travel": Named(tr("Travel to state"), Tone.LOGIC, _ACTIONS, "path state travel"),
    "save_snapshot": Named(tr("Save pose snapshot"), Tone.LOGIC, _ACTIONS, "snapshot pose ragdoll"),
    "request_inertialise": Named(tr("Request inertialisation"), Tone.LOGIC, _ACTIONS, "inertialization smooth"),
    "play_montage": Named(tr("Play montage"), Tone.LOGIC, _ACTIONS, "one shot play trigger montage attack"),
    "play_clip": Named(tr("Play clip in slot"), Tone.LOGIC, _ACTIONS, "one shot play animation slot dynamic montage"),
    "stop_montage": Named(tr("Stop montage"), Tone.LOGIC, _ACTIONS, "end cancel montage"),
    "jump_montage": Named(tr("Jump to section"), Tone.LOGIC, _ACTIONS, "montage section jump"),
    "next_montage": Named(tr("Set next section"), Tone.LOGIC, _ACTIONS, "montage section next combo"),
    "pause_montage": Named(tr("Pause montage"), Tone.LOGIC, _ACTIONS, "hold freeze montage"),
    "resume_montage": Named(tr("Resume montage"), Tone.LOGIC, _ACTIONS, "continue montage"),
    "rate_montage": Named(tr("Set montage rate"), Tone.LOGIC, _ACTIONS, "speed montage play rate"),
    "state": Named(tr("State"), Tone.SOURCE, _LOGIC, "state add new animation"),
    "conduit": Named(tr("Conduit"), Tone.LOGIC, _LOGIC, "junction gate shared rule conduit"),
    "any": Named(tr("Any state"), Tone.LOGIC, _LOGIC, "alias any state wildcard global from"),
    "entry": Named(tr("Entry"), Tone.OUTPUT, _LOGIC, "start entry begin default"),
    "exit": Named(tr("Exit"), Tone.OUTPUT, _LOGIC, "end exit leave finish"),
}  # fmt: skip

PLAIN = Named("", Tone.VALUE, "")


def named(kind: str) -> Named:
    """How a kind is shown; one that is not known by its own name."""
    found = NAMES.get(kind)
    return found if found is not None else Named(kind, Tone.VALUE, "")


def spelled(name: str) -> str:
    """A pin's or parameter's name as people read it."""
    text = name.replace("_", " ")
    return sentence(text)
