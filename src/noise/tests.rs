use super::*;
use proptest::prelude::*;

#[inline(always)]
fn everything_body(key: u32, x: &[f32], y: &[f32], z: &[f32]) -> Vec<u32> {
    let mut out = Vec::new();
    for ((x, y), z) in x.chunks(8).zip(y.chunks(8)).zip(z.chunks(8)) {
        let (x, y, z) = (F8::load(x), F8::load(y), F8::load(z));
        let (n, g) = fbm_grad(key, Fbm::new(3), x, y, z);
        let w = worley(key, 0.9, x, y, z);
        for v in [
            n,
            g[0],
            g[1],
            g[2],
            w.f1,
            w.f2,
            w.from1[0],
            w.from2[2],
            x.floor(),
            x / y,
        ] {
            out.extend(v.0.map(f32::to_bits));
        }
        out.extend(w.id.0);
        out.extend(y.to_int().0.map(|i| i as u32));
    }
    out
}

dispatch! {
    fn everything(key: u32, x: &[f32], y: &[f32], z: &[f32]) -> Vec<u32> = everything_body;
}

fn coordinates() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(-3000.0f32..3000.0, 40)
}

proptest! {
    #[test]
    fn baseline_and_avx2_give_the_same_bytes(
        key in any::<u32>(), x in coordinates(), y in coordinates(), z in coordinates()
    ) {
        // The body called from here is compiled for the baseline.
        prop_assert_eq!(everything(key, &x, &y, &z), everything_body(key, &x, &y, &z));
    }

    #[test]
    fn one_point_equals_the_batch(key in any::<u32>(), x in coordinates(), y in coordinates()) {
        let mut out = vec![0.0; 37];
        fill(key, &x, &y, &x, &mut out);
        for i in 0..out.len() {
            prop_assert_eq!(out[i].to_bits(), perlin_one(key, [x[i], y[i], x[i]]).to_bits());
        }
    }

    #[test]
    fn gradient_is_the_derivative(
        key in any::<u32>(), x in -20.0f32..20.0, y in -20.0f32..20.0, z in -20.0f32..20.0
    ) {
        let shape = Fbm::new(2);
        let s = F8::splat;
        let (v, g) = fbm_grad(key, shape, s(x), s(y), s(z));
        prop_assert_eq!(v, fbm(key, shape, s(x), s(y), s(z)));
        let e = 1.0 / 256.0;
        let at = |dx, dy, dz| fbm(key, shape, s(x + dx), s(y + dy), s(z + dz)).0[0];
        let numeric = [
            (at(e, 0.0, 0.0) - at(-e, 0.0, 0.0)) / (2.0 * e),
            (at(0.0, e, 0.0) - at(0.0, -e, 0.0)) / (2.0 * e),
            (at(0.0, 0.0, e) - at(0.0, 0.0, -e)) / (2.0 * e),
        ];
        for (n, g) in numeric.iter().zip(g) {
            prop_assert!((n - g.0[0]).abs() < 0.02, "{} against {}", n, g.0[0]);
        }
    }

    #[test]
    fn worley_is_the_nearest_point(
        key in any::<u32>(), x in -20.0f32..20.0, y in -20.0f32..20.0, z in -20.0f32..20.0
    ) {
        let s = F8::splat;
        let w = worley(key, 1.0, s(x), s(y), s(z));
        let length = |d: [F8; 3]| d.iter().map(|c| c.0[0] * c.0[0]).sum::<f32>().sqrt();
        prop_assert!(w.f1.0[0] <= w.f2.0[0] && w.f2.0[0] < 1.8);
        prop_assert!((length(w.from1) - w.f1.0[0]).abs() < 1e-5);
        prop_assert!((length(w.from2) - w.f2.0[0]).abs() < 1e-5);
        // At the nearest point itself the distance is nought and the cell the same.
        let at: [F8; 3] = std::array::from_fn(|i| s([x, y, z][i] - w.from1[i].0[0]));
        let there = worley(key, 1.0, at[0], at[1], at[2]);
        prop_assert!(there.f1.0[0] < 1e-4);
        prop_assert_eq!(there.id.0[0], w.id.0[0]);
    }

    #[test]
    fn floor_is_std_floor(v in prop::array::uniform8(-9e6f32..9e6), small in -3.0f32..3.0) {
        for lanes in [v, v.map(f32::trunc), [small; 8]] {
            prop_assert_eq!(F8(lanes).floor().0, lanes.map(f32::floor));
        }
    }
}

#[test]
fn nothing_panics_on_odd_numbers() {
    let odd = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        -0.0,
        1e30,
        -1e9,
        5e6,
    ];
    let _ = everything(1, &odd, &odd, &odd);
    assert_eq!(F8(odd).to_int().0[..3], [0, i32::MAX, i32::MIN]);
    assert!(
        F8(odd)
            .clamp(0.0, 1.0)
            .0
            .iter()
            .all(|v| (0.0..=1.0).contains(v))
    );
}

#[test]
fn distribution_is_even_and_keys_differ() {
    const N: usize = 1 << 16;
    let axis = |step: f32| (0..N).map(|i| i as f32 * step).collect::<Vec<_>>();
    let (x, y, z) = (axis(0.371), axis(0.113), axis(-0.237));
    let mut n = [vec![0.0; N], vec![0.0; N]];
    fill(1, &x, &y, &z, &mut n[0]);
    fill(2, &x, &y, &z, &mut n[1]);
    let mean = |f: &dyn Fn(usize) -> f32| (0..N).map(f).sum::<f32>() / N as f32;
    let variance = mean(&|i| n[0][i] * n[0][i]);
    assert!(mean(&|i| n[0][i]).abs() < 0.02);
    assert!(
        (0.25..0.40).contains(&variance.sqrt()),
        "{}",
        variance.sqrt()
    );
    assert!(n[0].iter().all(|v| v.abs() < 1.6));
    assert!((mean(&|i| n[0][i] * n[1][i]) / variance).abs() < 0.05);
}

#[test]
fn no_axis_is_preferred() {
    let s = F8::splat;
    let mut square = [0.0f64; 3];
    for i in 0..20_000u32 {
        let f = i as f32;
        let (_, g) = perlin_grad(5, s(f * 0.371), s(f * 0.113), s(f * 0.237));
        for axis in 0..3 {
            square[axis] += f64::from(g[axis].0[0]).powi(2);
        }
    }
    let mean = square.iter().sum::<f64>() / 3.0;
    assert!(
        square.iter().all(|s| (s / mean - 1.0).abs() < 0.05),
        "{square:?}"
    );
}

#[test]
fn published_values_stay() {
    let values: Vec<f32> = (0..6)
        .map(|i| perlin_one(42, [0.3 + i as f32, 0.7 * i as f32, -1.9]))
        .collect();
    insta::assert_debug_snapshot!(values);
}
