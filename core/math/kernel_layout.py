"""How a clip is laid out for the sampling kernel: one integer buffer, one float buffer.

No numba here: what packs clips must not wait for it. Bones stand in blocks of 16 lanes; a block
holds, for each of 13 properties (`PROPERTIES`), six rows of 16: start time and four power
coefficients of the current segment, and the value; then six rows that stay: the signs of the
Euler product, whether the bone's rotation is a quaternion, and which properties move in this
block. Constant offsets inside one block of one buffer are what lets the compiler vectorise
without alias checks.
"""

LANES = 16
ROW_START, ROW_C0, ROW_C1, ROW_C2, ROW_C3, ROW_VALUE = 0, 16, 32, 48, 64, 80
SUB_BLOCK = 96
TRANSLATE, EULER, SCALE, QUATERNION = 0, 3, 6, 9
PROPERTIES = 13
SIGNS = PROPERTIES * SUB_BLOCK
SIGN_X, SIGN_Y, SIGN_Z, SIGN_W, IS_QUATERNION = 0, 16, 32, 48, 64
MOVES = 80
"""Row with one number a property: 1 where a track drives it for any bone of the block; else its values stay."""
AS_IS = 2.0
"""In place of 1 where the quaternion is the rest rotation, which keeps its very bits."""
BONE_BLOCK = (PROPERTIES + 1) * SUB_BLOCK

# integers: header
I_BONES, I_BONE_BLOCKS, I_EXTRA_BLOCKS, I_TRACKS, I_PARENTS, I_ROWS = 0, 1, 2, 3, 4, 5
I_LANES, I_EXTRAS, I_LOW, I_HIGH, I_AUX, I_LOCAL, I_MODEL, I_EXTRA_COUNT = 6, 7, 8, 9, 10, 11, 12, 13
I_HEADER = 16

# floats: header (the rest at the offsets above)
F_LOW, F_HIGH, F_LOOP, F_SPECIAL = 0, 1, 2, 3
F_HEADER = 16

# integers: one row a track. Addresses and strides are bytes.
R_LANE, R_GROUP, R_SIMPLE = 0, 1, 2
"""Place of the lane; number shared by tracks with the same key times and extrapolation; one of those below."""
R_VALUES, R_OUT, R_IN, R_KINDS, R_TIMES, R_OUT_WEIGHT, R_IN_WEIGHT = 3, 5, 7, 9, 11, 13, 15
"""Each of these is an address, followed by its stride from key to key."""
R_KIND, R_COUNT, R_BEFORE, R_AFTER, R_CURSOR = 17, 18, 19, 20, 21
R_VALUES_COLUMN, R_OUT_COLUMN, R_IN_COLUMN = 22, 23, 24
R_PLACE = 25
"""Number of the track's row in a tile of `core.math.kernel_batch`: 13 a bone, then the extras."""
R_RUN = 26
"""How many tracks from this one on are looked up and refreshed as one: those beside each other of one group and of
one kind of `SIMPLE_CUBICS` and `SIMPLE_LINES`. Of these only the first one's validity counts."""
R_WIDTH = 32

KIND_SCALAR, KIND_QUATERNION = 0, 1
SIMPLE_CUBICS, SIMPLE_LINES = 1, 2
"""Whether all segments are cubic with plain handles, or all are straight; 0: neither."""

# floats: four a track beside its lanes
AUX_FORM, AUX_A, AUX_B, AUX_C = 0, 1, 2, 3
AUX_WIDTH = 4
FORM_CUBIC, FORM_WEIGHTED, FORM_SLERP = 0.0, 1.0, 2.0
