//! Data on the known formats: when their IDs began, how common they are, and which values their
//! parts mostly have.

use crate::error::Error;
use crate::generator::{inspect_snowflake, inspect_tsid, inspect_ulid_flake};
use crate::id::Parts;
use crate::layout::{Layout, LayoutSpec};
use crate::scheme::Scheme;

/// The distribution of the numbers in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Habit {
    /// All numbers are equally likely.
    Even,
    /// People, a database or an address assign the numbers: small numbers are somewhat more common.
    Assigned,
    /// The number consists of worker and process, five bits each, which are mostly small.
    TwoAssigned,
    /// The number counts from 0 in each tick. Few ticks have more than one ID.
    FromZero,
    /// The number continues from tick to tick, so all magnitudes of numbers are equally likely.
    Running,
}

impl Habit {
    /// Returns how much likelier this value is than if all values were equally likely, as a base-2
    /// logarithm.
    ///
    /// The likelihood of small numbers follows from the length of their Elias gamma code: 1 bit for
    /// 0, 3 bits for 1 and 2, 5 bits for 3 to 6.
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

/// A known layout, with the data that inspection needs.
pub(super) struct Known {
    /// The scheme of the layout's IDs.
    pub(super) scheme: Scheme,
    /// The name of the layout in the parts of an ID, if it has one.
    pub(super) name: Option<&'static str>,
    pub(super) layout: Layout,
    pub(super) inspect: fn(&Layout, i64) -> Result<Parts, Error>,
    /// The time from which such IDs exist, in Unix milliseconds.
    pub(super) since_ms: i64,
    /// An estimate of how often people inspect such IDs as numbers: the base-2 logarithm of the
    /// ratio to Twitter's and Discord's IDs.
    pub(super) commonness: i32,
    /// An estimate, as `commonness`, for canonical text. `None` if this text is a decimal number.
    pub(super) text_commonness: Option<i32>,
    pub(super) node: Habit,
    /// The time from which nodes have the distribution `node`, in Unix milliseconds. Before, all
    /// nodes are equally likely.
    pub(super) node_since_ms: i64,
    pub(super) sequence: Habit,
    /// This layout with names for the parts of the node, if they have names.
    pub(super) named: Option<Layout>,
}

impl Known {
    /// Returns the data for this layout with another epoch than its own.
    pub(super) fn adopted(&self) -> &Known {
        if self.layout == Layout::DISCORD { &ADOPTED_DISCORD } else { self }
    }

    /// Returns whether a layout of the user is this layout.
    pub(super) fn is(&self, given: &Layout) -> bool {
        match self.scheme == Scheme::Snowflake {
            true => *given == self.layout,
            // For other schemes, ignore the names of the node's parts and the step of a random
            // part.
            false => given.reads_as(&self.layout),
        }
    }
}

const fn known(name: &'static str, layout: Layout, commonness: i32, node: Habit, sequence: Habit) -> Known {
    Known {
        scheme: Scheme::Snowflake,
        name: Some(name),
        layout,
        inspect: inspect_snowflake,
        since_ms: layout.epoch_ms(),
        commonness,
        text_commonness: None,
        node,
        node_since_ms: i64::MIN,
        sequence,
        named: None,
    }
}

/// Discord's layout. Its node consists of worker and process.
const DISCORD: Layout =
    match LayoutSpec::new().timestamp(42).node_part("worker", 5).node_part("process", 5).sequence(12).check() {
        Ok(layout) => layout,
        Err(_) => panic!("a valid layout"),
    };

/// Twitter's layout. Twitter's own machines have any node.
///
/// Other services that use the layout and the epoch mostly have small nodes. The library that most
/// of them use, bwmarrin/snowflake, is from 2016.
const TWITTER: Known = Known {
    node_since_ms: 1_451_606_400_000,
    ..known("twitter", Layout::TWITTER, 0, Habit::Assigned, Habit::FromZero)
};

/// Discord's layout with another epoch. Services with such IDs have mostly adopted Twitter's
/// layout, which differs only in the highest bit.
const ADOPTED_DISCORD: Known = Known { name: Some("discord"), layout: Layout::DISCORD, commonness: -4, ..TWITTER };

/// Returns the data for a layout of Ulid-Flake. Decimal numbers are rare, because the canonical
/// text is Crockford's base32. `rarer` is 0, or negative for the scalable form.
const fn ulid_flake(layout: Layout, rarer: i32) -> Known {
    Known {
        scheme: Scheme::UlidFlake,
        name: None,
        inspect: inspect_ulid_flake,
        text_commonness: Some(rarer),
        ..known("", layout, -12 + rarer, Habit::Even, Habit::Even)
    }
}

/// Returns the data for a layout of TSID. Node and sequence can have any value.
///
/// tsid-creator's first release is from October 2020. `rarer` is 0, or negative for layouts other
/// than the default. Text that can also be a Ulid-Flake is more likely a Ulid-Flake.
const fn tsid(name: &'static str, layout: Layout, rarer: i32) -> Known {
    Known {
        scheme: Scheme::Tsid,
        inspect: inspect_tsid,
        since_ms: 1_601_510_400_000,
        text_commonness: Some(rarer - 8),
        ..known(name, layout, rarer - 6, Habit::Even, Habit::Even)
    }
}

/// The presets, in the order of `Layout::PRESETS`, then the layouts of other schemes, the likelier
/// ones first.
pub(super) const KNOWN: [Known; 12] = [
    TWITTER,
    Known { named: Some(DISCORD), ..known("discord", Layout::DISCORD, 0, Habit::TwoAssigned, Habit::Running) },
    // Shards are equally likely. The sequence is a sequence of the database, modulo 1024.
    known("instagram", Layout::INSTAGRAM, -1, Habit::Even, Habit::Even),
    // By default, the machine ID is the lower half of an IP address.
    known("sonyflake", Layout::SONYFLAKE, -3, Habit::Assigned, Habit::FromZero),
    known("sonyflake_v2", Layout::SONYFLAKE_V2, -5, Habit::Assigned, Habit::FromZero),
    // The sequence starts from a hash. Before version 2.0 (October 2017), Mastodon's IDs were
    // counted.
    Known { since_ms: 1_506_816_000_000, ..known("mastodon", Layout::MASTODON, -1, Habit::Even, Habit::Even) },
    // Each start of a worker inserts a row into a database; the row's number is the node.
    known("baidu", Layout::BAIDU, -4, Habit::Assigned, Habit::FromZero),
    // An ID does not show which of the two forms of Ulid-Flake it has.
    ulid_flake(Layout::ULID_FLAKE, 0),
    ulid_flake(Layout::ULID_FLAKE_SCALABLE, -2),
    tsid("tsid-1024", Layout::TSID_1024, 0),
    tsid("tsid-256", Layout::TSID_256, -3),
    tsid("tsid-4096", Layout::TSID_4096, -3),
];

/// Returns whether a number is an ID of a scheme whose canonical text is not a decimal number.
pub(super) fn is_of_text(id: i64) -> bool {
    KNOWN.iter().any(|known| known.text_commonness.is_some() && (known.inspect)(&known.layout, id).is_ok())
}

/// The times from which ULIDs, ObjectIds and so on exist, in Unix milliseconds. An ID may have an
/// earlier time, because a program can set any time.
#[cfg(target_has_atomic = "64")]
pub(super) mod since {
    /// 2016-01-01. The first version is from this year.
    pub(in crate::inspect) const ULID: i64 = 1_451_606_400_000;
    /// 2009-01-01. MongoDB's first release is from February.
    pub(in crate::inspect) const OBJECT_ID: i64 = 1_230_768_000_000;
    /// 1985-01-01. Apollo's Network Computing System counted time from 1980.
    pub(in crate::inspect) const UUID_V1: i64 = 473_385_600_000;
    /// 2020-01-01. The first draft of RFC 9562 is from this year.
    pub(in crate::inspect) const UUID_V6_V7: i64 = 1_577_836_800_000;
    /// 2002-01-01. .NET's first release is from February.
    pub(in crate::inspect) const TICK_ID: i64 = 1_009_843_200_000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_known() {
        let presets = KNOWN.iter().filter(|known| known.scheme == Scheme::Snowflake);
        assert!(presets.map(|known| (known.name.unwrap_or(""), known.layout)).eq(Layout::PRESETS));
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
