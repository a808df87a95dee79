"""Exports of a model, read by Blender, trimesh and OpenUSD instead of by plume.

    plume export MODEL --format glb,obj,ply,usd,fbx,stl,dae --out OUT
    python tests/read_exports.py MODEL OUT

compares every file with the model's own meshes and textures: triangles, places, normals, texture
coordinates, images. Prints a line for each file and reader, and its problems; exit code 1 when
there are any. A reader that is not installed is skipped (scripts/setup installs them).
"""

import contextlib
import importlib
import io
import json
import os
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

# Largest differences: metres, of texture coordinates, of unit normals, of bytes of colour.
# Blender keeps normals in two numbers of 16 bits.
PLACE_M, UV, NORMAL, COLOUR = 1e-4, 1e-5, 5e-3, 2
# What each format carries.
CARRIES = {
    "glb": {"normals", "uv", "albedo", "normal", "roughness"},
    "obj": {"normals", "uv", "albedo", "normal", "roughness"},
    "ply": {"normals", "uv", "colours"},
    "usda": {"normals", "uv", "albedo", "normal", "roughness"},
    "fbx": {"normals", "uv", "albedo", "normal", "roughness"},
    "stl": set(),
    "dae": {"normals", "uv", "albedo"},
}
# What a reader does not tell of a format, though it is in the file.
UNTOLD = {
    ("bpy", "ply"): {"normals"},
    ("trimesh", "obj"): {"normal", "roughness"},
    ("trimesh", "dae"): {"normals"},
}


@dataclass
class Shape:
    """Corners of triangles, in the order of the file, z up, v from below."""

    places: np.ndarray
    normals: np.ndarray | None = None
    uv: np.ndarray | None = None
    colours: np.ndarray | None = None
    images: dict = field(default_factory=dict)


def main(arguments: list[str]) -> int:
    """Read every export in a folder with all readers; give the exit code."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    model, out = map(Path, arguments)
    truth = model_shapes(model)
    bad, read = 0, 0
    for reader, (module, formats, load) in READERS.items():
        try:
            importlib.import_module(module)
        except ImportError:
            print(f"SKIP: exports through {reader}: it is missing (scripts/setup installs it)")
            continue
        for ending in formats:
            paths = sorted(out.glob(f"*.{ending}"))
            if not paths:
                print(f"no .{ending} file in {out}")
                bad += 1
            for path in paths:
                figures, problems = check(truth, path, reader, load)
                print(f"{path.name} through {reader}: {', '.join(figures)}")
                for problem in problems:
                    print(f"  {problem}")
                bad += bool(problems)
                read += 1
    print(f"{read} readings, {bad} bad")
    return int(bad > 0 or read == 0)


def check(truth: dict, path: Path, reader: str, load) -> tuple[list[str], list[str]]:
    """Compare a file with what it should hold."""
    wanted = {path.stem: truth[path.stem]} if path.stem in truth else truth
    try:
        with quiet():
            found = load(path)
    except Exception as error:  # whatever a reader throws is the finding
        return [], [f"cannot be read: {error!r}"]
    figures, problems = [], []
    if len(found) == 1:
        # Formats of one mesh have all parts in a row.
        wanted = {next(iter(found)): join(list(wanted.values()))}
    if set(found) != set(wanted):
        return [], [f"meshes {sorted(found)}, not {sorted(wanted)}"]
    carries = CARRIES[path.suffix[1:]] - UNTOLD.get((reader, path.suffix[1:]), set())
    shapes = [(found[name], wanted[name]) for name in wanted]
    triangles = [sum(len(s.places) for s in side) for side in zip(*shapes, strict=True)]
    figures.append(f"{triangles[0]} triangles")
    if triangles[0] != triangles[1]:
        return figures, [f"{triangles[0]} triangles, not {triangles[1]}"]
    limits = {"places": PLACE_M, "normals": NORMAL, "uv": UV, "colours": COLOUR}
    for key, limit in limits.items():
        if key != "places" and key not in carries:
            continue
        off = max(difference(getattr(a, key), getattr(b, key)) for a, b in shapes)
        figures.append(f"{key} within {off:.1e}")
        if not off <= limit:
            problems.append(f"{key} differ by {off:.2e}, allowed {limit}")
    images = 0
    for a, b in shapes:
        for kind in sorted(carries & {"albedo", "normal", "roughness"}):
            if kind not in a.images:
                problems.append(f"no {kind} image is tied to the mesh")
            elif a.images[kind].shape != b.images[kind].shape:
                problems.append(f"{kind} image of {a.images[kind].shape}")
            elif (off := np.abs(a.images[kind] - b.images[kind]).max()) > 1.01 / 255:
                problems.append(f"{kind} image differs by {off:.3f}")
            else:
                images += 1
    figures.append(f"{images} images")
    return figures, problems


def difference(a: np.ndarray | None, b: np.ndarray) -> float:
    """Give the largest difference of two arrays; infinite where one is missing."""
    if a is None or a.shape != b.shape:
        return np.inf
    return float(np.abs(a.astype(float) - b).max())


def join(shapes: list[Shape]) -> Shape:
    """Put shapes behind one another."""

    def all_of(key: str) -> np.ndarray:
        return np.concatenate([getattr(shape, key) for shape in shapes])

    images = shapes[0].images if len(shapes) == 1 else {}
    return Shape(all_of("places"), all_of("normals"), all_of("uv"), all_of("colours"), images)


# ---- the model ---------------------------------------------------------------------------------


def model_shapes(model: Path) -> dict:
    """Read the visuals of a model, by the names that exports give them."""
    shapes = {}
    name = json.loads((model / "plume/manifest.json").read_text())["name"]
    for visual in ET.parse(model / "model.sdf").iter("visual"):
        attributes, faces = glb_arrays(model / visual.find("geometry/mesh/uri").text)
        uv = attributes["TEXCOORD_0"]
        images = {
            kind: pixels(Image.open(model / visual.find(f".//{kind}_map").text))
            for kind in ("albedo", "normal", "roughness")
        }
        shapes[f"{name}_{visual.get('name').removeprefix('visual_')}"] = Shape(
            places=attributes["POSITION"][faces],
            normals=attributes["NORMAL"][faces],
            uv=(uv * [1, -1] + [0, 1])[faces],
            colours=sampled(images["albedo"], uv)[faces],
            images=images,
        )
    return shapes


def glb_arrays(path: Path) -> tuple[dict, np.ndarray]:
    """Give vertex arrays and faces of a GLB file as they are in it (glTF 2.0 §3.6, §4.4)."""
    data = path.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    head, body = json.loads(data[20 : 20 + length]), data[28 + length :]
    kinds = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}
    widths = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}

    def array(index: int) -> np.ndarray:
        accessor = head["accessors"][index]
        start = head["bufferViews"][accessor["bufferView"]].get("byteOffset", 0)
        width = widths[accessor["type"]]
        kind = kinds[accessor["componentType"]]
        return np.frombuffer(body, kind, accessor["count"] * width, start).reshape(-1, width)

    primitive = head["meshes"][0]["primitives"][0]
    attributes = {key: array(i).astype(float) for key, i in primitive["attributes"].items()}
    return attributes, array(primitive["indices"]).reshape(-1, 3)


def pixels(image: Image.Image) -> np.ndarray:
    """Give the red, green and blue of an image, 0 to 1, rows from the top."""
    return np.asarray(image.convert("RGB"), float) / 255


def sampled(image: np.ndarray, uv: np.ndarray) -> np.ndarray:
    """Give the colour at texture coordinates from above, linear between texels, 0 to 255."""
    height, width = image.shape[:2]
    x = np.clip(uv[:, 0] * width - 0.5, 0, width - 1)
    y = np.clip(uv[:, 1] * height - 0.5, 0, height - 1)
    i, j = x.astype(int), y.astype(int)
    a, b = (x - i)[:, None], (y - j)[:, None]
    right, below = np.minimum(i + 1, width - 1), np.minimum(j + 1, height - 1)
    top = image[j, i] * (1 - a) + image[j, right] * a
    low = image[below, i] * (1 - a) + image[below, right] * a
    return 255 * (top * (1 - b) + low * b)


def upright(vectors: np.ndarray) -> np.ndarray:
    """Turn y up to z up."""
    return np.stack([vectors[..., 0], -vectors[..., 2], vectors[..., 1]], axis=-1)


# ---- trimesh -----------------------------------------------------------------------------------


def through_trimesh(path: Path) -> dict:
    """Read a file with trimesh."""
    import trimesh

    scene = trimesh.load_scene(path, process=False)
    turn = upright if path.suffix in (".glb", ".obj") else np.asarray
    shapes = {}
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        mesh = scene.geometry[name]
        shape = Shape(turn(trimesh.transform_points(mesh.vertices, matrix))[mesh.faces])
        # For the others trimesh makes normals of its own.
        if path.suffix in (".glb", ".obj", ".ply"):
            shape.normals = turn(mesh.vertex_normals @ matrix[:3, :3].T)[mesh.faces]
        if path.suffix == ".ply":
            rows = mesh.metadata["_ply_raw"]["vertex"]["data"]
            columns = {key: np.asarray(rows[key], float).ravel() for key in rows.dtype.names}
            shape.uv = np.column_stack([columns[key] for key in "st"])[mesh.faces]
            colours = [columns[key] for key in ("red", "green", "blue")]
            shape.colours = np.column_stack(colours)[mesh.faces]
        elif getattr(mesh.visual, "uv", None) is not None:
            shape.uv = np.asarray(mesh.visual.uv)[mesh.faces]
            shape.images = trimesh_images(mesh.visual.material)
        shapes[named(name)] = shape
    return shapes


def trimesh_images(material) -> dict:
    """Give the images of a material of trimesh."""
    images = {}
    for kind, key in (
        ("albedo", "baseColorTexture"),
        ("albedo", "image"),
        ("normal", "normalTexture"),
        ("roughness", "metallicRoughnessTexture"),
    ):
        image = getattr(material, key, None)
        if image is not None:
            images[kind] = pixels(image)
    if getattr(material, "metallicRoughnessTexture", None) is not None:
        images["roughness"] = packed(images["roughness"])
    return images


def packed(image: np.ndarray) -> np.ndarray:
    """Take roughness out of the green channel, where there is no metal in the blue one."""
    if image[..., 2].any():
        raise ValueError("metalness is not 0")
    return np.repeat(image[..., 1:2], 3, axis=2)


# ---- OpenUSD -----------------------------------------------------------------------------------


def through_usd(path: Path) -> dict:
    """Read a file with Pixar's library."""
    from pxr import Usd, UsdGeom, UsdShade

    stage = Usd.Stage.Open(str(path))
    if UsdGeom.GetStageUpAxis(stage) != "Z" or UsdGeom.GetStageMetersPerUnit(stage) != 1.0:
        raise ValueError("not z up in metres")
    shapes = {}
    for prim in stage.Traverse():
        if not prim.IsA(UsdGeom.Mesh):
            continue
        mesh = UsdGeom.Mesh(prim)
        if set(mesh.GetFaceVertexCountsAttr().Get()) != {3}:
            raise ValueError("faces that are no triangles")
        faces = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
        places = np.array(mesh.GetPointsAttr().Get())
        extent = np.array(mesh.GetExtentAttr().Get())
        if not np.array_equal(extent, [places.min(0), places.max(0)]):
            raise ValueError(f"extent {extent}")
        uv = UsdGeom.PrimvarsAPI(prim).GetPrimvar("st")
        if {uv.GetInterpolation(), mesh.GetNormalsInterpolation()} != {"vertex"}:
            raise ValueError("texture coordinates or normals are not one a vertex")
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        surface, _, _ = material.ComputeSurfaceSource()
        shapes[named(prim.GetName())] = Shape(
            places[faces],
            np.array(mesh.GetNormalsAttr().Get())[faces],
            np.array(uv.Get())[faces],
            images={
                kind: usd_image(surface.GetInput(key))
                for kind, key in (
                    ("albedo", "diffuseColor"),
                    ("normal", "normal"),
                    ("roughness", "roughness"),
                )
            },
        )
    return shapes


def usd_image(entry) -> np.ndarray:
    """Give the image that feeds an input of a surface."""
    texture = entry.GetConnectedSources()[0][0].source
    file = texture.GetPrim().GetAttribute("inputs:file").Get()
    return pixels(Image.open(file.resolvedPath))


# ---- Blender -----------------------------------------------------------------------------------


def through_blender(path: Path) -> dict:
    """Read a file with Blender."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    load = {
        ".glb": bpy.ops.import_scene.gltf,
        ".obj": bpy.ops.wm.obj_import,
        ".ply": bpy.ops.wm.ply_import,
        ".usda": bpy.ops.wm.usd_import,
        ".fbx": bpy.ops.import_scene.fbx,
        ".stl": bpy.ops.wm.stl_import,
        ".dae": bpy.ops.wm.collada_import,
    }[path.suffix]
    load(filepath=str(path))
    objects = [o for o in bpy.context.scene.objects if o.type == "MESH"]
    return {named(o.name): blender_shape(o, path.suffix) for o in objects}


def blender_shape(thing, ending: str) -> Shape:
    """Read a mesh object of Blender."""
    mesh = thing.data
    corners = len(mesh.loops)
    if corners != 3 * len(mesh.polygons):
        raise ValueError("faces that are no triangles")

    def array(source, key: str, width: int, kind=np.float32) -> np.ndarray:
        values = np.empty(len(source) * width, kind)
        source.foreach_get(key, values)
        return values.reshape(-1, width) if width > 1 else values

    index = array(mesh.loops, "vertex_index", 1, np.int32)
    matrix = np.array(thing.matrix_world)
    places = array(mesh.vertices, "co", 3) @ matrix[:3, :3].T + matrix[:3, 3]
    normals = array(mesh.corner_normals, "vector", 3) @ np.linalg.inv(matrix[:3, :3])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    shape = Shape(places[index].reshape(-1, 3, 3), normals.reshape(-1, 3, 3))
    if mesh.uv_layers:
        shape.uv = array(mesh.uv_layers[0].uv, "vector", 2).reshape(-1, 3, 2)
    if mesh.color_attributes:
        # Blender gives bytes of sRGB as linear colours.
        linear = array(mesh.color_attributes[0].data, "color_srgb", 4)[:, :3]
        shape.colours = 255 * linear[index].reshape(-1, 3, 3)
    if mesh.materials:
        shape.images = blender_images(mesh.materials[0], ending)
    return shape


def blender_images(material, ending: str) -> dict:
    """Give the images that feed the surface of a material of Blender."""
    surface = next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
    images = {}
    for kind, key in (("albedo", "Base Color"), ("normal", "Normal"), ("roughness", "Roughness")):
        links, channel = surface.inputs[key].links, None
        while links and links[0].from_node.type != "TEX_IMAGE":
            node = links[0].from_node
            if node.type == "SEPARATE_COLOR":
                channel = links[0].from_socket.name
            links = next((i.links for i in node.inputs if i.is_linked), None)
        if not links:
            continue
        image = links[0].from_node.image
        space = image.colorspace_settings.name
        # OBJ cannot tell, and Blender takes all its images for colours.
        if ending != ".obj" and (kind == "albedo") != (space == "sRGB"):
            raise ValueError(f"{kind} image is taken for {space}")
        width, height = image.size
        values = np.empty(width * height * image.channels, np.float32)
        image.pixels.foreach_get(values)
        rows = values.reshape(height, width, image.channels)[::-1]
        rows = rows[..., :3] if image.channels >= 3 else np.repeat(rows[..., :1], 3, axis=2)
        # glTF has roughness in green beside metalness; others use the red of a grey image.
        images[kind] = packed(rows) if channel == "Green" else rows
    return images


# ------------------------------------------------------------------------------------------------


def named(name: str) -> str:
    """Give the part's name, of what a reader makes of it."""
    # trimesh names meshes of an OBJ file after their material.
    return name.removeprefix("mesh_").removesuffix("_rock")


@contextlib.contextmanager
def quiet():
    """Keep readers from talking on stdout, Blender's C++ too."""
    sys.stdout.flush()
    kept = os.dup(1)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


READERS = {
    "trimesh": ("trimesh", ("glb", "obj", "ply", "stl", "dae"), through_trimesh),
    "OpenUSD": ("pxr", ("usda",), through_usd),
    "bpy": ("bpy", ("glb", "obj", "ply", "usda", "fbx", "stl", "dae"), through_blender),
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
