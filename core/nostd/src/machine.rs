//! What this program has of a machine: a timer, and dice. `hosted.rs` and `bare.rs` have a way to
//! write, and the program's start and end.

use core::cell::Cell;
use saiban::{Clock, Entropy, Error};

/// A timer that somebody else moves.
pub struct Timer(Cell<u64>);

impl Timer {
    pub fn new(now_ms: u64) -> Self {
        Timer(Cell::new(now_ms))
    }

    pub fn set_ms(&self, now_ms: u64) {
        self.0.set(now_ms);
    }
}

impl Clock for Timer {
    fn now_ns(&self) -> Result<u64, Error> {
        self.0.get().checked_mul(1_000_000).ok_or(Error::ClockUnavailable)
    }
}

/// Randomness for this demonstration; a real machine has a source that nobody can foretell.
pub struct Dice(Cell<u64>);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(Cell::new(seed))
    }
}

impl Entropy for Dice {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        for byte in bytes {
            let mut state = self.0.get();
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            self.0.set(state);
            *byte = (state >> 32) as u8;
        }
        Ok(())
    }
}
