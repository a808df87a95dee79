//! Random streams that depend on what they are for, never on when they are drawn.
//!
//! Every stream is ChaCha8, a counter-based generator, keyed by `(seed, domain, entity)`.
//! Two streams with different keys are independent; the same key gives the same numbers on
//! every machine and at every thread count.

use rand::SeedableRng;
pub use rand_chacha::ChaCha8Rng;

/// What a stream is used for; part of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Domain {
    /// Skeleton growth.
    Skeleton = 1,
    /// Shape of the rock: relief and passage variation.
    Field = 2,
    /// Terrain layers.
    Terrain = 3,
    /// Texture synthesis.
    Texture = 4,
    /// Rocks and dripstones.
    Objects = 5,
}

/// The stream for one entity (a node id, a patch number, …) of a domain.
pub fn stream(seed: u64, domain: Domain, entity: u64) -> ChaCha8Rng {
    let mut key = [0u8; 32];
    key[0..8].copy_from_slice(&seed.to_le_bytes());
    key[8..12].copy_from_slice(&(domain as u32).to_le_bytes());
    key[16..24].copy_from_slice(&entity.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// A 32-bit key for the noise functions, which take no stream.
///
/// SplitMix64 finaliser (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number
/// generators", §5) over the mixed key.
pub fn noise_key(seed: u64, domain: Domain, entity: u64) -> u32 {
    let mut z = seed
        ^ (domain as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ entity.wrapping_mul(0xD1B5_4A32_D192_ED03);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 16) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt as _;

    #[test]
    fn streams_reproduce_and_differ() {
        let mut a = stream(7, Domain::Skeleton, 3);
        let mut b = stream(7, Domain::Skeleton, 3);
        let mut c = stream(7, Domain::Skeleton, 4);
        let (x, y, z): (u64, u64, u64) = (a.random(), b.random(), c.random());
        assert_eq!(x, y);
        assert_ne!(x, z);
        assert_ne!(
            noise_key(1, Domain::Field, 0),
            noise_key(2, Domain::Field, 0)
        );
    }
}
