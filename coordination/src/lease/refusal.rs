//! The errors with which a store refuses requests for leases.

use super::messages::{Acquire, View};
use super::{SlotKey, Terms};
use crate::Error;
use saiban::ErrorKind;

pub(crate) fn check_ttl(view: &View<'_>, ttl_us: i64) -> Result<(), Error> {
    let max_us = view.namespace.max_ttl_us;
    if ttl_us <= max_us {
        return Ok(());
    }
    let (ttl, max) = (Seconds(ttl_us), Seconds(max_us));
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!("a lease of {ttl} is longer than the namespace {:?} allows: give a ttl of at most {max}", view.name),
    ))
}

/// Checks that a namespace that is created with these terms would allow a lease of this length.
///
/// # Errors
/// `InvalidArgument` if it would not.
pub(crate) fn check_terms(terms: &Terms, ttl_us: i64) -> Result<(), Error> {
    if ttl_us <= terms.max_ttl_us() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!(
            "a lease of {} s (ttl_s) is longer than the namespace {:?} would allow, {} s (max_ttl_s): the namespace \
             was not created. Request a shorter lease, or create the namespace with a larger max_ttl_s",
            ttl_us / 1_000_000,
            terms.name(),
            terms.max_ttl_us() / 1_000_000
        ),
    ))
}

pub(crate) fn quarantined(view: &View<'_>, until_us: i64) -> Error {
    let left = Seconds(until_us - view.now_us);
    Error::new(
        ErrorKind::NamespaceQuarantined,
        format!(
            "the store has lost leases of the namespace {:?}: it was restored from a backup, or has lost its last \
             changes. No lease is granted for {left}, until every lease that may be lost has ended; existing leases \
             stay valid",
            view.name
        ),
    )
}

/// Returns the error for a SQLite file that lost a lease which a live process of this machine
/// holds.
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "mysql"))]
pub(crate) fn lost_by_file(store: &str, name: &str, holder: &str, nodes: &std::ops::Range<i64>, left_us: i64) -> Error {
    let (left, first, last) = (Seconds(left_us), nodes.start, nodes.end.saturating_sub(1));
    let nodes = if first == last { format!("node {first}") } else { format!("nodes {first} to {last}") };
    Error::new(
        ErrorKind::NamespaceQuarantined,
        format!(
            "the store {store} has lost leases of the namespace {name:?} that live processes of this machine hold: \
             its file was deleted, replaced or restored from a backup. {holder} holds {nodes} for another {left}. \
             Nothing is granted meanwhile, or IDs would come twice. Stop those processes, then try again. To keep \
             them running restore the file, if it is not restored yet, run saiban lease quarantine, and wait for as \
             long as that says"
        ),
    )
}

pub(crate) fn clock_skew(view: &View<'_>, request: &Acquire) -> Error {
    let by = Seconds(i64::try_from(request.clock_us.abs_diff(view.now_us)).unwrap_or(i64::MAX));
    let direction = if request.clock_us > view.now_us { "ahead of" } else { "behind" };
    let max = Seconds(request.max_clock_skew_us);
    Error::new(
        ErrorKind::ClockSkew,
        format!(
            "this machine's clock is {by} {direction} the store's, and {max} are allowed (max_clock_skew_s): set the \
             clock (NTP), here or there; IDs would have the wrong time, or none could be made"
        ),
    )
}

pub(crate) fn full(view: &View<'_>, nodes: i64, cooling_until_us: Option<i64>) -> Error {
    let rest = cooling_until_us.map_or_else(String::new, |until_us| {
        let left = Seconds(until_us - view.now_us);
        format!(
            ". Some free nodes are cooling down, the first for another {left}: their last holder's clock was ahead, \
             or its last ID is not known"
        )
    });
    Error::new(
        ErrorKind::NamespaceFull,
        format!(
            "the namespace {:?} has no {nodes} free nodes next to each other, of {}: wait until leases end (saiban \
             lease ls shows when), ask for fewer nodes, shorten the ttl, or take a layout with more node bits{rest}",
            view.name, view.namespace.nodes
        ),
    )
}

pub(crate) fn lost(view: &View<'_>, key: &SlotKey) -> Error {
    Error::new(
        ErrorKind::LeaseLost,
        format!(
            "the lease of nodes {} to {} in the namespace {:?} was not renewed in time, and has ended or belongs to \
             another holder: acquire a new one",
            key.nodes.start,
            key.nodes.end.saturating_sub(1),
            view.name
        ),
    )
}

/// A duration in µs, displayed for people: `90 s`, `1.5 s`.
pub(super) struct Seconds(pub(super) i64);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, tenths) = (self.0 / 1_000_000, (self.0 % 1_000_000 / 100_000).abs());
        if tenths == 0 { write!(f, "{whole} s") } else { write!(f, "{whole}.{tenths} s") }
    }
}
