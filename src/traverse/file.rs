//! `floor.bin`: all that planning needs, in one file.
//!
//! Little endian: the magic `PLUMEFLR`, a version, the robot, the layers and the shafts as one JSON text with its length, the grid
//! (cell edge, first column, size), the number of spans, 30 bytes a span, and the first 8 bytes of the BLAKE3
//! hash of everything before. Spans are sorted by row, column and height; links are found anew when reading, so that
//! no file can make them point elsewhere.

use super::error::{Error, FileFault};
use super::floor::{Floor, FloorLayer, Span};
use super::grid::Grid;
use super::robot::Robot;
use super::shafts::Shaft;
use crate::progress::Job;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::Path;

const MAGIC: &[u8; 8] = b"PLUMEFLR";
const VERSION: u32 = 2;
const SPAN_BYTES: usize = 4 * 7 + 2;
const HASH_BYTES: usize = 8;

/// The part that is text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    robot: Robot,
    layers: Vec<FloorLayer>,
    shafts: Vec<Shaft>,
}

impl Floor {
    /// The floor as bytes; equal floors give equal bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let head = Head {
            robot: self.robot.clone(),
            layers: self.layers.clone(),
            shafts: self.shafts.clone(),
        };
        let head = serde_json::to_vec(&head).map_err(|e| FileFault::Value(e.to_string()))?;
        let mut bytes = Vec::with_capacity(64 + head.len() + self.spans.len() * SPAN_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        bytes.extend(self.grid.cell_m.to_le_bytes());
        bytes.extend(self.grid.min.iter().flat_map(|c| c.to_le_bytes()));
        bytes.extend(self.grid.size.iter().flat_map(|c| c.to_le_bytes()));
        bytes.extend((self.spans.len() as u32).to_le_bytes());
        for s in &self.spans {
            bytes.extend(s.x.to_le_bytes());
            bytes.extend(s.y.to_le_bytes());
            for value in [s.z, s.roof, s.slope, s.roughness, s.clearance] {
                bytes.extend(value.to_le_bytes());
            }
            bytes.extend([s.layer, s.flags]);
        }
        let hash = blake3::hash(&bytes);
        bytes.extend(&hash.as_bytes()[..HASH_BYTES]);
        Ok(bytes)
    }

    /// A floor from bytes. Anything that [`Floor::to_bytes`] would not have written is an error.
    pub fn from_bytes(bytes: &[u8], job: &Job<'_>) -> Result<Self, Error> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.take::<8>()? != *MAGIC {
            return Err(FileFault::Magic.into());
        }
        let found = u32::from_le_bytes(reader.take()?);
        if found != VERSION {
            return Err(FileFault::Version {
                found,
                known: VERSION,
            }
            .into());
        }
        let body = bytes
            .len()
            .checked_sub(HASH_BYTES)
            .ok_or(FileFault::Truncated(bytes.len()))?;
        if blake3::hash(&bytes[..body]).as_bytes()[..HASH_BYTES] != bytes[body..] {
            return Err(FileFault::Checksum.into());
        }
        reader.bytes = &bytes[..body];
        let length = reader.u32()? as usize;
        let head: Head = serde_json::from_slice(reader.slice(length)?)
            .map_err(|e| FileFault::Value(format!("its robot, layers or shafts: {e}")))?;
        head.robot.validate("in the floor file")?;
        let grid = Grid {
            cell_m: f64::from_le_bytes(reader.take()?),
            min: [
                i32::from_le_bytes(reader.take()?),
                i32::from_le_bytes(reader.take()?),
            ],
            size: [reader.u32()?, reader.u32()?],
        };
        if !(0.02..=10.0).contains(&grid.cell_m)
            || grid.size.iter().any(|s| !(1..=8_000_001).contains(s))
            || grid.min.iter().any(|m| m.unsigned_abs() > 4_000_001)
        {
            return Err(FileFault::Value("its grid is out of range".into()).into());
        }
        let count = reader.u32()? as usize;
        let spans = reader.slice(count.saturating_mul(SPAN_BYTES))?;
        if reader.at != body {
            return Err(FileFault::Value("it is longer than it says".into()).into());
        }
        let spans = spans
            .chunks_exact(SPAN_BYTES)
            .map(|chunk| {
                read_span(&mut Reader {
                    bytes: chunk,
                    at: 0,
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        check(&spans, &grid, &head.layers)?;
        let mut floor = Self::from_spans(head.robot, head.layers, grid, spans, job)?;
        floor.shafts = head.shafts;
        Ok(floor)
    }

    /// Writes [`Floor::to_bytes`] to a file.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let bytes = self.to_bytes()?;
        std::fs::File::create(path)
            .and_then(|mut file| file.write_all(&bytes))
            .map_err(|source| Error::Io {
                path: path.to_owned(),
                source,
            })
    }

    /// Reads a file written by [`Floor::save`].
    pub fn load(path: &Path, job: &Job<'_>) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::from_bytes(&bytes, job)
    }
}

fn read_span(reader: &mut Reader<'_>) -> Result<Span, FileFault> {
    let (x, y) = (reader.u32()?, reader.u32()?);
    let mut float = || reader.take().map(f32::from_le_bytes);
    let (z, roof, slope, roughness, clearance) = (float()?, float()?, float()?, float()?, float()?);
    let [layer, flags] = reader.take()?;
    Ok(Span {
        x,
        y,
        z,
        roof,
        slope,
        roughness,
        clearance,
        layer,
        flags,
        moves: 0,
    })
}

/// Order, ranges and flags.
fn check(spans: &[Span], grid: &Grid, layers: &[FloorLayer]) -> Result<(), FileFault> {
    for (i, s) in spans.iter().enumerate() {
        let floats = [s.z, s.roof, s.slope, s.roughness, s.clearance];
        if !floats.iter().all(|f| f.is_finite())
            || s.x >= grid.size[0]
            || s.y >= grid.size[1]
            || usize::from(s.layer) >= layers.len()
            || s.flags > (Span::OPEN | Span::WALKABLE)
            || s.flags == Span::WALKABLE
        {
            return Err(FileFault::Value(format!("span {i} is out of range")));
        }
    }
    let sorted = spans
        .is_sorted_by(|a, b| (a.y, a.x) < (b.y, b.x) || ((a.y, a.x) == (b.y, b.x) && a.z <= b.z));
    if !sorted {
        return Err(FileFault::Value("its spans are not in order".into()));
    }
    match layers
        .iter()
        .find(|l| !(l.cost.is_finite() && l.cost > 0.0))
    {
        Some(l) => Err(FileFault::Value(format!(
            "layer {:?} costs {}",
            l.name, l.cost
        ))),
        None => Ok(()),
    }
}

/// Takes bytes from the front.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], FileFault> {
        let end = self.at.checked_add(length);
        let slice = end.and_then(|end| self.bytes.get(self.at..end));
        self.at += slice.map_or(0, <[u8]>::len);
        slice.ok_or(FileFault::Truncated(self.bytes.len()))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FileFault> {
        let slice = self.slice(N)?;
        slice
            .try_into()
            .map_err(|_| FileFault::Truncated(self.bytes.len()))
    }

    fn u32(&mut self) -> Result<u32, FileFault> {
        self.take().map(u32::from_le_bytes)
    }
}
