//! Packing charts into one image by their outlines.
//!
//! Charts are dropped, tallest first and in the best of four turns, onto the skyline of those below
//! (Lévy et al. 2002, "Least squares conformal maps", §5: "tetris" packing with both profiles).

use super::charts::Chart;
use glam::Vec2;

/// Where a chart lies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Quarter turns counter-clockwise.
    pub turns: u8,
    /// Offset of the turned chart's lower corner, pixels.
    pub offset: Vec2,
}

/// All charts of a chunk on one image.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// One place per chart.
    pub places: Vec<Place>,
}

/// The point of a chart of size `size` after quarter turns, still in the positive quadrant.
pub fn turned(p: Vec2, size: Vec2, turns: u8) -> Vec2 {
    match turns % 4 {
        0 => p,
        1 => Vec2::new(size.y - p.y, p.x),
        2 => size - p,
        _ => Vec2::new(p.y, size.x - p.x),
    }
}

/// The smallest layout found in which no edge is longer than `largest` pixels; none if there is
/// no such layout.
pub fn pack(charts: &[Chart], texels_per_m: f32, padding: u32, largest: u32) -> Option<Layout> {
    let outlines: Vec<[Outline; 4]> = charts
        .iter()
        .map(|c| [0, 1, 2, 3].map(|turns| Outline::of(c, texels_per_m, turns, padding)))
        .collect();
    let covered: f32 = outlines.iter().map(|o| o[0].area()).sum();
    let ideal = covered.sqrt();
    let narrowest = outlines
        .iter()
        .map(|o| o[0].low.len().min(o[1].low.len()))
        .max()
        .unwrap_or(0) as u32;
    let mut best: Option<Layout> = None;
    for stretch in [0.98, 1.04, 1.1] {
        let width = round_up((ideal * stretch) as u32)
            .max(round_up(narrowest))
            .min(largest);
        if let Some(layout) = drop_all(&outlines, width, largest) {
            let area = |l: &Layout| u64::from(l.width) * u64::from(l.height);
            if best.as_ref().is_none_or(|b| area(&layout) < area(b)) {
                best = Some(layout);
            }
        }
    }
    best.or_else(|| drop_all(&outlines, largest, largest))
}

fn round_up(pixels: u32) -> u32 {
    pixels.div_ceil(16).max(1) * 16
}

/// A chart's lower and upper profile, one entry a pixel column, padding included.
struct Outline {
    low: Vec<i32>,
    high: Vec<i32>,
    /// Pixels the padding adds at the left and below.
    margin: i32,
}

impl Outline {
    fn of(chart: &Chart, texels_per_m: f32, turns: u8, padding: u32) -> Self {
        let size = chart.size();
        let turned_size = if turns % 2 == 0 {
            size
        } else {
            Vec2::new(size.y, size.x)
        };
        let columns = (turned_size.x * texels_per_m).ceil() as usize + 1;
        let (mut low, mut high) = (vec![i32::MAX; columns], vec![i32::MIN; columns]);
        for corners in &chart.corners {
            let p = corners.map(|c| turned(c, size, turns) * texels_per_m);
            for i in 0..3 {
                let (a, b) = if p[i].x <= p[(i + 1) % 3].x {
                    (p[i], p[(i + 1) % 3])
                } else {
                    (p[(i + 1) % 3], p[i])
                };
                let slope = (b.y - a.y) / (b.x - a.x).max(1e-6);
                for x in (a.x as usize)..=(b.x as usize).min(columns - 1) {
                    let from = (x as f32).max(a.x).min(b.x);
                    let to = (x as f32 + 1.0).min(b.x).max(a.x);
                    for at in [a.y + slope * (from - a.x), a.y + slope * (to - a.x)] {
                        let at = at.clamp(a.y.min(b.y), a.y.max(b.y));
                        low[x] = low[x].min(at.floor() as i32);
                        high[x] = high[x].max(at.ceil() as i32);
                    }
                }
            }
        }
        Self::padded(&low, &high, padding.div_ceil(2) as i32)
    }

    fn padded(low: &[i32], high: &[i32], margin: i32) -> Self {
        let m = margin as usize;
        let n = low.len() + 2 * m;
        let window = |i: usize| i.saturating_sub(2 * m)..(i + 1).min(low.len());
        let pick = |i: usize, of: &[i32], best: fn(i32, i32) -> i32, none: i32| {
            of[window(i)].iter().copied().fold(none, best)
        };
        Self {
            low: (0..n)
                .map(|i| match pick(i, low, i32::min, i32::MAX) {
                    i32::MAX => 0,
                    v => v,
                })
                .collect(),
            high: (0..n)
                .map(|i| match pick(i, high, i32::max, i32::MIN) {
                    i32::MIN => 0,
                    v => v + 2 * margin,
                })
                .collect(),
            margin,
        }
    }

    fn area(&self) -> f32 {
        self.low
            .iter()
            .zip(&self.high)
            .map(|(l, h)| (h - l) as f32)
            .sum()
    }

    fn height(&self) -> i32 {
        self.high.iter().copied().max().unwrap_or(0)
    }
}

fn drop_all(outlines: &[[Outline; 4]], width: u32, tallest: u32) -> Option<Layout> {
    let mut order: Vec<usize> = (0..outlines.len()).collect();
    let long = |i: usize| outlines[i][0].height().max(outlines[i][1].height());
    order.sort_by_key(|&i| (std::cmp::Reverse(long(i)), i));
    let mut skyline = vec![0i32; width as usize];
    let mut places = vec![Place::default(); outlines.len()];
    for i in order {
        let mut best: Option<(i64, u8, usize, i32)> = None;
        for turns in 0..4u8 {
            let o = &outlines[i][turns as usize];
            if o.low.len() > skyline.len() {
                continue;
            }
            for x in (0..=skyline.len() - o.low.len()).step_by(4) {
                let under = &skyline[x..x + o.low.len()];
                let y = under
                    .iter()
                    .zip(&o.low)
                    .map(|(s, l)| s - l)
                    .max()
                    .unwrap_or(0)
                    .max(0);
                if y + o.height() > tallest as i32 {
                    continue;
                }
                let wasted: i64 = under
                    .iter()
                    .zip(&o.low)
                    .map(|(s, l)| i64::from(y + l - s))
                    .sum();
                let score = wasted + i64::from(y + o.height()) * o.low.len() as i64 / 2;
                if best.is_none_or(|b| score < b.0) {
                    best = Some((score, turns, x, y));
                }
            }
        }
        let (_, turns, x, y) = best?;
        let o = &outlines[i][turns as usize];
        for (s, h) in skyline[x..x + o.high.len()].iter_mut().zip(&o.high) {
            *s = y + h;
        }
        let offset = Vec2::new((x as i32 + o.margin) as f32, (y + o.margin) as f32);
        places[i] = Place { turns, offset };
    }
    let top = skyline.iter().copied().max().unwrap_or(0).max(1) as u32;
    Some(Layout {
        width,
        height: round_up(top).min(tallest),
        places,
    })
}
