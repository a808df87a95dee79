//! Rate of the noise functions, one core: AVX2 beside the baseline.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plume::noise::{self, F8, Fbm, dispatch};

const N: usize = 1 << 14;

/// A kernel that fills a slice with an expression of `k`, `x`, `y`, `z`.
macro_rules! kernel {
    ($name:ident, $body:ident, |$k:ident, $x:ident, $y:ident, $z:ident| $e:expr) => {
        #[inline(always)]
        fn $body($k: u32, x: &[f32], y: &[f32], z: &[f32], out: &mut [f32]) {
            let points = x.chunks(8).zip(y.chunks(8)).zip(z.chunks(8));
            for (o, ((x, y), z)) in out.chunks_mut(8).zip(points) {
                let ($x, $y, $z) = (F8::load(x), F8::load(y), F8::load(z));
                ($e).store(o);
            }
        }
        dispatch! {
            fn $name(k: u32, x: &[f32], y: &[f32], z: &[f32], out: &mut [f32]) = $body;
        }
    };
}

kernel!(perlin_grad, perlin_grad_body, |k, x, y, z| {
    let (v, g) = noise::perlin_grad(k, x, y, z);
    v + g[0] + g[1] + g[2]
});
kernel!(worley, worley_body, |k, x, y, z| {
    let w = noise::worley(k, 0.9, x, y, z);
    w.f2 - w.f1
});
kernel!(fbm, fbm_body, |k, x, y, z| noise::fbm(
    k,
    Fbm::new(4),
    x,
    y,
    z
));

type Fill = fn(u32, &[f32], &[f32], &[f32], &mut [f32]);

fn rates(c: &mut Criterion) {
    let axis = |step: f32| (0..N).map(|i| i as f32 * step).collect::<Vec<_>>();
    let (x, y, z) = (axis(0.37), axis(0.11), axis(-0.23));
    let mut out = vec![0.0; N];
    let kernels: [(&str, Fill); 4] = [
        ("perlin", noise::fill),
        ("perlin_grad", perlin_grad),
        ("fbm 4 octaves", fbm),
        ("worley", worley),
    ];
    for (kernel, f) in kernels {
        let mut group = c.benchmark_group(kernel);
        group.throughput(Throughput::Elements(N as u64));
        for (name, baseline) in [("avx2", false), ("baseline", true)] {
            noise::force_baseline(baseline);
            group.bench_function(name, |b| b.iter(|| f(7, &x, &y, &z, &mut out)));
        }
        noise::force_baseline(false);
        group.finish();
    }
}

criterion_group!(benches, rates);
criterion_main!(benches);
