//! The baker: bands of rows in parallel, eight texels at a time.

use super::blend::Blend;
use super::material::{Look, Recipes, Site};
use super::pad::{Coverage, pad};
use super::raster::{Drawing, Texel8};
use super::vector::{V8, add, cross, dot, scale, splat, sub, unit};
use super::{BakedChunk, ReliefGradient};
use crate::config::Config;
use crate::noise::{F8, dispatch, perlin_call};
use crate::progress::{Cancelled, Job};
use crate::rng::{Domain, noise_key};
use crate::surface::Chunk;
use crate::terrain::{LayerSet, Material, TerrainWindow};
use rayon::prelude::*;

/// Texels of a band: a few milliseconds of work, and its places fit the cache.
const BAND_TEXELS: u32 = 4096;

const MATERIALS: [Material; 4] = [
    Material::Rock,
    Material::Gravel,
    Material::Mud,
    Material::Sand,
];

/// A layer as the baker needs it.
struct Paint {
    material: Material,
    /// First colour, 0–1, and what each further one adds.
    first: [f32; 3],
    steps: Vec<[f32; 3]>,
    roughness: [f32; 2],
    bump: f32,
    /// Share of the colour left when dripping wet.
    wet_colour: f32,
    /// Share of the roughness left when dripping wet.
    wet_roughness: f32,
}

impl Paint {
    fn new(layer: &crate::terrain::Layer, strength: f32) -> Self {
        let palette: Vec<[f32; 3]> = layer
            .palette
            .iter()
            .map(|c| c.map(|v| f32::from(v) / 255.0))
            .collect();
        let first = palette.first().copied().unwrap_or([0.42; 3]);
        let steps = palette
            .windows(2)
            .map(|w| [w[1][0] - w[0][0], w[1][1] - w[0][1], w[1][2] - w[0][2]])
            .collect();
        // Porous ground darkens most: Lekner & Dorf 1988, "Why some things are darker when wet".
        let (wet_colour, wet_roughness) = match layer.material {
            Material::Rock => (0.74, 0.50),
            Material::Gravel => (0.74, 0.60),
            Material::Mud => (0.80, 0.42),
            Material::Sand => (0.70, 0.75),
        };
        Self {
            material: layer.material,
            first,
            steps,
            roughness: layer.roughness_range,
            bump: layer.normal_strength * strength,
            wet_colour,
            wet_roughness,
        }
    }

    #[inline(always)]
    fn colour(&self, tone: F8) -> V8 {
        let mut c = splat(self.first);
        let along = tone * self.steps.len() as f32;
        for (i, step) in self.steps.iter().enumerate() {
            let t = (along - i as f32).clamp(0.0, 1.0);
            c = add(c, [t * step[0], t * step[1], t * step[2]]);
        }
        c
    }
}

/// Everything a band needs.
struct Studio<'a> {
    recipes: Recipes,
    paints: Vec<Paint>,
    blend: Blend<'a>,
    wetness: f32,
    wet_key: u32,
}

/// Space for one band, kept by a thread.
#[derive(Default)]
struct Scratch {
    pixels: Vec<u32>,
    texels: Vec<Texel8>,
    relief: Vec<V8>,
    weights: Vec<F8>,
}

/// One band of the images.
struct Band<'a> {
    albedo: &'a mut [u8],
    normal: &'a mut [u8],
    roughness: &'a mut [u8],
    covered: &'a mut [u8],
}

/// Bakes the three maps of a chunk.
///
/// `window` must hold the cells around the chunk, `relief` is what the field adds to the base
/// normals. Texels outside all charts are filled: `texture.padding_px` and one more around each
/// chart with its nearest texel, the rest with the mean.
///
/// # Errors
/// [`Cancelled`] once `job` is; it is asked every few milliseconds. Progress is the caller's to
/// report, chunk by chunk.
#[allow(clippy::too_many_arguments)]
pub fn bake(
    chunk: &Chunk,
    window: &TerrainWindow,
    layers: &LayerSet,
    relief: &dyn ReliefGradient,
    config: &Config,
    seed: u64,
    job: &Job,
) -> Result<BakedChunk, Cancelled> {
    let (width, height) = (chunk.atlas.width, chunk.atlas.height);
    let count = width as usize * height as usize;
    let mut out = BakedChunk {
        width,
        height,
        albedo: vec![0; 3 * count],
        normal: vec![0; 3 * count],
        roughness: vec![0; count],
    };
    job.check()?;
    if count == 0 {
        return Ok(out);
    }
    let key = |i| noise_key(seed, Domain::Texture, i);
    let studio = Studio {
        recipes: Recipes::new(seed, 1.0 / chunk.atlas.texels_per_m.max(1e-3)),
        paints: layers
            .layers
            .iter()
            .map(|l| Paint::new(l, config.texture.normal_strength as f32))
            .collect(),
        blend: Blend::new(
            window,
            layers.layers.len(),
            config.terrain.blend_m as f32,
            key(1),
        ),
        wetness: config.terrain.wetness as f32,
        wet_key: key(3),
    };
    let rows = (BAND_TEXELS / width).max(1);
    let band_texels = (rows * width) as usize;
    let drawing = Drawing::new(&chunk.visual, &chunk.atlas, rows);
    let mut coverage = Coverage::new(width, height);

    let albedo = out.albedo.par_chunks_mut(3 * band_texels);
    let normal = out.normal.par_chunks_mut(3 * band_texels);
    let roughness = out.roughness.par_chunks_mut(band_texels);
    let covered = coverage.texels.par_chunks_mut(band_texels);
    albedo
        .zip(normal)
        .zip(roughness)
        .zip(covered)
        .enumerate()
        .try_for_each_init(
            Scratch::default,
            |scratch, (i, (((albedo, normal), roughness), covered))| {
                job.check()?;
                drawing.band(i, &mut scratch.pixels, &mut scratch.texels);
                scratch.relief.clear();
                scratch.relief.extend(
                    scratch
                        .texels
                        .iter()
                        .map(|t| relief.gradient(t.p, unit(t.base, t.normal))),
                );
                scratch.weights.resize(studio.paints.len(), F8::ZERO);
                paint(
                    &studio,
                    scratch,
                    &mut Band {
                        albedo,
                        normal,
                        roughness,
                        covered,
                    },
                );
                Ok(())
            },
        )?;
    pad(&mut out, &coverage, config.texture.padding_px + 1, job)?;
    Ok(out)
}

/// Paints the places in `scratch`, eight at a time.
fn paint(studio: &Studio, scratch: &mut Scratch, band: &mut Band) {
    let Scratch {
        pixels,
        texels,
        relief,
        weights,
    } = scratch;
    for ((pixels, texel), relief) in pixels.chunks_exact(8).zip(&*texels).zip(&*relief) {
        let site = site(studio, texel, weights);
        let coat = studio.coat(&site, weights);
        finish(texel, relief, &coat, pixels, band);
    }
}

// Each step is a function of its own: the compiler gives up on vectors in large functions.
dispatch! {
    /// The layer weights at eight texels, and what the recipes want to know of them.
    fn ['a, 'b] site(studio: &'a Studio<'b>, texel: &'a Texel8, weights: &'a mut [F8]) -> Site
        = site_body;

    /// Adds a layer of weight `w` to a mix.
    fn add_layer(coat: &mut Coat, paint: &Paint, look: &Look, wet: F8, w: F8) = Coat::add;

    /// Turns a mix into pixels.
    fn ['a, 'b] finish(
        texel: &'a Texel8, relief: &'a V8, coat: &'a Coat, pixels: &'a [u32], band: &'a mut Band<'b>,
    ) = finish_body;
}

#[inline(always)]
fn site_body<'a, 'b>(studio: &'a Studio<'b>, texel: &'a Texel8, weights: &'a mut [F8]) -> Site {
    let p = texel.p;
    let moisture = studio.blend.at(p, weights);
    let drip = perlin_call(studio.wet_key, &[p[0] * 1.3, p[1] * 1.3, p[2] * 0.5]);
    let wet =
        (moisture * (2.0 * studio.wetness) + drip * (0.3 * studio.wetness)).smoothstep(0.2, 0.95);
    Site::new(p, unit(texel.normal, splat([0.0, 0.0, 1.0]))[2], wet)
}

#[inline(always)]
fn finish_body<'a, 'b>(
    texel: &'a Texel8,
    relief: &'a V8,
    coat: &'a Coat,
    pixels: &'a [u32],
    band: &'a mut Band<'b>,
) {
    let share = F8::ONE / coat.weight.max(F8::splat(1e-6));
    let normal = Frame::new(texel).shade(sub(*relief, scale(coat.bump, share)));
    band.write(
        pixels,
        scale(coat.colour, share),
        coat.roughness * share,
        normal,
    );
}

/// The mix of all layers at eight places: sums, to be divided by the weight.
#[derive(Default)]
struct Coat {
    weight: F8,
    /// sRGB, 0–1.
    colour: V8,
    roughness: F8,
    /// Gradient of the height of the bumps, world axes.
    bump: V8,
}

impl Studio<'_> {
    fn coat(&self, site: &Site, weights: &[F8]) -> Coat {
        let mut coat = Coat::default();
        for material in MATERIALS {
            let mut look = None;
            for (paint, w) in self.paints.iter().zip(weights) {
                if paint.material == material && w.0.iter().any(|&w| w > 0.0) {
                    // Layers of one material share its pattern.
                    let look = look.get_or_insert_with(|| self.recipes.look(material, site));
                    add_layer(&mut coat, paint, look, site.wet, *w);
                }
            }
        }
        coat
    }
}

impl Coat {
    #[inline(always)]
    fn add(&mut self, paint: &Paint, look: &Look, wet: F8, w: F8) {
        // At a border the higher material covers the lower: stones stand out of mud.
        let w = w * (look.height.clamp(0.0, 1.0) * 0.9 + 0.1);
        self.weight = self.weight + w;
        let colour = paint.colour(look.tone.clamp(0.0, 1.0));
        let damp = F8::ONE - wet * (1.0 - paint.wet_colour);
        let light = damp * (look.open * 0.55 + 0.45) * w;
        let warmth = look.warmth.clamp(-1.0, 1.0) * 0.055;
        let tint = [warmth + 1.0, F8::ONE, F8::ONE - warmth];
        for i in 0..3 {
            self.colour[i] = self.colour[i] + colour[i] * tint[i] * light;
        }
        let [low, high] = paint.roughness;
        let dry = look.roughness.clamp(0.0, 1.0) * (high - low) + low;
        let roughness = dry * (F8::ONE - wet * (1.0 - paint.wet_roughness));
        self.roughness = self.roughness + roughness * w;
        // A film of water levels the finest bumps.
        let bump = (F8::ONE - wet * 0.25) * w * paint.bump;
        self.bump = add(self.bump, scale(look.bump, bump));
    }
}

/// Tangent frame of eight texels, as the renderer derives it.
struct Frame {
    tangent: V8,
    bitangent: V8,
    normal: V8,
    base: V8,
}

impl Frame {
    #[inline(always)]
    fn new(t: &Texel8) -> Self {
        let normal = unit(t.normal, splat([0.0, 0.0, 1.0]));
        let base = unit(t.base, normal);
        // Any direction will do where a vertex has no tangent: there is no texture direction.
        let some = unit(
            cross([normal[1], normal[2], normal[0]], normal),
            splat([1.0, 0.0, 0.0]),
        );
        let tangent = unit(sub(t.tangent, scale(normal, dot(normal, t.tangent))), some);
        let bitangent = scale(cross(normal, tangent), t.side);
        Self {
            tangent,
            bitangent,
            normal,
            base,
        }
    }

    /// The base normal turned by a gradient (world axes, toward the light side), in the frame.
    #[inline(always)]
    fn shade(&self, gradient: V8) -> V8 {
        let level = sub(gradient, scale(self.base, dot(self.base, gradient)));
        let n = unit(add(self.base, level), self.normal);
        let (x, y) = (dot(n, self.tangent), dot(n, self.bitangent));
        // Never behind the surface: the blue channel stays at 128 and above.
        let z = dot(n, self.normal).max(F8::splat(0.05));
        unit([x, y, z], splat([0.0, 0.0, 1.0]))
    }
}

impl Band<'_> {
    #[inline(always)]
    fn write(&mut self, pixels: &[u32], colour: V8, roughness: F8, normal: V8) {
        let byte = |v: F8| (v.clamp(0.0, 1.0) * 255.0 + 0.5).floor_int().1;
        let colour = colour.map(byte);
        let normal = normal.map(|v| byte(v * 0.5 + 0.5));
        // A perfect mirror would sparkle.
        let roughness = byte(roughness.max(F8::splat(0.04)));
        for (lane, &pixel) in pixels.iter().enumerate() {
            let i = pixel as usize;
            let (Some(a), Some(n)) = (
                self.albedo.get_mut(3 * i..3 * i + 3),
                self.normal.get_mut(3 * i..3 * i + 3),
            ) else {
                continue;
            };
            a.copy_from_slice(&colour.map(|c| c.0[lane] as u8));
            n.copy_from_slice(&normal.map(|c| c.0[lane] as u8));
            self.roughness[i] = roughness.0[lane] as u8;
            self.covered[i] = 1;
        }
    }
}
