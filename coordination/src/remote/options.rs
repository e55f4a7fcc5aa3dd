//! What one may choose of a remote generator.

use crate::Error;
use saiban::ErrorKind;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The most IDs that a block may have. A service may allow fewer (`limits.max_batch`, by default 10,000).
pub const MOST_AT_ONCE: i64 = 100_000;

/// The oldest that an ID may be made to wait, milliseconds: an hour.
const LONGEST_AGE_MS: i64 = 3_600_000;

/// The longest that anybody waits for a service, seconds: a year.
const LONGEST_WAIT_S: i64 = 31_536_000;

/// What one may choose of a remote generator. Everything has a default.
///
/// ```
/// use saiban_coordination::RemoteOptions;
/// let options = RemoteOptions { block: 100, ..RemoteOptions::default() };
/// assert_eq!((options.max_age_ms, options.wait_s), (1_000, 10));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteOptions {
    /// How many IDs are taken with one round trip: 1 to 100,000, and no more than the service allows; by default 1,000. Up to twice as many are
    /// in hand, and are never used if the process ends.
    pub block: i64,
    /// How long after it was asked for an ID may be handed out, milliseconds, 1 to 3,600,000 (an hour); by default 1,000. IDs tell the time at
    /// which the service made them: this is how far behind that may be, and how far two processes may be out of order.
    pub max_age_ms: i64,
    /// How long to wait for the service when no ID is in hand, seconds, at least 1; by default 10.
    pub wait_s: i64,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        RemoteOptions { block: 1_000, max_age_ms: 1_000, wait_s: 10 }
    }
}

/// The same, checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) block: u64,
    pub(super) max_age_ns: u64,
    pub(super) wait: Duration,
}

impl RemoteOptions {
    pub(super) fn check(&self) -> Result<Limits, Error> {
        let RemoteOptions { block, max_age_ms, wait_s } = *self;
        Ok(Limits {
            block: within("block", block, 1..=MOST_AT_ONCE, "IDs")?,
            max_age_ns: within("max_age_ms", max_age_ms, 1..=LONGEST_AGE_MS, "milliseconds")? * 1_000_000,
            wait: Duration::from_secs(within("wait_s", wait_s, 1..=LONGEST_WAIT_S, "seconds")?),
        })
    }
}

fn within(name: &str, value: i64, allowed: RangeInclusive<i64>, unit: &str) -> Result<u64, Error> {
    u64::try_from(value).ok().filter(|_| allowed.contains(&value)).ok_or_else(|| {
        let (least, most) = allowed.into_inner();
        Error::new(ErrorKind::InvalidArgument, format!("{name} is {value}: give {least} to {most} {unit}"))
    })
}
