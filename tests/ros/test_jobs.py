"""While a cave is made: other services, other calls, cancellation and the node's end."""

import signal

from action_msgs.msg import GoalStatus
from conftest import ANSWER_S, SMALL, Client
from plume_interfaces.action import GenerateCave
from plume_interfaces.srv import Generate
from rcl_interfaces.srv import GetParameters, SetParameters
from rclpy.parameter import Parameter


def set_parameter(client: Client, name: str, value):
    """Set one parameter and give the result."""
    parameter = Parameter(name, value=value).to_parameter_msg()
    request = SetParameters.Request(parameters=[parameter])
    return client.call(SetParameters, "set_parameters", request).results[0]


def test_parameters_are_served_meanwhile(own_client: Client):
    handle, result = own_client.start_cave("big")
    values = own_client.call(
        GetParameters, "get_parameters", GetParameters.Request(names=["queue", "frame_id"])
    ).values
    assert [values[0].integer_value, values[1].string_value] == [4, "map"]
    assert not result.done()
    own_client.wait(handle.cancel_goal_async(), "cancellation")
    own_client.wait(result, "result")


def test_same_name_is_refused_and_others_queue(own_client: Client):
    assert set_parameter(own_client, "queue", 1).successful
    handle, result = own_client.start_cave("big")
    refused = own_client.generate("big")
    assert not refused.success
    assert "big" in refused.message and "earlier call" in refused.message

    waiting = own_client.call_async(
        Generate, "generate", Generate.Request(name="next", config_yaml=SMALL)
    )
    # One client's requests stay in order: `next` waits before `third` comes.
    full = own_client.generate("third")
    assert not full.success
    assert "queue" in full.message
    assert not waiting.done() and not result.done()

    own_client.wait(handle.cancel_goal_async(), "cancellation")
    own_client.wait(result, "result")
    answer = own_client.wait(waiting, "the waiting call")
    assert answer.success, answer.message
    assert own_client.plume.models() == ["next"]


def test_cancelling_leaves_nothing(own_client: Client):
    handle, result = own_client.start_cave("big")
    own_client.wait(handle.cancel_goal_async(), "cancellation")
    ended = own_client.wait(result, "result")
    assert ended.status == GoalStatus.STATUS_CANCELED
    assert ended.result.message == "cancelled"
    assert own_client.plume.models() == []
    # The name is free again, and the node serves on.
    response = own_client.generate("big")
    assert response.success, response.message


def test_a_waiting_goal_is_cancelled_at_once(own_client: Client):
    handle, result = own_client.start_cave("big")
    goal = GenerateCave.Goal(name="waiting", config_yaml=SMALL)
    waiting = own_client.wait(own_client.caves.send_goal_async(goal), "acceptance")
    own_client.wait(waiting.cancel_goal_async(), "cancellation")
    ended = own_client.wait(waiting.get_result_async(), "result")
    assert ended.status == GoalStatus.STATUS_CANCELED
    assert not result.done()
    own_client.wait(handle.cancel_goal_async(), "cancellation")
    own_client.wait(result, "result")
    assert own_client.plume.models() == []


def test_a_refused_goal_says_why(client: Client):
    goal = GenerateCave.Goal(name="a", config_yaml="skeleton: {nodes: 0}")
    client.spin_until(client.caves.server_is_ready, "action generate_cave")
    handle = client.wait(client.caves.send_goal_async(goal), "acceptance")
    ended = client.wait(handle.get_result_async(), "result")
    assert ended.status == GoalStatus.STATUS_ABORTED
    assert "nodes" in ended.result.message and "100000" in ended.result.message


def test_the_action_makes_a_cave(client: Client):
    _, result = client.start_cave("by_action", SMALL)
    ended = client.wait(result, "result")
    assert ended.status == GoalStatus.STATUS_SUCCEEDED
    assert ended.result.success, ended.result.message
    # Some run side by side and a short one may go unseen, but the first and the order hold.
    stages = client.stages()
    known = {"skeleton", "field", "surface", "terrain", "floor", "textures", "model"}
    assert set(stages) <= known
    assert stages[0] in {"skeleton", "field"} and "surface" in stages
    assert all(0 <= message.feedback.progress <= 1 for message in client.feedback)


def interrupted(client: Client, how: signal.Signals):
    """Send a signal in the middle of a cave; the node must end well and leave nothing."""
    client.start_cave("big")
    process = client.plume.process
    process.send_signal(how)
    # The node itself gives up after 1.5 s and then ends with an error.
    assert process.wait(timeout=ANSWER_S) == 0, client.plume.log.read_text()
    assert client.plume.models() == []


def test_sigint_while_making_a_cave(own_client: Client):
    interrupted(own_client, signal.SIGINT)


def test_sigterm_while_making_a_cave(own_client: Client):
    interrupted(own_client, signal.SIGTERM)


def test_sigint_while_idle(own_client: Client):
    request = GetParameters.Request(names=["queue"])
    own_client.call(GetParameters, "get_parameters", request)
    own_client.plume.process.send_signal(signal.SIGINT)
    assert own_client.plume.process.wait(timeout=ANSWER_S) == 0
