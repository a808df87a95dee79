"""Calls that must be refused with a reason, leaving nothing behind."""

import pytest
from conftest import SMALL, Client
from plume_interfaces.srv import Generate
from rcl_interfaces.srv import GetParameters
from rclpy.qos import QoSProfile, ReliabilityPolicy


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"preset": "leo_cav"}, ["leo_cav", "leo_cave"]),
        ({"config_yaml": "skeleton: ["}, ["config_yaml"]),
        ({"config_yaml": "just words"}, ["config_yaml"]),
        ({"config_yaml": "skeleton: {nodes: 0}"}, ["nodes", "2", "100000"]),
        ({"config_yaml": "skeleton: {nodes: -3}"}, ["nodes", "-3"]),
        ({"config_yaml": "skeleton: {nodes: 1e9}"}, ["nodes"]),
        ({"config_yaml": "skeleton: {nodse: 8}"}, ["nodse", "nodes"]),
        ({"config_yaml": "field: {relief_m: .nan}"}, ["relief_m"]),
        ({"config_yaml": "skeleton: {radius_min_m: 9, radius_max_m: 5}"}, ["radius"]),
        ({"config_yaml": 'skeleton: {algorithm: "a\\0b"}'}, ["algorithm"]),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_bad_configuration(client: Client, fields: dict, words: list[str]):
    before = client.plume.models()
    request = Generate.Request(**{"name": "bad", "config_yaml": SMALL, **fields})
    response = client.call(Generate, "generate", request)
    assert not response.success
    message = response.message.replace("_", "")
    for word in words:
        assert word.replace("_", "") in message, response.message
    assert client.plume.models() == before
    assert response.model_path == "" and response.world_path == ""


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "../a", "/a", "-a", "a\nb", "x" * 101, "\x7f"]
)
def test_bad_name(client: Client, name: str):
    before = client.plume.models()
    response = client.generate(name)
    assert not response.success
    assert "name" in response.message
    assert client.plume.models() == before


def test_output_root_that_is_a_file(own_client: Client):
    # The node would not start with a file there; it appears later.
    request = GetParameters.Request(names=["output_root"])
    own_client.call(GetParameters, "get_parameters", request)
    own_client.plume.output_root.write_text("not a folder")
    response = own_client.generate("a")
    assert not response.success
    assert "caves" in response.message
    assert own_client.plume.output_root.read_text() == "not a folder"


def test_every_call_of_a_burst_is_answered(client: Client):
    # r2r holds ten requests and drops the rest when nobody takes them at once.
    qos = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE)
    service = client.ros.create_client(Generate, client.plume.name("generate"), qos_profile=qos)
    client.spin_until(service.service_is_ready, "service generate")
    calls = [service.call_async(Generate.Request(name=f"bad/{k}")) for k in range(60)]
    for k, call in enumerate(calls):
        assert f"bad/{k}" in client.wait(call, f"answer {k}").message
