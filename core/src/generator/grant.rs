//! A grant: the nodes and the interval of time that a lease gives to its holder alone.

use super::Scope;
use crate::cursor::Tenure;
use crate::error::Error;
use crate::layout::Layout;
use crate::scheme::Scheme;
use core::ops::Range;
use std::sync::Arc;

/// A rectangle of nodes × time for the IDs of one scheme and layout.
///
/// Generators built with a grant ([`Options::grant`](crate::Options::grant)) issue only IDs whose
/// own tick lies in it, whatever their clock shows. They all share their cursors. The end of a
/// grant never moves back. The store of leases ensures that no two grants overlap.
///
/// ```
/// use saiban::{ErrorKind, Generator, Grant, Layout, ManualClock, Options, Scheme, SnowflakeGenerator};
/// let (now_ms, minute_us) = (1_763_700_000_000, 60_000_000);
/// let grant = Grant::new(Scheme::Snowflake, Layout::TWITTER, None, 4..8, now_ms * 1_000, now_ms * 1_000 + minute_us)?;
/// let clock = ManualClock::new(now_ms)?;
/// let ids: SnowflakeGenerator<_> = SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(&grant), &clock)?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(4));
///
/// clock.advance(60_000)?;
/// assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::LeaseExpired));
/// grant.extend(now_ms * 1_000 + 2 * minute_us);                             // renewed
/// assert!(ids.generate().is_ok());
///
/// // Released: nothing was issued from this time on, and nothing will be.
/// assert_eq!(grant.close(), Some((now_ms + 60_001) * 1_000));
/// assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::LeaseLost));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grant {
    scheme: Scheme,
    layout: Layout,
    key_id: Option<u32>,
    nodes: Range<i64>,
    tenure: Arc<Tenure>,
}

impl Grant {
    /// Creates a grant of these nodes for this half-open interval of time, in Unix microseconds.
    ///
    /// The grant includes the ticks that lie entirely in the interval. `key_id` is the id of the
    /// secret if IDs are encrypted ([`Secret::key_id`](crate::Secret::key_id)).
    ///
    /// # Errors
    /// `NodeOutOfRange` for an empty range, or nodes outside the layout; `InvalidWindow` if no
    /// entire tick lies in the interval.
    pub fn new(
        scheme: Scheme,
        layout: Layout,
        key_id: Option<u32>,
        nodes: Range<i64>,
        start_us: i64,
        end_us: i64,
    ) -> Result<Self, Error> {
        let layout = layout.bare();
        let max = layout.max_node();
        let fits = |node: i64| u64::try_from(node).is_ok_and(|node| node <= max);
        if nodes.is_empty() || !fits(nodes.start) || !fits(nodes.end - 1) {
            return Err(Error::NodeRangeInvalid { first: nodes.start, end: nodes.end, max, most: u64::MAX });
        }
        let ticks = layout.tick_from_us(start_us)..layout.tick_through_us(end_us);
        if ticks.is_empty() {
            return Err(Error::InvalidWindow {
                start: start_us / 1_000,
                end: end_us / 1_000,
                first: layout.epoch_ms(),
                last: layout.last_ms(),
            });
        }
        Ok(Grant { scheme, layout, key_id, nodes, tenure: Arc::new(Tenure::new(ticks)) })
    }

    /// Returns this grant in the namespace with the number `space`, which is not 0. Call it on a
    /// new grant, before any generator is built.
    ///
    /// IDs of different namespaces are for different columns. Generators of two namespaces may
    /// therefore have nodes in common, with each other and with generators whose nodes are given by
    /// hand. Within one namespace, or if either namespace is unknown, a generator is rejected with
    /// `NodeInUse` if another generator of this process has one of its nodes at the same time.
    ///
    /// `scope` states which processes know the namespace by this number. If every process of this
    /// machine does ([`Scope::Machine`]), generators under grants of this namespace share their
    /// cursors between processes. Then no ID repeats on this machine, even if the store was deleted
    /// or restored from a backup and grants nodes twice.
    #[must_use]
    pub fn of_space(self, space: u64, scope: Scope) -> Self {
        Grant { tenure: Arc::new(self.tenure.of_space(space, scope == Scope::Machine)), ..self }
    }

    /// Returns the nodes, half-open.
    #[must_use]
    pub fn nodes(&self) -> Range<i64> {
        self.nodes.clone()
    }

    /// Returns the end of the grant's last tick, in Unix milliseconds, rounded down.
    #[must_use]
    pub fn end_ms(&self) -> i64 {
        self.layout.tick_start_ms(self.tenure.end_tick())
    }

    /// Whether the last tick of the grant has ended at this time, in nanoseconds since the Unix
    /// epoch.
    ///
    /// A generator whose clock shows such a time issues nothing until the grant is extended.
    #[must_use]
    pub fn has_ended(&self, now_ns: u64) -> bool {
        now_ns >= self.layout.tick_start_ns(self.tenure.end_tick())
    }

    /// Extends the grant to this time, in Unix microseconds. A time before the present end changes
    /// nothing.
    pub fn extend(&self, end_us: i64) {
        self.tenure.extend(self.layout.tick_through_us(end_us));
    }

    /// Whether the grant was closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.tenure.is_closed()
    }

    /// Whether this process is a forked copy of the one that made the grant. In a copy, generators
    /// issue nothing under it.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.tenure.is_copy()
    }

    /// Closes the grant and all cursors under it for good.
    ///
    /// Returns the time, in Unix microseconds, from which on no ID was issued. In a forked copy of
    /// the process, `close` returns `None` and changes nothing.
    #[must_use = "who grants next must begin at this time or later"]
    pub fn close(&self) -> Option<i64> {
        let tick = self.tenure.close()?;
        Some(i64::try_from(self.layout.tick_start_ns(tick).div_ceil(1_000)).unwrap_or(i64::MAX))
    }

    pub(super) fn tenure(&self) -> &Arc<Tenure> {
        &self.tenure
    }

    /// Checks that the grant is for IDs of this scheme, layout and secret.
    pub(super) fn check(&self, scheme: Scheme, layout: &Layout, key_id: Option<u32>) -> Result<(), Error> {
        if self.scheme == scheme && self.layout == layout.bare() && self.key_id == key_id {
            return Ok(());
        }
        Err(Error::LeaseOfOther { scheme: self.scheme.name(), wanted: scheme.name() })
    }
}

impl PartialEq for Grant {
    /// Compares by identity: clones of one grant are equal.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tenure, &other.tenure)
    }
}

impl Eq for Grant {}
