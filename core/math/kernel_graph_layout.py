"""How the plan of an animation graph is laid out for its kernel (`core.math.kernel_graph`).

No numba here: what packs plans must not wait for it. The kernel works on six flat arrays:

* `p`, `q`: the plan, whole numbers and floats, which never change: a header, the rows of the ops, and tables;
* `si`, `sf`: the state of an instance (`core.graph.state`); the registers of the expressions stand at 0 of `sf`;
* `wi`, `wf`: room to work in, which nothing lasts in but caches of the sampled clips: places of results, events.

Ops are called through the addresses in their rows (`O_WEIGH` …), so that each is compiled by itself: a new op is its
functions in a file of its own, an entry in `core.math.kernel_graph.LOGIC` or `POSES`, and what `PoseOp.packed` gives.
"""

# ---------------------------------------------------------------- header of p
(
    H_OPS, H_OP_COUNT, H_BONES, H_CURVES, H_PARENTS, H_REST, H_REST_MODEL, H_ROWS, H_ROW_COUNT, H_FILLS,
    H_FILL_COUNT, H_VARIABLES, H_VARIABLE_COUNT, H_CLIPS, H_MAPS, H_MAP_VALUE, H_PLAIN_LOGIC,
    S_MEMORY, S_FLOATS, S_FLOAT_COUNT, S_PENDING, S_LAST_CURVES, S_WEIGHTS, S_RELEVANT, S_INTS, S_INT_COUNT,
    W_RELEVANT, W_LEAVING, W_SLOT, W_TAKEN, W_FLAGS, W_VISITS, W_ACTIVE, W_LIST, W_BACKUP, W_EVENTS,
    X_WEIGHTS, X_SPANS, X_STOPS, X_SHARES, X_PARTS, X_SCRATCH, X_OUT, X_BACKUP, X_EVENTS, X_BUFFERS,
    H_CARRIED, W_READY, H_AHEAD, H_GROUPS, H_GROUP_COUNT, H_ACTS, H_ACT_COUNT, H_MONTAGES, X_GIVEN,
) = range(55)  # fmt: skip
"""Places: H of tables in p (H_REST in q), S in the state, W in wi, X in wf.

What logic leaves for the poses of the same step lies together: `W_RELEVANT`, leaving and flags; `X_WEIGHTS` and the
`H_CARRIED` numbers after them. `H_AHEAD` is the first buffer of results that are made before their step's poses.
`H_ACTS` lists the registers that say whether Python has something to do after the values, and `H_MONTAGES` the places
in si that say whether a montage plays: how many there are, then each.
"""
HEADER = 64
S_STEPS = 0

# ---------------------------------------------------------------- rows of the ops
(
    O_FLOATS, O_INTS, O_POSES, O_INPUTS, O_INPUT_COUNT, O_FIRST, O_DATA, O_NUMBERS, O_MACHINE,
    O_WEIGH, O_ADVANCE, O_REMAINING, O_PERIOD, O_OFFER, O_POSE, O_WHERE, O_GROUP, O_CARRIED,
    O_MEMBER,
) = range(19)  # fmt: skip
"""Places of its state; inputs; lowest op below it; its own numbers in p and q; whether it is a machine; addresses.

`O_GROUP`: ops that read the same tracks have the same number, and `O_WHERE` tells where in them; −1 for all others.
`O_CARRIED`: place in wf of what its logic leaves for its pose. `O_MEMBER`: which kind of member of sync groups it is.
"""
OP_WIDTH = 19
CLIP_MEMBER, SPACE_MEMBER = 1, 2
PLAYS = 1
"""In place of an address of `O_OFFER`: the op is a player."""

# ---------------------------------------------------------------- results: places within a buffer of wf
# translations 3B, rotations 4B, scales 3B, curves C, present C; then the motion
MOTION = 10
"""Numbers of a root motion: translation, rotation, scale."""

# ---------------------------------------------------------------- wi and wf: what changes as the kernel works
(
    D_EVENTS, D_ROOM, D_PHASE, D_OP, D_INNER, D_BUFFERS, D_VISITS, D_PLAIN, D_STOPPED, D_STATUS, D_AHEAD, D_ACTED,
    D_GROUND, D_GIVEN, D_TERRAIN,
) = range(15)  # fmt: skip
"""`D_ACTED`: whether montages play or ops are asked to inertialise in this step; `D_GROUND`: what ground the host
gives, `D_GIVEN`: whether it gives a pose (at `X_GIVEN`)."""
GROUND_NONE, GROUND_ASKED, GROUND_MESH = range(3)
"""No ground, one that Python is asked for, or the triangles whose addresses and sizes stand at `D_TERRAIN`."""
(
    MESH_TABLE, MESH_ROWS, MESH_GRID, MESH_STARTS, MESH_START_COUNT, MESH_ITEMS, MESH_ITEM_COUNT, MESH_LARGE,
    MESH_LARGE_COUNT,
) = range(9)  # fmt: skip
"""Of a terrain's triangles (`core.terrain.mesh`): addresses of its arrays, and how long they are."""
D_HEADER = 32
VALUES, LOGIC, POSES, FINISH = range(4)
"""What comes next in an inner step."""
DONE, ASK_VALUES, ASK_LOGIC, ASK_POSE, ASK_END, ASK_ACT = range(6)
"""What the kernel gives: done, or what Python has to do before it goes on."""
ANSWERS, COMMANDED = 1, 2
"""What a step is told that Python has a part in: values of expressions, and commands to montages."""
PASSING = 2
"""In place of 1 of an op that counts in a step, but is gone at its end: it is posed only where Python asks."""
EVENT_OP, EVENT_ITEM, EVENT_LEAVING, EVENT_INNER = range(4)
EVENT_INTS = 4
EVENT_MOMENT, EVENT_WEIGHT, EVENT_ORDER = range(3)
EVENT_FLOATS = 3
Y_DT, Y_ASKED, Y_PLACE, Y_TURN, Y_LEAST, Y_ABOVE, Y_REACH = 0, 1, 2, 5, 9, 10, 11
"""Seconds; where the character stands in the world: place, rotation; of a ground of triangles the least upward part of
a normal that is stood on, from how many metres over the character's place rays go down, and how far."""
Y_HEADER = 16

# ---------------------------------------------------------------- reads: rows of what a step fills in
READ_WIDTH = 4
READ_NONE, READ_CURVE, READ_FLOAT, READ_STATE, READ_WEIGHT, READ_REMAINING, READ_INT = range(7)
VARIABLE_WIDTH = 2  # register, whether it is a trigger

# ---------------------------------------------------------------- clips
(
    C_N, C_N_SIZE, C_F, C_F_SIZE, C_LOOPS, C_EXTRAS, C_EXTRA_COUNT, C_ROOT, C_MODES, C_MODE_TABLE, C_NUMBERS,
) = range(11)  # fmt: skip
"""Buffers in wi and wf; whether it loops; curve of each extra; root motion, modes (or −1); its floats in q."""
CLIP_WIDTH = 11
N_LENGTH = 0
# root motion of a clip: whole numbers, then floats
(
    R_CHAIN, R_CHAIN_SIZE, R_N, R_N_SIZE, R_F, R_F_SIZE, R_YAW, R_NUMBERS, R_MODES, R_MODE_TABLE,
) = range(10)  # fmt: skip
T_KEPT, T_REST, T_FIRST, T_TURN, T_ANCHOR = 0, 3, 7, 14, 21

# ---------------------------------------------------------------- data of the ops
P_CLIP, P_LOOPS, P_RATE, P_NOTIFIES, P_NOTIFY_COUNT, P_LASTING, P_LASTING_COUNT = range(7)
P_MARKERS, P_MARKER_COUNT, P_MARKER_NAMES = range(7, 10)
"""Clip; notifies (in q: their times, then their thresholds) without, then those with a duration (begins, ends)."""
P_MODEL, P_BASE_CLIP, P_BASE = range(10, 13)
"""Of an additive clip: whether in model space; what it differs from: a clip and its length in q, or −1 and a pose."""
A_REGISTER, A_CURVE, A_MODEL = range(3)
"""Alpha: its register, or the curve that says it; scale and bias are its floats. Whether in model space."""
A_KEPT = 2
"""Of foot placement: how many floats it keeps."""
B_ALPHA = 0
L_COUNT, L_MODEL, L_RULE, L_MOTION, L_LAYERS = range(5)
"""Then for each layer the register of its weight and the place in q of its largest weight and those by bone."""
(
    RULE_OVERRIDE, RULE_KEEP, RULE_BLEND, RULE_NORMALISE, RULE_BASE, RULE_MAXIMUM, RULE_MINIMUM,
) = range(7)  # fmt: skip
V_CURVE, V_WAY, V_VALUE, V_RANGES = range(4)
WAY_SET, WAY_ADD, WAY_SCALE, WAY_REMAP = range(4)
MIRROR_ON, MIRROR_AXIS, MIRROR_SOURCE = range(3)
"""Then the bone that each is read from, and the curve."""

E_CHOICE, E_DEFAULT, E_COUNT, E_WIDTH, E_EASING, E_INERTIAL = range(6)
"""Of a choice of poses: register, pose of what is none, how many, shares a pose (1, or one a bone, whose factors of the
time are its floats), place of its easing as of a transition, whether it inertialises."""
N_COUNT, N_WEIGHTS = range(2)
"""Of many blended by weights: how many, then the register of each."""
I_REQUEST = 0

# ---------------------------------------------------------------- blend spaces and sync groups
(
    Z_AXES, Z_POINT, Z_RATE, Z_COUNT, Z_SAMPLES, Z_INTERVALS, Z_TIMES, Z_AXIS, Z_FIELD, Z_PLACES, Z_TABLES, Z_NUMBERS,
    Z_ALL_MOTION, Z_ALL_NOTIFIES, Z_LOOPS, Z_LASTING, Z_SPEED, Z_NAMES,
) = range(18)  # fmt: skip
"""Axes, their registers, register of the rate; samples, with clip, whether it loops, and its notifies' times; markers
(lengths, stops and rates in q, names −1 without); axes in q; kind of field, how many places it has, and its tables in
p and q; rules; how many ints its notifies have; largest change of a weight a second, in q."""
SAMPLE_WIDTH = 4
AXIS_WIDTH = 6
FIELD_ONE, FIELD_LINE, FIELD_TRIANGLES, FIELD_GRID = range(4)
FOLLOW_NONE, FOLLOW_AVERAGE, FOLLOW_LINEAR, FOLLOW_EASE, FOLLOW_SPRING = range(5)
G_MEAN, G_PLACE, G_COUNT, G_MEMBERS = range(4)
GROUP_WIDTH = 4
"""Of a sync group: whether its tempo is the mean, place in si of its leader, its members and their roles."""
ROLE_CAN_LEAD, ROLE_ALWAYS, ROLE_NEVER, ROLE_BLENDED_IN = range(4)

# ---------------------------------------------------------------- machines
M_STATES, M_STATE_COUNT, M_TRANSITIONS, M_SLOTS = range(4)
"""Rows. It carries the states' weights at the step's beginning."""
ST_ROOT, ST_EXITS, ST_EXIT_COUNT = range(3)
STATE_WIDTH = 3
(
    TR_SOURCE, TR_TARGET, TR_RULES, TR_RULE_COUNT, TR_AUTOMATIC, TR_PRIORITY, TR_INTERRUPT, TR_BY, TR_KIND,
    TR_SECONDS, TR_SHAPE, TR_WAY, TR_POWER, TR_MAP, TR_PLAYER, TR_NUMBERS, TR_PLAIN,
) = range(17)  # fmt: skip
TRANSITION_WIDTH = 17
PLAIN_POSE, PLAIN_LOGIC = 1, 2
"""What Python does while a transition runs: the machine's pose (it has a profile), or logic and pose (a sheet)."""
TN_AUTOMATIC, TN_MIN_TIME, TN_REENTRY = range(3)
INTERRUPT_NEVER, INTERRUPT_HIGHER, INTERRUPT_ALWAYS = range(3)
BY_TARGET, BY_SOURCE, BY_SOURCE_TARGET, BY_TARGET_SOURCE = range(4)
KIND_CROSSFADE, KIND_FROZEN, KIND_INERTIALISE, KIND_DEAD = range(4)
(
    EASE_LINEAR, EASE_SMOOTH, EASE_SMOOTHER, EASE_SINE, EASE_POWER, EASE_CIRCULAR, EASE_EXPONENTIAL, EASE_CURVE,
) = range(8)  # fmt: skip
WAY_IN, WAY_OUT, WAY_IN_OUT = range(3)
FROZEN, EXIT = -2, -3

# ---------------------------------------------------------------- legs
LEG_CHAIN, LEG_LENGTH, LEG_UPPER, LEG_LOWER, LEG_HIPS, LEG_ROOM = range(6)
"""Of a leg in p: its bones from the skeleton's first down to the foot and how many; places of thigh, calf and hips
among them; where in the op's room its own begins: the bones' places and rotations, then where the foot is to be."""
LEG_WIDTH = 6
LEG_POLE, LEG_HINGE, LEG_HEEL, LEG_TOE, LEG_ANKLE, LEG_REST, LEG_AXIS, LEG_CONE = 0, 3, 6, 9, 12, 13, 17, 20
"""Of a leg in q, as `core.ik.leg.Leg`."""
LEG_NUMBERS = 21
LEG_PLACED = 7
LEG_GOAL = 16
LEGS_COUNT, LEGS_ROWS, LEGS_NUMBERS, LEGS_ROOM = range(4)
"""Of all legs: how many, their rows in p, their numbers in q, and the op's room in wf."""
SW_STRIDE, SW_DIRECTION, SW_TURN, SW_HIPS, SW_LEGS, SW_SPINE, SW_SPINE_COUNT = 2, 3, 4, 5, 6, 10, 11
"""Of stride warping: registers, after those of its alpha; hips; legs; the spine's bones and how many."""
PL_HOLD, PL_FOLLOW, PL_HIPS, PL_LEGS, PL_CURVES = 2, 3, 4, 5, 9
"""Of planted feet: registers, after those of its alpha; hips; legs; of each leg its contact's curve and its own."""
PL_FREE, PL_FOOT, PL_HIPS_HALF, PL_TILT, PL_AHEAD, PL_LIMIT = range(2, 8)
"""Its floats: half-lives of a free foot, of heights of foot and hips, of the tilt; seconds ahead; the ankle's limit."""
AIM_STILL, AIM_SIZE = 18, 19
"""Of an aim offset whose samples do not move: where in wf the first one's difference is, and how long each is."""
