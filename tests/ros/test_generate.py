"""One good call: files, topics and figures."""

import json
from pathlib import Path

import pytest
from conftest import Client
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import OccupancyGrid
from nav_msgs.msg import Path as RosPath
from plume_interfaces.msg import CaveGraph, CaveNode, TerrainLayers
from plume_interfaces.srv import Generate
from visualization_msgs.msg import Marker, MarkerArray


@pytest.fixture(scope="module")
def made(client: Client) -> Generate.Response:
    """Make a small cave once for all tests here."""
    response = client.generate("small", seed=7)
    assert response.success, response.message
    return response


def test_files_are_there(client: Client, made: Generate.Response):
    model = Path(made.model_path)
    assert model == client.plume.output_root / "small"
    for name in [
        "model.config",
        "model.sdf",
        "plume/config.yaml",
        "plume/skeleton.json",
        "plume/layers.yaml",
        "plume/manifest.json",
        "previews/skeleton.png",
        "previews/plan.png",
    ]:
        assert (model / name).is_file(), name
    assert Path(made.world_path).is_file()
    assert list((model / "meshes" / "visual").iterdir())
    assert list((model / "meshes" / "collision").iterdir())
    assert client.plume.models() == ["small"]


def figure(document, key: str):
    """Find a figure wherever the manifest keeps it."""
    if isinstance(document, dict):
        if key in document and not isinstance(document[key], dict | list):
            return document[key]
        values = document.values()
    elif isinstance(document, list):
        values = document
    else:
        return None
    found = (figure(value, key) for value in values)
    return next((value for value in found if value is not None), None)


def test_summary_agrees_with_the_manifest(made: Generate.Response):
    manifest = json.loads((Path(made.model_path) / "plume" / "manifest.json").read_text())
    summary = made.summary
    assert summary.nodes == 8
    for key in ["seed", "nodes", "edges", "chunks", "visual_triangles", "collision_triangles"]:
        assert figure(manifest, key) == getattr(summary, key), key
    assert summary.name == "small"
    assert summary.texture_px <= 256
    assert len(summary.stages) == len(summary.stage_seconds) > 3
    assert sum(summary.stage_seconds) <= summary.seconds * 1.01 + 0.01
    assert len(summary.layers) == len(summary.layer_areas_m2) >= 5


def test_graph_for_a_late_joiner(client: Client, made: Generate.Response):
    graph = client.latched(CaveGraph, "graph")
    assert graph.cave == "small"
    assert graph.header.frame_id == "map"
    assert graph.header.stamp.sec > 0
    assert len(graph.nodes) == made.summary.nodes
    assert len(graph.edges) == made.summary.edges
    ids = {node.id for node in graph.nodes}
    assert graph.entrance in ids
    kinds = {node.id: node.kind for node in graph.nodes}
    assert kinds[graph.entrance] == CaveNode.ENTRANCE
    for edge in graph.edges:
        assert {edge.a, edge.b} <= ids
        assert edge.length > 0
    for node in graph.nodes:
        assert set(node.edges) <= ids


def test_markers_for_a_late_joiner(client: Client, made: Generate.Response):
    markers = client.latched(MarkerArray, "graph_markers").markers
    assert markers[0].action == Marker.DELETEALL
    spheres = next(marker for marker in markers if marker.type == Marker.SPHERE_LIST)
    assert len(spheres.points) == made.summary.nodes


def test_path_for_a_late_joiner(client: Client, made: Generate.Response):
    path = client.latched(RosPath, "path")
    assert made.summary.has_route, made.summary.route_reason
    assert path.header.frame_id == "map"
    assert len(path.poses) > 2
    first, *_, last = (pose.pose.position for pose in path.poses)
    # The entrance floor is the origin.
    assert abs(first.x) < 1 and abs(first.y) < 1 and abs(first.z) < 0.5
    assert (last.x - first.x) ** 2 + (last.y - first.y) ** 2 > 1
    assert all(isinstance(pose, PoseStamped) for pose in path.poses)
    assert all(pose.header.frame_id == "map" for pose in path.poses)
    for pose in path.poses:
        q = pose.pose.orientation
        assert q.x**2 + q.y**2 + q.z**2 + q.w**2 == pytest.approx(1)


def test_layers_for_a_late_joiner(client: Client, made: Generate.Response):
    layers = client.latched(TerrainLayers, "layers").layers
    names = {layer.name for layer in layers}
    assert set(made.summary.layers) <= names
    assert len(layers) >= 5
    assert all(layer.mu > 0 and layer.cost >= 1 for layer in layers)
    area = sum(layer.area for layer in layers)
    assert area == pytest.approx(sum(made.summary.layer_areas_m2))


def test_map_for_a_late_joiner(client: Client, made: Generate.Response):
    grid = client.latched(OccupancyGrid, "map")
    assert grid.header.frame_id == "map"
    assert grid.info.resolution > 0
    assert len(grid.data) == grid.info.width * grid.info.height > 0
    assert set(grid.data) <= {0, 100, -1}
    # The robot starts at the origin, so its cell is free.
    column = int(-grid.info.origin.position.x / grid.info.resolution)
    row = int(-grid.info.origin.position.y / grid.info.resolution)
    assert grid.data[row * grid.info.width + column] == 0


def test_the_same_call_makes_the_same_cave(client: Client, made: Generate.Response):
    manifest = Path(made.model_path) / "plume" / "skeleton.json"
    before = manifest.read_bytes()
    again = client.generate("small", seed=7)
    assert again.success, again.message
    assert manifest.read_bytes() == before


def test_spawning_is_said_to_come_later(client: Client):
    response = client.generate("spawned", spawn=True)
    assert response.success, response.message
    assert "not spawned" in response.message
    assert "no simulator support" in response.message
