//! What is known of the formats of 64 bits: since when their IDs are made, how common they are, and what their parts are like.

use crate::layout::{Layout, LayoutSpec};

/// What the numbers in a field are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Habit {
    /// Any is as likely as another.
    Even,
    /// Given out by hand, by a database or from an address: small ones are more common, though not by much.
    Assigned,
    /// Worker and process, five bits each, both mostly small.
    TwoAssigned,
    /// Counts from 0 in each tick, of which few have more than one ID.
    FromZero,
    /// Counts on from tick to tick, so that any size of number is as likely as another.
    Running,
}

impl Habit {
    /// How much likelier this value is than if all were equal: the logarithm to base 2. Small numbers are as likely as the length of their
    /// Elias gamma code says: 1 bit for 0, 3 for 1 and 2, 5 for 3 to 6.
    pub(super) fn points(self, bits: u32, value: u64) -> i32 {
        let magnitude = |value: u64| value.saturating_add(1).ilog2() as i32;
        let gamma = |value| 2 * magnitude(value) + 1;
        let bits = bits as i32;
        match self {
            Habit::Even => 0,
            Habit::Assigned => (bits - gamma(value) - 2).max(0),
            Habit::TwoAssigned => (bits - gamma(value >> 5) - gamma(value & 31)).max(-1),
            Habit::FromZero => (bits - gamma(value)).max(-5),
            Habit::Running => bits - ((bits + 1) as u32).ilog2() as i32 - magnitude(value),
        }
    }
}

/// A preset as inspection sees it.
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) layout: Layout,
    /// Since when such IDs are made, Unix milliseconds.
    pub(super) since_ms: i64,
    /// How often people ask about one, as a power of 2 against Twitter's and Discord's. An estimate.
    pub(super) commonness: i32,
    pub(super) node: Habit,
    /// Since when nodes have that habit, Unix milliseconds; before any was as likely as another.
    pub(super) node_since_ms: i64,
    pub(super) sequence: Habit,
    /// The same layout with names for the parts of the node, where they have them.
    pub(super) named: Option<Layout>,
}

impl Known {
    /// What the layout is like with an epoch that is not its own.
    pub(super) fn adopted(&self) -> &Known {
        if self.layout == Layout::DISCORD { &ADOPTED_DISCORD } else { self }
    }
}

const fn known(name: &'static str, layout: Layout, commonness: i32, node: Habit, sequence: Habit) -> Known {
    Known {
        name,
        layout,
        since_ms: layout.epoch_ms(),
        commonness,
        node,
        node_since_ms: i64::MIN,
        sequence,
        named: None,
    }
}

/// Discord's, whose node is worker and process.
const DISCORD: Layout =
    match LayoutSpec::new().timestamp(42).node_part("worker", 5).node_part("process", 5).sequence(12).check() {
        Ok(layout) => layout,
        Err(_) => panic!("a valid layout"),
    };

/// Twitter's own machines have any number. Those who took its layout for their own, epoch included, have small ones; the library that most of
/// them use, bwmarrin/snowflake, is of 2016.
const TWITTER: Known = Known {
    node_since_ms: 1_451_606_400_000,
    ..known("twitter", Layout::TWITTER, 0, Habit::Assigned, Habit::FromZero)
};

/// Discord's layout with another's epoch. Who has one took Twitter's, which is the same but for the highest bit.
const ADOPTED_DISCORD: Known = Known { name: "discord", layout: Layout::DISCORD, commonness: -4, ..TWITTER };

/// The presets, in the order of `Layout::PRESETS`.
pub(super) const KNOWN: [Known; 7] = [
    TWITTER,
    Known { named: Some(DISCORD), ..known("discord", Layout::DISCORD, 0, Habit::TwoAssigned, Habit::Running) },
    // Shards are even, and a sequence of the database's is taken modulo 1024.
    known("instagram", Layout::INSTAGRAM, -1, Habit::Even, Habit::Even),
    // The machine is the lower half of an IP address unless told otherwise.
    known("sonyflake", Layout::SONYFLAKE, -3, Habit::Assigned, Habit::FromZero),
    known("sonyflake_v2", Layout::SONYFLAKE_V2, -5, Habit::Assigned, Habit::FromZero),
    // A hash. Mastodon counted its IDs before 2.0, of October 2017.
    Known { since_ms: 1_506_816_000_000, ..known("mastodon", Layout::MASTODON, -1, Habit::Even, Habit::Even) },
    // A worker is a row of a database, a new one with each start.
    known("baidu", Layout::BAIDU, -4, Habit::Assigned, Habit::FromZero),
];

/// A Ulid-Flake as a decimal number is rare: its text is Crockford's.
pub(super) const ULID_FLAKE: i32 = -12;
/// Its scalable form is rarer.
pub(super) const ULID_FLAKE_SCALABLE: i32 = -14;

/// When ULIDs, ObjectIds and so on began to be made, Unix milliseconds. These are no proofs: a time can be given by hand.
#[cfg(target_has_atomic = "64")]
pub(super) mod since {
    /// 2016-01-01; the first version is of that year.
    pub(in crate::inspect) const ULID: i64 = 1_451_606_400_000;
    /// 2009-01-01; MongoDB's first release is of February.
    pub(in crate::inspect) const OBJECT_ID: i64 = 1_230_768_000_000;
    /// 1985-01-01; Apollo's network computing system, whose clock counted from 1980.
    pub(in crate::inspect) const UUID_V1: i64 = 473_385_600_000;
    /// 2020-01-01; the first draft of what became RFC 9562 is of that year.
    pub(in crate::inspect) const UUID_V6_V7: i64 = 1_577_836_800_000;
    /// 2002-01-01; .NET's first release is of February.
    pub(in crate::inspect) const TICK_ID: i64 = 1_009_843_200_000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_known() {
        assert!(KNOWN.iter().map(|known| (known.name, known.layout)).eq(Layout::PRESETS));
    }

    #[test]
    fn small_numbers_are_likelier_than_large_ones() {
        for habit in [Habit::Assigned, Habit::TwoAssigned, Habit::FromZero, Habit::Running] {
            let points = |value| habit.points(10, value);
            assert!((0..1024).step_by(32).is_sorted_by_key(|value| core::cmp::Reverse(points(value))), "{habit:?}");
            assert!(habit.points(10, 0) > 0);
        }
        assert_eq!(Habit::FromZero.points(12, 0), 11);
        assert_eq!(Habit::FromZero.points(63, u64::MAX), -5);
    }
}
