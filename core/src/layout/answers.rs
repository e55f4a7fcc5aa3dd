//! What a layout answers about itself: how long it lasts, how much it holds, and what comes twice.

use super::{Field, Layout};
use crate::error::Error;

/// Where a field stands.
///
/// ```
/// use saiban::{Layout, layout::{FieldKind, Place}};
/// let node = |place: &Place| place.field.kind == FieldKind::Node;
/// let place = Layout::TWITTER.places().find(node).unwrap();
/// assert_eq!((place.shift, place.max), (12, 1023));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The field.
    pub field: Field,
    /// How many bits stand below it.
    pub shift: u32,
    /// The largest number of so many bits.
    pub max: u128,
}

/// How many IDs a layout holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capacity {
    /// The most IDs that one node makes in one tick: the numbers of the sequence, or of the growing random part. Where there is neither it is 1,
    /// or as many as the random part has numbers, of which equal ones come long before.
    pub ids_per_tick: u128,
    /// The nodes; 1 without a node field.
    pub nodes: u64,
    /// How many bits of an ID are neither unused nor constant: `ids` is 2 to this power.
    pub bits: u32,
    /// How many different IDs there are, from the first tick to the last; `u128::MAX` for 2^128.
    pub ids: u128,
}

/// How many IDs can be made in a second, for as long as one likes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// By one node.
    pub per_node: f64,
    /// By all nodes.
    pub in_all: f64,
}

/// With so few IDs each is looked at by itself.
const FEW: u64 = 4_096;

impl Layout {
    /// The fields with their places, from the highest bit to the lowest.
    ///
    /// ```
    /// use saiban::Layout;
    /// let node = Layout::TWITTER.places().find(|place| place.field.kind.name() == "node");
    /// assert_eq!(node.map(|place| (place.shift, place.max)), Some((12, 1023)));
    /// ```
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let mut shift = self.size_bits();
        self.spec.fields().into_iter().map(move |field| {
            shift -= field.bits;
            Place { field, shift, max: u128::MAX >> (128 - field.bits) }
        })
    }

    /// How long the layout lasts, from the first tick to the end of the last: milliseconds, rounded down.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a larger number is cut to the largest")]
    pub const fn lifetime_ms(&self) -> u64 {
        let ms = self.ticks() as u128 * self.tick_ns() as u128 / 1_000_000;
        if ms > u64::MAX as u128 { u64::MAX } else { ms as u64 }
    }

    /// How many IDs the layout holds.
    ///
    /// ```
    /// use saiban::Layout;
    /// let capacity = Layout::TWITTER.capacity();
    /// assert_eq!((capacity.ids_per_tick, capacity.nodes, capacity.ids), (4096, 1024, 1 << 63));
    /// ```
    #[must_use]
    pub const fn capacity(&self) -> Capacity {
        let per_tick = if self.counter.bits > 0 { self.counter.bits } else { self.random.bits };
        let bits = 128 - self.fixed_mask.count_ones();
        Capacity {
            ids_per_tick: 1 << per_tick,
            nodes: self.max_node() + 1,
            bits,
            ids: if bits == 128 { u128::MAX } else { 1 << bits },
        }
    }

    /// How many IDs a second can be made: so many as a tick holds, on the average where that is drawn (within one ID a tick). A growing random part begins anywhere in its range,
    /// and its steps are (step + 1) / 2 in the mean; a sequence that begins anywhere in the lower half of its range has three quarters of it.
    ///
    /// ```
    /// use saiban::Layout;
    /// assert_eq!(Layout::TWITTER.ids_per_second().per_node, 4_096_000.0);
    /// assert_eq!(Layout::SONYFLAKE.ids_per_second().in_all, 25_600.0 * 65_536.0);
    /// ```
    #[must_use]
    pub fn ids_per_second(&self) -> Rate {
        let Capacity { ids_per_tick, nodes, .. } = self.capacity();
        let most = ids_per_tick as f64;
        let ids = if self.is_random() {
            1.0 + (most - 1.0) / (self.max_step() as f64 + 1.0)
        } else if self.has_random_start() {
            most * 0.75 + 0.5
        } else {
            most
        };
        let per_node = ids * 1e9 / self.tick_ns() as f64;
        Rate { per_node, in_all: per_node * nodes as f64 }
    }

    /// The probability, 0 to 1, that at least two of the IDs are equal which one node makes in so many seconds, at this many a second; where
    /// there is no node field, all who make IDs.
    ///
    /// It is 0 where time, node and counter tell them apart ([`Layout::is_unique`]). Where a random part alone does, within a tick, it is
    /// the birthday problem: IDs are made at any time with equal probability, and two are equal when their ticks and random parts are. Of n
    /// nodes it is `1 - (1 - p)^n`. Of infinitely many IDs it is 1.
    ///
    /// ```
    /// use saiban::Layout;
    /// let layout = Layout::from_text("timestamp:48 random:80")?;
    /// let odds = layout.collision_odds(1e6, 86_400.0 * 365.0)?;
    /// assert!((odds / 1.304e-8 - 1.0).abs() < 1e-3, "{odds}");
    /// assert_eq!(Layout::TWITTER.collision_odds(1e6, 86_400.0), Ok(0.0));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for a number that is negative, or none (NaN).
    pub fn collision_odds(&self, ids_per_second: f64, seconds: f64) -> Result<f64, Error> {
        for (given, what) in [
            (ids_per_second, "the IDs a second are negative or no number: give 0 or more"),
            (seconds, "the seconds are negative or no number: give 0 or more"),
        ] {
            if given.is_nan() || given < 0.0 {
                return Err(Error::InvalidArgument { what });
            }
        }
        if self.is_unique() || ids_per_second == 0.0 || seconds == 0.0 {
            return Ok(0.0);
        }
        let ids = ids_per_second * seconds;
        // At least one tick, and no more than there are.
        let ticks = (seconds * 1e9 / self.tick_ns() as f64).clamp(1.0, self.ticks() as f64);
        Ok(birthday_odds(ids, ticks * (self.max_random() as f64 + 1.0)))
    }
}

/// The probability that of so many numbers, rounded down, drawn out of `cells`, at least two are equal.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a number is rounded down, and one that is looped over is at most FEW"
)]
fn birthday_odds(numbers: f64, cells: f64) -> f64 {
    // `floor` is std's. A number too large for the type is too large for any cells.
    let numbers = numbers as u128;
    if numbers as f64 > cells {
        return 1.0;
    }
    if numbers <= FEW.into() {
        // The next one meets one of those before it, if they have not met yet. Only additions: small odds keep their digits.
        return (1..numbers as u64).fold(0.0, |odds, before| odds + (1.0 - odds) * (before as f64 / cells));
    }
    // -ln of the probability that none are equal, the sum of -ln(1 - i / cells) for i below the number: the integral and the half of
    // the last term, both as power series of the share of cells that are taken. What is left out is below share / 12.
    let share = numbers as f64 / cells;
    if share > 0.5 {
        // So many numbers, and half of the cells taken.
        return 1.0;
    }
    let (mut integral, mut last) = (0.0, 0.0);
    let mut power = share;
    for k in 1..64 {
        let k = f64::from(k);
        last += power / k;
        power *= share;
        integral += power / (k * (k + 1.0));
    }
    one_minus_exp(cells * integral - last / 2.0)
}

/// 1 - e^-x for x of 0 and up, to nearly all digits of small results too. `exp` is std's.
fn one_minus_exp(x: f64) -> f64 {
    let (mut x, mut doublings) = (x, 0);
    while x > 0.5 {
        if doublings > 60 {
            return 1.0;
        }
        x /= 2.0;
        doublings += 1;
    }
    let (mut term, mut sum) = (x, 0.0);
    for k in 2..24 {
        sum += term;
        term *= -x / f64::from(k);
    }
    // 1 - e^-2x = (1 - e^-x)(1 + e^-x).
    (0..doublings).fold(sum, |odds, _| odds * (2.0 - odds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_minus_exp_is_what_std_says() {
        for x in [0.0, 1e-300, 1e-9, 0.1, 0.5, 0.500_001, 1.0, 5.0, 40.0, 1e6, 1e300, f64::INFINITY] {
            let (ours, std) = (one_minus_exp(x), -f64::exp_m1(-x));
            assert!((ours - std).abs() <= std * 1e-13, "{x}: {ours} {std}");
        }
    }

    #[test]
    fn the_series_goes_on_where_the_sum_of_each_ends() {
        for cells in [4_100.0, 9_000.0, 1e5, 1e6, 1e8, 1e12, 1e24, 1e38] {
            let each =
                |numbers: u64| (1..numbers).fold(0.0, |odds, before| odds + (1.0 - odds) * (before as f64 / cells));
            for numbers in [FEW + 1, FEW + 2, 8_192, 20_000] {
                if numbers as f64 <= cells {
                    let (ours, sum) = (birthday_odds(numbers as f64, cells), each(numbers));
                    assert!((ours - sum).abs() <= sum * 1e-6, "{numbers} of {cells}: {ours} {sum}");
                }
            }
        }
    }
}
