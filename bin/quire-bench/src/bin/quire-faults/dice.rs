//! Reproducible random numbers: equal seeds give equal sequences.

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// Returns a number below `sides`.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).checked_rem(sides).unwrap_or(0)
    }

    /// Returns one of some values.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let sides = u64::try_from(from.len()).unwrap_or(0);
        from.get(usize::try_from(self.roll(sides)).unwrap_or(0))
    }
}
