//! The options of a remote generator.

use crate::Error;
use saiban::ErrorKind;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The maximum number of IDs in a block. A service may allow fewer (`limits.max_batch`, by default
/// 10,000).
pub const MAX_AT_ONCE: i64 = 100_000;

/// The upper limit of `max_age_ms`, milliseconds: an hour.
const LONGEST_AGE_MS: i64 = 3_600_000;

/// The upper limit of `wait_s`, seconds: a year.
const LONGEST_WAIT_S: i64 = 31_536_000;

/// Options of a remote generator. Every option has a default.
///
/// ```
/// use saiban_coordination::RemoteOptions;
/// let options = RemoteOptions { block: 100, ..RemoteOptions::default() };
/// assert_eq!((options.max_age_ms, options.wait_s), (1_000, 10));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteOptions {
    /// How many IDs are fetched with one round trip: 1 to 100,000, and no more than the service
    /// allows; by default 1,000. Up to twice as many are prefetched, and are lost if the process
    /// ends.
    pub block: i64,
    /// How long after its request an ID may be handed out, milliseconds, 1 to 3,600,000 (an hour);
    /// by default 1,000.
    ///
    /// An ID has the time at which the service made it. This option limits how old that time can
    /// be, and how far the IDs of two processes can be out of order.
    pub max_age_ms: i64,
    /// How long to wait for the service when no ID is prefetched, seconds, at least 1; by default
    /// 10.
    pub wait_s: i64,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        RemoteOptions { block: 1_000, max_age_ms: 1_000, wait_s: 10 }
    }
}

/// The options, checked.
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
            block: within("block", block, 1..=MAX_AT_ONCE, "IDs")?,
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
