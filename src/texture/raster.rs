//! Which texel shows which place: the visual mesh drawn in texture space.
//!
//! A texel belongs to the triangle that holds its centre. Edges are cut in a fixed direction and
//! spans are half open, so that triangles that share an edge neither overlap nor leave a gap.
//! Texels just outside a chart show the place on the extended plane of its nearest triangles, so that
//! a bilinear look-up at the chart's very edge sees what the neighbouring chart shows there.

use super::vector::V8;
use crate::noise::F8;
use crate::surface::{Atlas, VisualMesh};

/// Position, normal, base normal and tangent of a vertex.
type Attributes = [f32; 12];

/// Eight places on the surface.
#[derive(Clone, Copy)]
pub(super) struct Texel8 {
    /// Position, metres, frame `map`.
    pub p: V8,
    /// Interpolated normal, not normalised.
    pub normal: V8,
    /// Interpolated normal without relief, not normalised.
    pub base: V8,
    /// Interpolated tangent, not normalised.
    pub tangent: V8,
    /// 1, or −1 where the chart is mirrored.
    pub side: F8,
}

/// How far outside a chart texels are still drawn, pixels: more than half a texel's diagonal.
const RIM: f64 = 1.5;

/// A mesh ready to be drawn, and its triangles sorted into bands of rows.
pub(super) struct Drawing<'a> {
    mesh: &'a VisualMesh,
    tangents: Vec<[f32; 3]>,
    /// For each triangle, whether its edge `i`, from corner `i` to the next, is on a chart's border.
    open: Vec<[bool; 3]>,
    width: u32,
    height: u32,
    rows_per_band: u32,
    /// Triangles of all bands, one band after the other.
    triangles: Vec<u32>,
    /// Where each band's triangles begin.
    starts: Vec<usize>,
}

/// A triangle in pixel coordinates.
type Corners = [[f64; 2]; 3];

impl<'a> Drawing<'a> {
    pub(super) fn new(mesh: &'a VisualMesh, atlas: &Atlas, rows_per_band: u32) -> Self {
        let (width, height) = (atlas.width, atlas.height);
        let bands = height.div_ceil(rows_per_band) as usize;
        let mut drawing = Self {
            mesh,
            tangents: tangents(mesh),
            open: open_edges(mesh),
            width,
            height,
            rows_per_band,
            triangles: Vec::new(),
            starts: vec![0; bands + 1],
        };
        let spans: Vec<_> = (0..mesh.triangles.len())
            .map(|t| drawing.band_span(t))
            .collect();
        for span in spans.iter().flatten() {
            for band in span.clone() {
                drawing.starts[band + 1] += 1;
            }
        }
        for band in 0..bands {
            drawing.starts[band + 1] += drawing.starts[band];
        }
        let mut next = drawing.starts.clone();
        drawing.triangles = vec![0; drawing.starts[bands]];
        for (t, span) in spans.iter().enumerate() {
            for band in span.clone().into_iter().flatten() {
                drawing.triangles[next[band]] = t as u32;
                next[band] += 1;
            }
        }
        drawing
    }

    /// Pixel coordinates of a triangle; none if it has no valid ones.
    fn corners(&self, t: usize) -> Option<Corners> {
        let mut c = [[0.0; 2]; 3];
        for (corner, &v) in c.iter_mut().zip(&self.mesh.triangles[t]) {
            let uv = self.mesh.uvs.get(v as usize)?;
            if self.attributes(v).is_none() || !uv.iter().all(|x| x.is_finite()) {
                return None;
            }
            *corner = [
                f64::from(uv[0]) * f64::from(self.width),
                f64::from(uv[1]) * f64::from(self.height),
            ];
        }
        Some(c)
    }

    /// The bands whose texel centres a triangle can hold.
    fn band_span(&self, t: usize) -> Option<std::ops::Range<usize>> {
        let rim = if self.open[t].contains(&true) {
            RIM
        } else {
            0.0
        };
        let (first, end) = rows(&self.corners(t)?, rim, 0, self.height);
        let per = self.rows_per_band;
        (first < end).then(|| (first / per) as usize..((end - 1) / per + 1) as usize)
    }

    fn attributes(&self, v: u32) -> Option<Attributes> {
        let v = v as usize;
        let parts = [
            self.mesh.positions.get(v)?,
            self.mesh.normals.get(v)?,
            self.mesh.base_normals.get(v)?,
            self.tangents.get(v)?,
        ];
        let mut a = [0.0; 12];
        for (to, from) in a.chunks_mut(3).zip(parts) {
            to.copy_from_slice(from);
        }
        Some(a)
    }

    /// Draws one band: fills `texels` with places and `pixels` with their offsets in the band.
    ///
    /// The last eight are filled up by repeating the last pixel.
    pub(super) fn band(&self, band: usize, pixels: &mut Vec<u32>, texels: &mut Vec<Texel8>) {
        pixels.clear();
        texels.clear();
        let top = band as u32 * self.rows_per_band;
        let bottom = (top + self.rows_per_band).min(self.height);
        let mut lanes = Lanes::default();
        let mut taken = vec![false; ((bottom - top) * self.width) as usize];
        for &t in &self.triangles[self.starts[band]..self.starts[band + 1]] {
            let Some(corners) = self.corners(t as usize) else {
                continue;
            };
            let Some(plane) = self.plane(t as usize, &corners) else {
                continue;
            };
            let (first, end) = rows(&corners, 0.0, top, bottom);
            for y in first..end {
                let (left, right) = span(&corners, f64::from(y) + 0.5, self.width);
                for x in left..right {
                    let pixel = (y - top) * self.width + x;
                    pixels.push(pixel);
                    taken[pixel as usize] = true;
                    let full = lanes.push(plane.at(x, y), plane.side);
                    texels.extend(full);
                }
            }
        }
        for &t in &self.triangles[self.starts[band]..self.starts[band + 1]] {
            let open = self.open[t as usize];
            if !open.contains(&true) {
                continue;
            }
            let Some(corners) = self.corners(t as usize) else {
                continue;
            };
            let Some(plane) = self.plane(t as usize, &corners) else {
                continue;
            };
            let (first, end) = rows(&corners, RIM, top, bottom);
            let columns = |f: fn(f64, f64) -> f64| corners.iter().map(|c| c[0]).reduce(f);
            let (Some(low), Some(high)) = (columns(f64::min), columns(f64::max)) else {
                continue;
            };
            let column = |x: f64| (x - 0.5).ceil().clamp(0.0, f64::from(self.width)) as u32;
            for y in first..end {
                for x in column(low - RIM)..column(high + RIM) {
                    let pixel = (y - top) * self.width + x;
                    let centre = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                    let near = |i: usize| {
                        open[i] && distance(centre, corners[i], corners[(i + 1) % 3]) <= RIM
                    };
                    if !taken[pixel as usize] && (0..3).any(near) {
                        taken[pixel as usize] = true;
                        pixels.push(pixel);
                        let full = lanes.push(plane.at(x, y), plane.side);
                        texels.extend(full);
                    }
                }
            }
        }
        if let Some(&last) = pixels.last() {
            while !pixels.len().is_multiple_of(8) {
                pixels.push(last);
                texels.extend(lanes.repeat());
            }
        }
    }

    /// The attributes of a triangle as a linear function of the pixel.
    fn plane(&self, t: usize, c: &Corners) -> Option<Plane> {
        let [a, b, d] = self.mesh.triangles[t].map(|v| self.attributes(v));
        let (a, b, d) = (a?, b?, d?);
        let (bx, by) = (c[1][0] - c[0][0], c[1][1] - c[0][1]);
        let (dx, dy) = (c[2][0] - c[0][0], c[2][1] - c[0][1]);
        let area = bx * dy - by * dx;
        if area.abs() < 1e-6 {
            return None;
        }
        let mut plane = Plane {
            origin: c[0],
            value: a,
            per_x: [0.0; 12],
            per_y: [0.0; 12],
            // Rows grow downward: a chart seen from the void that turns the usual way has a
            // negative area in (right, up), positive in (right, down) when mirrored.
            side: if area < 0.0 { 1.0 } else { -1.0 },
        };
        for i in 0..12 {
            let (db, dd) = (f64::from(b[i] - a[i]), f64::from(d[i] - a[i]));
            plane.per_x[i] = ((db * dy - dd * by) / area) as f32;
            plane.per_y[i] = ((dd * bx - db * dx) / area) as f32;
        }
        Some(plane)
    }
}

/// Attributes over pixels, linear within a triangle.
struct Plane {
    origin: [f64; 2],
    value: Attributes,
    per_x: Attributes,
    per_y: Attributes,
    side: f32,
}

impl Plane {
    /// At the centre of a pixel.
    fn at(&self, x: u32, y: u32) -> Attributes {
        let dx = (f64::from(x) + 0.5 - self.origin[0]) as f32;
        let dy = (f64::from(y) + 0.5 - self.origin[1]) as f32;
        let mut a = self.value;
        for ((a, per_x), per_y) in a.iter_mut().zip(&self.per_x).zip(&self.per_y) {
            *a += per_x * dx + per_y * dy;
        }
        a
    }
}

/// Turns single places into groups of eight.
#[derive(Default)]
struct Lanes {
    attributes: [F8; 12],
    side: F8,
    filled: usize,
}

impl Lanes {
    fn push(&mut self, a: Attributes, side: f32) -> Option<Texel8> {
        let lane = self.filled;
        for (to, from) in self.attributes.iter_mut().zip(a) {
            to.0[lane] = from;
        }
        self.side.0[lane] = side;
        self.filled = (lane + 1) % 8;
        (self.filled == 0).then(|| {
            let v = |i: usize| {
                [
                    self.attributes[i],
                    self.attributes[i + 1],
                    self.attributes[i + 2],
                ]
            };
            Texel8 {
                p: v(0),
                normal: v(3),
                base: v(6),
                tangent: v(9),
                side: self.side,
            }
        })
    }

    /// Pushes the last place again.
    fn repeat(&mut self) -> Option<Texel8> {
        let last = (self.filled + 7) % 8;
        self.push(self.attributes.map(|a| a.0[last]), self.side.0[last])
    }
}

/// Edges of triangles that no other triangle of the mesh shares.
fn open_edges(mesh: &VisualMesh) -> Vec<[bool; 3]> {
    let ends = |t: &[u32; 3], i: usize| {
        let (a, b) = (t[i], t[(i + 1) % 3]);
        [a.min(b), a.max(b)]
    };
    let mut edges: Vec<[u32; 2]> = mesh
        .triangles
        .iter()
        .flat_map(|t| [0, 1, 2].map(|i| ends(t, i)))
        .collect();
    edges.sort_unstable();
    let single = |e: [u32; 2]| {
        let first = edges.partition_point(|o| *o < e);
        edges.get(first + 1) != Some(&e)
    };
    mesh.triangles
        .iter()
        .map(|t| [0, 1, 2].map(|i| single(ends(t, i))))
        .collect()
}

/// Distance of a point from the line between two others, pixels.
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (ux, uy) = (b[0] - a[0], b[1] - a[1]);
    let (vx, vy) = (p[0] - a[0], p[1] - a[1]);
    let along = ((ux * vx + uy * vy) / (ux * ux + uy * uy).max(1e-12)).clamp(0.0, 1.0);
    let (dx, dy) = (vx - along * ux, vy - along * uy);
    (dx * dx + dy * dy).sqrt()
}

/// Rows within `top..bottom` whose centre a triangle widened by `rim` can hold.
fn rows(c: &Corners, rim: f64, top: u32, bottom: u32) -> (u32, u32) {
    let low = c[0][1].min(c[1][1]).min(c[2][1]) - rim;
    let high = c[0][1].max(c[1][1]).max(c[2][1]) + rim;
    let row = |y: f64| (y - 0.5).ceil().clamp(f64::from(top), f64::from(bottom)) as u32;
    (row(low), row(high))
}

/// Pixels of the row with centre `y` whose centre lies in the triangle.
fn span(c: &Corners, y: f64, width: u32) -> (u32, u32) {
    let (mut left, mut right) = (f64::MAX, f64::MIN);
    for i in 0..3 {
        let (a, b) = (c[i], c[(i + 1) % 3]);
        // The same end first whichever triangle asks: both get the same bits.
        let (a, b) = if a[1] <= b[1] { (a, b) } else { (b, a) };
        if a[1] <= y && y < b[1] {
            let x = a[0] + (y - a[1]) * ((b[0] - a[0]) / (b[1] - a[1]));
            left = left.min(x);
            right = right.max(x);
        }
    }
    let column = |x: f64| (x - 0.5).ceil().clamp(0.0, f64::from(width)) as u32;
    if left < right {
        (column(left), column(right))
    } else {
        (0, 0)
    }
}

/// The tangent of each vertex: dP/du of its triangles, weighted by their angle there and made
/// perpendicular to the normal, as MikkTSpace does (vertices are split at chart borders).
fn tangents(mesh: &VisualMesh) -> Vec<[f32; 3]> {
    use glam::{DVec3, Vec3};
    let point = |v: u32| {
        mesh.positions
            .get(v as usize)
            .map(|&p| Vec3::from(p).as_dvec3())
    };
    let mut sums = vec![DVec3::ZERO; mesh.positions.len()];
    for t in &mesh.triangles {
        let [Some(a), Some(b), Some(c)] = t.map(point) else {
            continue;
        };
        let [Some(ua), Some(ub), Some(uc)] = t.map(|v| mesh.uvs.get(v as usize)) else {
            continue;
        };
        let (e, f) = (b - a, c - a);
        let (eu, ev) = (f64::from(ub[0] - ua[0]), f64::from(ub[1] - ua[1]));
        let (fu, fv) = (f64::from(uc[0] - ua[0]), f64::from(uc[1] - ua[1]));
        let area = eu * fv - ev * fu;
        let along_u = (e * fv - f * ev) * area.signum();
        let Some(along_u) = along_u.try_normalize() else {
            continue;
        };
        for (i, corner) in [(b - a, c - a), (c - b, a - b), (a - c, b - c)]
            .into_iter()
            .enumerate()
        {
            let angle = match (corner.0.try_normalize(), corner.1.try_normalize()) {
                (Some(x), Some(y)) => libm::acos(x.dot(y).clamp(-1.0, 1.0)),
                _ => 0.0,
            };
            sums[t[i] as usize] += along_u * angle;
        }
    }
    let normals = mesh
        .normals
        .iter()
        .chain(std::iter::repeat(&[0.0, 0.0, 1.0]));
    sums.iter()
        .zip(normals)
        .map(|(&sum, &n)| {
            let n = Vec3::from(n).as_dvec3();
            let t = (sum - n * n.dot(sum))
                .try_normalize()
                .unwrap_or(DVec3::ZERO);
            t.as_vec3().into()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn triangles_that_share_edges_cover_each_texel_once(
            x in 0.01f32..0.99, y in 0.01f32..0.99, mirrored in any::<bool>()
        ) {
            let uvs = vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [x, y]];
            let mesh = VisualMesh {
                positions: uvs.iter().map(|uv| [uv[0], -uv[1], 0.0]).collect(),
                normals: vec![[0.0, 0.0, 1.0]; 5],
                base_normals: vec![[0.0, 0.0, 1.0]; 5],
                triangles: (0..4)
                    .map(|i| if mirrored { [(i + 1) % 4, i, 4] } else { [i, (i + 1) % 4, 4] })
                    .collect(),
                uvs,
            };
            let atlas =
                Atlas { width: 37, height: 41, texels_per_m: 39.0, fill: 1.0, charts: 1 };
            let drawing = Drawing::new(&mesh, &atlas, 5);
            let (mut pixels, mut texels) = (Vec::new(), Vec::new());
            let mut seen = vec![0; 37 * 41];
            for band in 0..9 {
                drawing.band(band, &mut pixels, &mut texels);
                prop_assert_eq!(pixels.len(), 8 * texels.len());
                // Beyond the last pixel it is repeated.
                pixels.dedup();
                for (i, &pixel) in pixels.iter().enumerate() {
                    let at = band * 5 * 37 + pixel as usize;
                    seen[at] += 1;
                    let (u, v) = ((at % 37) as f32 + 0.5, (at / 37) as f32 + 0.5);
                    let t = &texels[i / 8];
                    prop_assert!((t.p[0].0[i % 8] - u / 37.0).abs() < 1e-5);
                    prop_assert!((t.p[1].0[i % 8] + v / 41.0).abs() < 1e-5);
                    prop_assert_eq!(t.side.0[i % 8], if mirrored { -1.0 } else { 1.0 });
                }
            }
            prop_assert!(seen.iter().all(|&n| n == 1));
        }
    }
}
