//! Pseudo-random numbers for choosing cases, from a fixed seed: equal on every machine.

/// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
pub struct Rng(u64);

impl Rng {
    /// Returns a generator with this seed. Each purpose has a seed of its own.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// Returns the next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number of `0..end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Returns a number of `0..=max`.
    pub fn up_to(&mut self, max: u64) -> u64 {
        if max == u64::MAX { self.next() } else { self.below(max + 1) }
    }

    /// Returns a number of `0..=max`, in a quarter of the calls one of the two ends: most errors
    /// are there.
    pub fn edgy(&mut self, max: u64) -> u64 {
        match self.below(8) {
            0 => 0,
            1 => max,
            _ => self.up_to(max),
        }
    }

    /// Returns a number of `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.up_to((high - low) as u64) as i64
    }
}
