# ruff: noqa: E501
"""The laws of animation graphs (spec: graph, §12), and the tests that hold them.

=====================================================================  ==============================================
law                                                                    test
=====================================================================  ==============================================
cutting a span: same states, times, events                             laws_time.cutting_a_span_gives_the_same_states_times_and_events
cutting a span: same travel where weights stand still                  laws_time.cutting_a_span_gives_the_same_travel_where_weights_stand_still
cutting a span: the cases of state machines                            machine_cases.cutting_time_in_halves_changes_nothing
cutting a span: montages                                               montages.cutting_a_span_changes_no_event_and_no_pose
run, goto, run again: same bits                                        laws_random.run_goto_run_again_gives_the_same_bits
weights of each blend sum to 1                                         laws_weights.weights_of_every_blend_sum_to_one
weights of crossfades sum to 1                                         laws_weights.weights_of_crossfades_alone_sum_to_one_until_a_state_must_freeze
by bone the weights of all leaves that are no difference sum to 1      laws_weights.weights_by_bone_of_all_leaves_sum_to_one
every node at most once a step, counted                                laws_random.every_node_is_posed_at_most_once_an_inner_step
every node at most once a step, compiled                               laws_random.the_compiled_step_visits_no_node_twice
each notify once a pass: cutting and reversal                          laws_time.each_notify_fires_once_a_pass_over_any_cutting_and_reversal
each notify once a pass: change of the leader                          laws_time.each_notify_fires_once_a_pass_whoever_leads_the_sync_group
begins are ends, enters are leaves and gones after a stop              laws_random.begins_are_ends_and_enters_are_leaves_and_gones_after_a_stop
interruption, return, inertialising: no bone jumps                     laws_weights.no_bone_jumps_at_a_switch_an_interruption_or_a_return
the switch itself: no bone jumps                                       laws_weights.switch_itself_moves_a_bone_by_its_speed_and_no_more
one player at full weight: travel is that of accumulate                laws_time.one_player_at_full_weight_travels_as_accumulate_says
a slot with nothing playing gives the bits of its source               laws_random.slot_with_nothing_playing_gives_the_bits_of_its_source
without layout the same plan hash                                      laws_random.layout_never_changes_the_plans_hash_and_a_pin_does
random graphs, inputs, steps of 0 to 10 s: finite, unit quaternions    laws_random.random_graphs_inputs_and_steps_up_to_10_s_stay_finite
kernel against twin: machines                                          laws_random.kernel_and_twin_agree_over_random_graphs_with_machines
kernel against twin: every node that has kernels                       kernel.kernel_and_twin_agree_over_random_graphs
=====================================================================  ==============================================
"""

import importlib
import re

import pytest

ROWS = re.findall(r"^(\S.*?)\s{2,}(\w+)\.(\w+)$", __doc__ or "", re.M)


def test_the_table_has_every_law():
    assert len(ROWS) == 21
    assert len({law for law, _, _ in ROWS}) == len(ROWS)


@pytest.mark.parametrize(("law", "module", "name"), ROWS, ids=[law for law, _, _ in ROWS])
def test_law_has_its_test(law, module, name):
    found = importlib.import_module(f"tests.core.graph.test_{module}")
    assert callable(getattr(found, f"test_{name}")), law
