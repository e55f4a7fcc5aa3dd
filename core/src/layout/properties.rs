//! The properties of a layout: lifetime, capacity, rate, and the probability of a collision.
//!
//! Public methods of [`Layout`]; the command and the bindings show their results.

use super::{Field, Layout};
use crate::error::Error;

/// A field of a layout and its position in the ID.
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
    /// The number of bits below the field.
    pub shift: u32,
    /// The largest number that fits the field.
    pub max: u128,
}

/// The number of IDs that a layout holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capacity {
    /// The most IDs that one node makes in one tick: the size of the sequence or growing random
    /// part.
    ///
    /// Without both, it is the size of the random part, although equal IDs are likely long before.
    /// With no such field, it is 1.
    pub ids_per_tick: u128,
    /// The number of nodes; 1 without a node field.
    pub nodes: u64,
    /// The number of bits of an ID that are neither unused nor constant: `ids` is 2 to this power.
    pub bits: u32,
    /// The number of different IDs, from the first tick to the last; `u128::MAX` means 2^128.
    pub ids: u128,
}

/// The number of IDs that can be made per second, sustained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// IDs per second of one node.
    pub per_node: f64,
    /// IDs per second of all nodes together.
    pub in_all: f64,
}

/// Up to this number of IDs, `birthday_odds` adds the probability of each ID.
const FEW: u64 = 4_096;

impl Layout {
    /// Returns the fields with their positions, from the highest bit to the lowest.
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

    /// Returns the time from the start of the first tick to the end of the last, in milliseconds,
    /// rounded down.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a larger number is cut to the largest")]
    pub const fn lifetime_ms(&self) -> u64 {
        let ms = self.ticks() as u128 * self.tick_ns() as u128 / 1_000_000;
        if ms > u64::MAX as u128 { u64::MAX } else { ms as u64 }
    }

    /// Returns the number of IDs that the layout holds.
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

    /// Returns the number of IDs per second: the number of IDs in a tick, divided by the length of
    /// a tick.
    ///
    /// If the number of IDs in a tick is random, the result is its mean, within one ID per tick. A
    /// growing random part starts anywhere in its range, and its mean step is (step + 1) / 2. On
    /// average, a sequence that starts anywhere in the lower half of its range uses three quarters
    /// of it.
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

    /// Returns the probability, 0 to 1, that at least two IDs of one node are equal if it makes
    /// `ids_per_second` for `seconds`. Without a node field, it is the probability for all
    /// generators together.
    ///
    /// The result is 0 if time, node and counter keep IDs unique ([`Layout::is_unique`]). If only a
    /// random part differs within a tick, it is the birthday problem: IDs are made at uniformly
    /// random times, and two are equal if both tick and random part are equal. For n nodes the
    /// probability is `1 - (1 - p)^n`. For infinitely many IDs it is 1.
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
    /// `InvalidArgument` for a number that is negative or NaN.
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
        // At least one tick, and at most as many as the layout has.
        let ticks = (seconds * 1e9 / self.tick_ns() as f64).clamp(1.0, self.ticks() as f64);
        Ok(birthday_odds(ids, ticks * (self.max_random() as f64 + 1.0)))
    }
}

/// Returns the probability that at least two of `numbers` random numbers out of `cells` are equal.
/// `numbers` is rounded down.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a number is rounded down, and one that is looped over is at most FEW"
)]
fn birthday_odds(numbers: f64, cells: f64) -> f64 {
    // `floor` needs std. A number too large for `u128` exceeds any `cells`.
    let numbers = numbers as u128;
    if numbers as f64 > cells {
        return 1.0;
    }
    if numbers <= FEW.into() {
        // The next number equals an earlier one with probability `before / cells`, if all earlier
        // ones differ. Only additions: small probabilities keep their digits.
        return (1..numbers as u64).fold(0.0, |odds, before| odds + (1.0 - odds) * (before as f64 / cells));
    }
    // -ln of the probability that no two are equal is the sum of -ln(1 - i / cells) for i <
    // numbers. By the Euler-Maclaurin formula it is the integral minus half of the term at
    // `numbers`. Both are power series in the share of cells taken. The omitted remainder is below
    // share / 12.
    let share = numbers as f64 / cells;
    if share > 0.5 {
        // With more than `FEW` numbers and half of the cells taken, the probability rounds to 1.
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

/// Returns 1 - e^-x for x >= 0. Small results are accurate to nearly all digits. `exp` needs std.
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
    fn one_minus_exp_agrees_with_std() {
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
