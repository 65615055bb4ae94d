"""How a compiled clip is laid out for the kernel that plays it: one integer buffer, one float buffer.

No numba here: what opens compiled clips must not wait for it. Like `kernel_layout`: moving tracks stand in blocks of
lanes that hold the polynomials of their current segments, in three kinds: rotations on chords, rotations of three
cubic components, and single numbers. The packed words, the ticks of the keys and the axis stay where they are, at
addresses whose arrays the player keeps.
"""

LANES = 8
ANY = 4
"""`T_DROPPED` where each key tells what it leaves out."""
LINEAR_ROTATION, CUBIC_ROTATION, SCALAR_LINEAR, SCALAR_CUBIC = 0, 1, 2, 3
LINEAR_BLOCK = 13 * LANES
"""Start; values and rates of four components; the four results."""
CUBIC_BLOCK = 17 * LANES
"""Start; four powers of each of three components; their results and the fourth's."""
SCALAR_BLOCK = 6 * LANES
"""Start, four powers, the result."""

# integers: header
N_TRACKS, N_TRACKS_AT, N_RANGES_AT, N_AXIS, N_TICKS, N_TICK = range(6)
N_LINEAR, N_CUBIC, N_SCALAR, N_LINEAR_AT, N_CUBIC_AT, N_SCALAR_AT = range(6, 12)
N_GOALS, N_POSE_AT, N_WIDTH = range(12, 15)
"""Places of the results in the floats, block after block; where the pose ``(B, 10)`` and the extras stand, how many."""
N_MANY, N_TIMES, N_OUT = range(15, 18)
"""How many poses are asked for at once, 0 for one; addresses of their times and of rows of `N_WIDTH` to write."""
N_HEADER = 18

# integers: one row a track
T_FORM, T_COMPONENTS, T_DROPPED, T_KEYS, T_TICKS, T_DATA, T_SIZE = range(7)
"""Addresses: `T_TICKS` of int32, `T_DATA` of the packed keys, each of `T_SIZE` bits."""
T_BITS, T_SLOPE_BITS, T_LANE = 7, 10, 13
"""Three of each; rotations have one lane."""
T_CURSOR, T_HELD, T_LOW, T_HIGH = range(16, 20)
"""The key where the current segment begins, the key that is unpacked, ticks from and before which the segment holds."""
T_WIDTH = 20

# floats: header; places that no lane uses write to `F_NOWHERE`
F_LOW, F_HIGH, F_NOWHERE = 0, 1, 2
F_HEADER = 8

# floats: ranges of a track, and its last unpacked key
R_LOW, R_EXTENT, R_SLOPE, R_SLOPE_STEP, R_HELD, R_SLOPES = 0, 3, 6, 9, 12, 16
R_WIDTH = 20
