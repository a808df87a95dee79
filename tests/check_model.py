"""Geometry and textures of generated models, checked by trimesh and Pillow instead of by plume.

    python tests/check_model.py MODEL...

prints a line of figures and the problems of each model; exit code 1 when there are any.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np
import trimesh
from PIL import Image

# A triangle of at most this area is degenerate to physics engines, square metres.
MIN_AREA_M2 = 1e-8
LUMINANCE = (0.2, 0.5)
ROUGHNESS_STD = 0.05
# Kinds of textures and their pixels: no alpha anywhere.
KINDS = {"albedo": "RGB", "normal": "RGB", "roughness": "L"}


def main(models: list[str]) -> int:
    """Check each model folder; give the exit code."""
    if not models:
        print(__doc__, file=sys.stderr)
        return 2
    bad = 0
    for model in map(Path, models):
        figures, problems = check(model)
        told = ", ".join(f"{key} {value}" for key, value in figures.items())
        print(f"{model}: {told or 'nothing read'}")
        for problem in problems:
            print(f"  {problem}")
        bad += bool(problems)
    print(f"{len(models)} models, {bad} bad")
    return int(bad > 0)


def check(model: Path) -> tuple[dict, list[str]]:
    """Give figures and problems of one model."""
    figures, problems = {}, []
    visuals = sorted((model / "meshes/visual").glob("*.glb"))
    collisions = sorted((model / "meshes/collision").glob("*.stl"))
    if not visuals or not collisions:
        return figures, [f"{len(visuals)} GLB and {len(collisions)} STL files"]
    levels = {}
    for path in visuals:
        levels.setdefault(level_of(path), []).append(path)
    chunks = {path: load(path) for path in levels[0]}
    visual = weld(list(chunks.values()))
    meshes = {"visual": visual, "collision": weld([load(path) for path in collisions])}
    for level in sorted(set(levels) - {0}):
        meshes[f"lod{level}"] = weld([load(path) for path in levels[level]])
    for name, mesh in meshes.items():
        figures[f"{name}_triangles"] = len(mesh.faces)
        problems += [f"{name}: {problem}" for problem in whole(mesh)]
    lost = edges_outside(model / "plume/skeleton.json", visual)
    problems += [f"edge {a}-{b}: its midpoint is not in the void" for a, b in lost]
    texture_figures, texture_problems = textures(model, chunks)
    return figures | texture_figures, problems + texture_problems


def level_of(path: Path) -> int:
    """Give the level of detail that a visual mesh's name states."""
    found = re.search(r"_lod(\d)_[0-9a-f]{8}$", path.stem)
    return int(found[1]) if found else 0


def load(path: Path) -> trimesh.Trimesh:
    """Read a mesh as it is in the file."""
    return trimesh.load(path, process=False, force="mesh")


def weld(meshes: list[trimesh.Trimesh]) -> trimesh.Trimesh:
    """Join meshes at vertices whose positions have equal bits."""
    corners = np.concatenate([np.asarray(m.vertices, np.float32)[m.faces] for m in meshes])
    # Both zeros are the same place.
    points, index = np.unique(corners.reshape(-1, 3) + np.float32(0.0), axis=0, return_inverse=True)
    return trimesh.Trimesh(points, index.reshape(-1, 3), process=False)


def whole(mesh: trimesh.Trimesh) -> list[str]:
    """Find what keeps a mesh from being the one closed wall of a cave."""
    problems = []
    uses = np.unique(np.bincount(mesh.edges_unique_inverse), return_counts=True)
    if not mesh.is_watertight:
        counts = dict(zip(*(part.tolist() for part in uses), strict=True))
        problems.append(f"not watertight: edges by number of faces {counts}")
    if not mesh.is_winding_consistent:
        problems.append("neighbouring faces are wound against each other")
    if mesh.body_count != 1:
        sizes = sorted((len(part) for part in components(mesh)), reverse=True)
        problems.append(f"{mesh.body_count} bodies, of {sizes[:8]} faces")
    if mesh.volume >= 0.0:
        problems.append(f"volume {mesh.volume:.3f} m3: faces do not look into the void")
    smallest = mesh.area_faces.min()
    if smallest <= MIN_AREA_M2:
        count = int((mesh.area_faces <= MIN_AREA_M2).sum())
        problems.append(f"{count} triangles of {smallest:.2e} m2 and more are degenerate")
    return problems


def components(mesh: trimesh.Trimesh) -> list[np.ndarray]:
    """Give the faces of each part that hangs together by edges."""
    nodes = np.arange(len(mesh.faces))
    return trimesh.graph.connected_components(mesh.face_adjacency, nodes=nodes)


def edges_outside(graph: Path, mesh: trimesh.Trimesh) -> list[tuple[int, int]]:
    """Give the graph's edges whose midpoint the mesh does not wind around."""
    nodes = json.loads(graph.read_text())["nodes"]
    at = {n["id"]: np.array([n["coordinates"][k] for k in "xyz"]) for n in nodes.values()}
    edges = sorted({tuple(sorted((n["id"], e))) for n in nodes.values() for e in n["edges"]})
    corners = np.asarray(mesh.vertices, float)[mesh.faces]
    # Faces look into the void, so the void has winding number -1.
    return [e for e in edges if abs(winding(corners, (at[e[0]] + at[e[1]]) / 2) + 1) > 0.1]


def winding(corners: np.ndarray, point: np.ndarray) -> float:
    """Count how often triangles wind around a point (van Oosterom and Strackee, 1983)."""
    a, b, c = np.moveaxis(corners - point, 1, 0)
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    above = np.einsum("ij,ij->i", a, np.cross(b, c))
    dot_ab, dot_bc, dot_ca = (np.einsum("ij,ij->i", p, q) for p, q in ((a, b), (b, c), (c, a)))
    below = la * lb * lc + dot_ab * lc + dot_bc * la + dot_ca * lb
    return float(np.arctan2(above, below).sum() / (2 * np.pi))


def textures(model: Path, chunks: dict[Path, trimesh.Trimesh]) -> tuple[dict, list[str]]:
    """Give figures and problems of the textures where the meshes show them."""
    problems, light, rough, weight = [], [], [], []
    for path, mesh in chunks.items():
        chunk = path.stem.rpartition("_")[0]
        images = {}
        for kind, pixels in KINDS.items():
            found = list((model / "materials/textures").glob(f"{chunk}_{kind}_*.png"))
            if len(found) != 1:
                problems.append(f"{chunk}: {len(found)} {kind} textures")
                continue
            image = Image.open(found[0])
            if image.mode != pixels or "transparency" in image.info:
                problems.append(f"{found[0].name}: {image.mode}, wanted {pixels} without alpha")
            images[kind] = np.asarray(image.convert("RGB"), float) / 255
        if len(images) < len(KINDS):
            continue
        light.append(shown(images["albedo"], mesh) @ [0.2126, 0.7152, 0.0722])
        rough.append(shown(images["roughness"], mesh)[:, 1])
        weight.append(mesh.area_faces)
        if not LUMINANCE[0] <= np.average(light[-1], weights=weight[-1]) <= LUMINANCE[1]:
            problems.append(f"{chunk}: luminance {np.average(light[-1], weights=weight[-1]):.3f}")
        normal = shown(images["normal"], mesh)[:, 2].mean()
        if normal <= 0.5:
            problems.append(f"{chunk}: normals look into the wall, mean blue {normal:.2f}")
    if not light:
        return {}, problems
    light, rough, weight = (np.concatenate(part) for part in (light, rough, weight))
    mean = np.average(rough, weights=weight)
    spread = float(np.sqrt(np.average((rough - mean) ** 2, weights=weight)))
    if spread <= ROUGHNESS_STD:
        problems.append(f"roughness hardly varies: standard deviation {spread:.3f}")
    luminance = float(np.average(light, weights=weight))
    return {"luminance": f"{luminance:.3f}", "roughness_std": f"{spread:.3f}"}, problems


def shown(image: np.ndarray, mesh: trimesh.Trimesh) -> np.ndarray:
    """Give the texel in the middle of each triangle of a mesh."""
    height, width = image.shape[:2]
    # trimesh turns v over when it reads glTF: its v counts from the bottom.
    u, v = np.asarray(mesh.visual.uv)[mesh.faces].mean(axis=1).T
    column = np.clip((u * width).astype(int), 0, width - 1)
    row = np.clip(((1 - v) * height).astype(int), 0, height - 1)
    return image[row, column]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
