"""Parameters: ranges, events and the command line."""

import subprocess

import pytest
from conftest import Client, node_binary
from rcl_interfaces.msg import ParameterEvent
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters
from rclpy.qos import qos_profile_parameter_events
from test_jobs import set_parameter


def get(client: Client, name: str):
    """Give the value of one parameter."""
    request = GetParameters.Request(names=[name])
    return client.call(GetParameters, "get_parameters", request).values[0]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("queue", -1, "0 to 64"),
        ("queue", 65, "0 to 64"),
        ("queue", "four", "integer"),
        ("map_level", 64, "0 to 63"),
        ("frame_id", "", "1 to 128"),
        ("frame_id", "/map", "no leading slash"),
        ("preset", "no_such", "no_such"),
        ("output_root", "", "1 to 1024"),
        ("output_root", "/proc/version", "not a folder"),
        ("quueue", 4, "queue"),
    ],
)
def test_bad_values_are_refused_with_the_range(client: Client, name, value, words):
    before = get(client, name)
    result = set_parameter(client, name, value)
    assert not result.successful
    assert words in result.reason
    assert get(client, name) == before


def test_good_values_are_taken_and_announced(own_client: Client):
    events = []
    own_client.ros.create_subscription(
        ParameterEvent, "/parameter_events", events.append, qos_profile_parameter_events
    )
    publishers = own_client.ros.count_publishers
    own_client.spin_until(lambda: publishers("/parameter_events") >= 2, "the publisher")
    own_client.spin_until(
        lambda: set_parameter(own_client, "queue", 2 + len(events) % 2).successful and events,
        "an event",
    )
    mine = [event for event in events if event.node == own_client.plume.name("").rstrip("/")]
    changed = mine[0].changed_parameters[0]
    assert changed.name == "queue"
    assert changed.value.integer_value in (2, 3)


def test_parameters_are_listed_and_described(client: Client):
    names = client.call(ListParameters, "list_parameters", ListParameters.Request()).result.names
    expected = ["output_root", "frame_id", "preset", "map_level", "queue"]
    assert [name for name in names if name in expected] == expected
    request = DescribeParameters.Request(names=expected)
    described = client.call(DescribeParameters, "describe_parameters", request).descriptors
    assert "0 to 64" in described[4].description


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ros-args", "-p", "queue:=65"], "0 to 64"),
        (["--ros-args", "-p", "queue:=four"], "integer"),
        (["--ros-args", "-p", "nonsense"], "command line"),
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_bad_command_lines_end_at_once(arguments, words):
    ended = subprocess.run(
        [node_binary(), *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode not in (0, -6)
    assert words in ended.stderr
    assert "panicked" not in ended.stderr
