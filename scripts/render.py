#!/usr/bin/env python3
"""Render a plume model from inside, by the light of a headlamp.

    pip install numpy scipy pillow trimesh embreex
    scripts/render.py out/demo --at 20 --size 960x600 --to picture.png

`--at` is the distance along the model's route in metres. The picture is ray traced on the visual
meshes with their baked colour, normal and roughness maps, so what it shows is what a camera in a
simulator meets.
"""

import argparse
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import trimesh
from PIL import Image
from trimesh.ray.ray_pyembree import RayMeshIntersector


def unit(v):
    """Vectors of length one, along the last axis."""
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)


def normals_of(path):
    """Read the normals of a GLB file: those trimesh computes break where charts meet."""
    data = path.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    head, body = json.loads(data[20 : 20 + length]), data[28 + length :]
    accessor = head["accessors"][head["meshes"][0]["primitives"][0]["attributes"]["NORMAL"]]
    start = head["bufferViews"][accessor["bufferView"]].get("byteOffset", 0)
    start += accessor.get("byteOffset", 0)
    count = 3 * accessor["count"]
    return np.frombuffer(body, np.float32, count, start).reshape(-1, 3).astype(float)


class Chunk:
    """One visual mesh and its three maps."""

    def __init__(self, folder, visual):
        """Read what a `visual` of the SDF file in `folder` names."""

        def path(tag):
            return folder / visual.find(f".//{tag}").text

        self.mesh = trimesh.load(path("geometry/mesh/uri"), force="mesh", process=False)
        if visual.find(".//albedo_map") is None:
            self.plain(visual)
            return
        self.albedo = np.asarray(Image.open(path("albedo_map")), np.float32) / 255
        self.normal = np.asarray(Image.open(path("normal_map")), np.float32) / 127.5 - 1
        self.roughness = np.asarray(Image.open(path("roughness_map")), np.float32) / 255
        self.uv = np.asarray(self.mesh.visual.uv)
        self.normals = normals_of(path("geometry/mesh/uri"))
        tangents = self.face_tangents()
        self.tangents = np.zeros((len(self.mesh.vertices), 3))
        for corner in self.mesh.faces.T:
            np.add.at(self.tangents, corner, tangents)

    def plain(self, visual):
        """Place a rock and paint it in the one colour of its material."""
        x, y, z, _, _, yaw = (float(v) for v in visual.find("pose").text.split())
        turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
        scale = float(visual.find(".//scale").text.split()[0])
        self.mesh.vertices = scale * self.mesh.vertices @ turn.T + [x, y, z]
        colour = np.array(visual.find(".//diffuse").text.split()[:3], np.float32)
        rough = float(visual.find(".//roughness").text)
        self.albedo = np.broadcast_to(colour, (2, 2, 3))
        self.normal = np.broadcast_to(np.array([0, 0, 1], np.float32), (2, 2, 3))
        self.roughness = np.full((2, 2), rough, np.float32)
        self.uv = np.full((len(self.mesh.vertices), 2), 0.5)
        faces = np.repeat(self.mesh.face_normals, 3, axis=0)
        self.normals = np.zeros((len(self.mesh.vertices), 3))
        self.normals[self.mesh.faces.ravel()] = faces
        self.tangents = np.zeros_like(self.normals)

    def face_tangents(self):
        """Direction of increasing u on every face."""
        f = self.mesh.faces
        p, t = self.mesh.vertices[f], self.uv[f]
        e1, e2 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
        d1, d2 = t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]
        return unit(e1 * d2[:, 1:] - e2 * d1[:, 1:]) * np.sign(
            d1[:, :1] * d2[:, 1:] - d1[:, 1:] * d2[:, :1]
        )

    def look(self, face, point):
        """Colour, shading normal and roughness at points on faces."""
        corners = self.mesh.triangles[face]
        bary = trimesh.triangles.points_to_barycentric(corners, point)
        index = self.mesh.faces[face]
        uv = np.einsum("ij,ijk->ik", bary, self.uv[index])
        normal = unit(np.einsum("ij,ijk->ik", bary, self.normals[index]))
        tangent = np.einsum("ij,ijk->ik", bary, self.tangents[index])
        tangent = unit(tangent - normal * np.sum(normal * tangent, -1, keepdims=True))
        # trimesh turns v upward; along +v is then the bitangent of an OpenGL normal map.
        bitangent = np.cross(normal, tangent)
        bump = self.sample(self.normal, uv)
        shading = unit(tangent * bump[:, :1] + bitangent * bump[:, 1:2] + normal * bump[:, 2:])
        rough = self.sample(self.roughness[..., None], uv)[:, 0]
        return self.sample(self.albedo, uv) ** 2.2, shading, rough

    @staticmethod
    def sample(image, uv):
        """Bilinear look-up; trimesh's v points up."""
        h, w = image.shape[:2]
        x = np.clip(uv[:, 0] * w - 0.5, 0, w - 1.001)
        y = np.clip((1 - uv[:, 1]) * h - 0.5, 0, h - 1.001)
        i, j = x.astype(int), y.astype(int)
        a, b = (x - i)[:, None], (y - j)[:, None]
        top = image[j, i] * (1 - a) + image[j, i + 1] * a
        low = image[j + 1, i] * (1 - a) + image[j + 1, i + 1] * a
        return top * (1 - b) + low * b


def camera(folder, at, height):
    """Eye and direction at a distance along the route."""
    routes = json.loads((folder / "plume/routes.json").read_text())["routes"]
    if not routes:
        sys.exit("the model has no route; give --eye and --look")
    path = np.array([p["position"] for p in routes[0]["poses"]])
    gone = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    if not 0 <= at < gone[-1]:
        sys.exit(f"--at {at:g}: the model's route is {gone[-1]:.1f} m long")
    place = [np.interp(at, gone, path[:, k]) for k in range(3)]
    ahead = [np.interp(at + 3.0, gone, path[:, k]) for k in range(3)]
    lift = np.array([0, 0, height])
    return np.array(place) + lift, np.array(ahead) + lift


def main():
    """Parse the arguments and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, help="folder of the model")
    parser.add_argument("--to", type=Path, default=Path("render.png"), help="picture to write")
    parser.add_argument("--at", type=float, default=8.0, help="metres along the route")
    parser.add_argument("--height", type=float, default=0.6, help="eye over the floor, metres")
    parser.add_argument("--eye", help="x,y,z instead of a place on the route")
    parser.add_argument("--look", help="x,y,z that the eye looks at")
    parser.add_argument("--fov", type=float, default=85.0, help="horizontal angle, degrees")
    parser.add_argument("--size", default="960x600", help="pixels")
    args = parser.parse_args()

    chunks = [
        Chunk(args.model, visual) for visual in ET.parse(args.model / "model.sdf").iter("visual")
    ]
    whole = trimesh.util.concatenate(
        [trimesh.Trimesh(c.mesh.vertices, c.mesh.faces, process=False) for c in chunks]
    )
    first = np.cumsum([0] + [len(c.mesh.faces) for c in chunks])
    rays = RayMeshIntersector(whole)

    if args.eye:
        eye, to = (np.array([float(v) for v in s.split(",")]) for s in (args.eye, args.look))
    else:
        eye, to = camera(args.model, args.at, args.height)
    width, height = (int(v) for v in args.size.split("x"))
    forward = unit(to - eye)
    right = unit(np.cross(forward, [0, 0, 1]))
    up = np.cross(right, forward)
    half = np.tan(np.radians(args.fov) / 2)
    x, y = np.meshgrid(
        (np.arange(width) + 0.5) / width * 2 - 1,
        (1 - (np.arange(height) + 0.5) / height * 2) * height / width,
    )
    direction = unit(forward + (x[..., None] * right + y[..., None] * up) * half).reshape(-1, 3)

    location, ray, face = rays.intersects_location(
        np.broadcast_to(eye, direction.shape), direction, multiple_hits=False
    )
    image = np.zeros((len(direction), 3), np.float32)
    owner = np.searchsorted(first, face, side="right") - 1
    lamps = [(eye + 0.15 * up + 0.1 * right, 14.0), (eye + forward * 4 + 0.6 * up, 5.0)]
    for c, chunk in enumerate(chunks):
        mine = owner == c
        if not mine.any():
            continue
        p = location[mine]
        colour, normal, rough = chunk.look(face[mine] - first[c], p)
        view = -direction[ray[mine]]
        light = np.full((len(p), 3), 0.012, np.float32) * colour
        for lamp, power in lamps:
            d = lamp - p
            far = np.linalg.norm(d, axis=1)
            towards = unit(d)
            blocked = first_hit(rays, lamp, -towards) < far - 0.03
            lit = np.clip(np.sum(normal * towards, 1), 0, 1)
            half_way = unit(towards + view)
            sharp = np.clip(2 / np.maximum(rough, 0.08) ** 4 - 2, 1, 2000)
            shine = np.clip(np.sum(normal * half_way, 1), 0, 1) ** sharp * (sharp + 2) / 8 * 0.04
            fall = np.where(blocked, 0, power / (0.4 + far**2))
            light += (fall * lit)[:, None] * (colour + shine[:, None])
        image[ray[mine]] = light
    image = image / (1 + 0.35 * image)
    pixels = np.clip(image, 0, 1) ** (1 / 2.2) * 255
    Image.fromarray(pixels.reshape(height, width, 3).astype(np.uint8)).save(args.to)


def first_hit(rays, origin, direction):
    """Distance to the first surface along each ray; infinite where there is none."""
    out = np.full(len(direction), np.inf)
    location, ray, _ = rays.intersects_location(
        np.broadcast_to(origin, direction.shape), direction, multiple_hits=False
    )
    out[ray] = np.linalg.norm(location - origin, axis=1)
    return out


if __name__ == "__main__":
    main()
