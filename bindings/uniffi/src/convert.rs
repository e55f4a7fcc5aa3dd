//! Values that cross in a form of their own, and what all generators are made with.

use crate::error::Failure;
use crate::{Lease, ManualClock, Rollback};
use saiban::{AnyClock, Options};
use saiban_coordination::Issuer;
use std::ops::Range;
use std::sync::Arc;

/// IDs, signed 64-bit integers. They cross as bytes: one copy, however many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids(pub Vec<i64>);

uniffi::custom_type!(Ids, Vec<u8>, {
    lower: |ids| ids.0.iter().flat_map(|id| id.to_ne_bytes()).collect(),
    try_lift: |bytes| {
        let (ids, rest) = bytes.as_chunks::<8>();
        if rest.is_empty() {
            Ok(Ids(ids.iter().map(|id| i64::from_ne_bytes(*id)).collect()))
        } else {
            Err(uniffi::deps::anyhow::anyhow!("IDs have 8 bytes each"))
        }
    },
});

/// A half-open range of integers, in the language's own type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval(pub Range<i64>);

uniffi::custom_type!(Interval, Vec<i64>, {
    lower: |interval| vec![interval.0.start, interval.0.end],
    try_lift: |bounds| match bounds[..] {
        [start, end] => Ok(Interval(start..end)),
        _ => Err(uniffi::deps::anyhow::anyhow!("an interval has two bounds")),
    },
});

/// What all generators are made with, as it crosses.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) node: Option<i64>,
    pub(crate) nodes: Option<Interval>,
    pub(crate) window: Option<Interval>,
    pub(crate) not_before: Option<i64>,
    pub(crate) state: Option<String>,
    pub(crate) rollback: Option<Rollback>,
    pub(crate) shards: Option<i64>,
    pub(crate) max_jump_s: Option<i64>,
    pub(crate) max_wait_ms: Option<i64>,
}

impl Given {
    pub(crate) fn options(self) -> Result<Options, Failure> {
        Ok(Options {
            node: self.node,
            nodes: self.nodes.map(|nodes| nodes.0),
            window: self.window.map(|window| window.0),
            not_before: self.not_before,
            state: self.state.map(Into::into),
            rollback: self.rollback.map(Into::into),
            shards: self.shards,
            max_jump: self.max_jump_s.map(Options::jump_s).transpose()?,
            max_wait: self.max_wait_ms.map(Options::wait_ms).transpose()?,
            ..Options::default()
        })
    }
}

/// A generator with nodes of its own, or those of the lease.
pub(crate) fn issuer<G>(
    lease: Option<Arc<Lease>>,
    given: Given,
    build: impl Fn(&Options) -> Result<G, saiban::Error> + Send + Sync + 'static,
) -> Result<Issuer<G>, Failure> {
    let options = given.options()?;
    Ok(Issuer::new(lease.as_ref().map(|lease| lease.to_core()), options, build)?)
}

/// The clock given, or else the system's.
pub(crate) fn clock(manual: Option<Arc<ManualClock>>) -> AnyClock {
    manual.map_or(AnyClock::System, |clock| clock.to_any())
}
