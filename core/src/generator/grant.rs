//! What a lease grants: nodes × an interval of time, which nobody else has.

use super::Scope;
use crate::cursor::Tenure;
use crate::error::Error;
use crate::id::Scheme;
use crate::layout::Layout;
use core::ops::Range;
use std::sync::Arc;

/// A rectangle of nodes and time for the IDs of one scheme and layout. Generators that are built with it
/// ([`Options::grant`](crate::Options::grant)) issue only IDs whose own tick lies in it, whatever their clock shows; and all of them share
/// their cursors. Its end only grows. Who hands out grants (a store of leases) sees to it that no two overlap.
///
/// ```
/// use saiban::{ErrorKind, Generator, Grant, Layout, ManualClock, Options, Scheme, Snowflake};
/// let (now_ms, minute_us) = (1_763_700_000_000, 60_000_000);
/// let grant = Grant::new(Scheme::Snowflake, Layout::TWITTER, None, 4..8, now_ms * 1_000, now_ms * 1_000 + minute_us)?;
/// let clock = ManualClock::new(now_ms)?;
/// let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &Options::default().grant(&grant), &clock)?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(4));
///
/// clock.advance(60_000)?;
/// assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::LeaseExpired));
/// grant.extend(now_ms * 1_000 + 2 * minute_us);                             // renewed
/// assert!(ids.generate().is_ok());
///
/// // Given back: nothing was issued from this time on, and nothing will be.
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
    /// A grant of these nodes for this time, Unix microseconds, half-open; ticks that lie in it wholly are the grant's. `key_id` is that of the
    /// secret, where IDs are encrypted ([`Secret::key_id`](crate::Secret::key_id)).
    ///
    /// # Errors
    /// `NodeOutOfRange` for nodes that the layout does not have, or none; `InvalidWindow` where no whole tick lies in the time.
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

    /// The same grant in a name space with a number of its own, other than 0: for who has just made it, before any generator is built. Generators
    /// under grants of two name spaces are for two columns, and may have nodes in common, with each other and with those that are given nodes. Of
    /// one name space, or where nobody says which, a generator whose nodes another of this process has at that time is refused (`NodeInUse`).
    ///
    /// `scope` says who knows the name space by this number. If that is every process of this machine, generators under grants of it share their
    /// cursors as well ([`Scope::Machine`]): if the store was deleted, or put back to an earlier state, and grants nodes twice, none of their IDs on
    /// this machine is repeated.
    #[must_use]
    pub fn of_space(self, space: u64, scope: Scope) -> Self {
        Grant { tenure: Arc::new(self.tenure.of_space(space, scope == Scope::Machine)), ..self }
    }

    /// The nodes, half-open.
    #[must_use]
    pub fn nodes(&self) -> Range<i64> {
        self.nodes.clone()
    }

    /// When the last tick of the grant ends, Unix milliseconds, rounded down.
    #[must_use]
    pub fn end_ms(&self) -> i64 {
        self.layout.tick_start_ms(self.tenure.end_tick())
    }

    /// Whether its last tick is over at this time, nanoseconds since the Unix epoch: generators whose clock shows it issue nothing until the
    /// grant is extended.
    #[must_use]
    pub fn has_ended(&self, now_ns: u64) -> bool {
        now_ns >= self.layout.tick_start_ns(self.tenure.end_tick())
    }

    /// Moves the end on, to this time, Unix microseconds. An earlier one changes nothing.
    pub fn extend(&self, end_us: i64) {
        self.tenure.extend(self.layout.tick_through_us(end_us));
    }

    /// Whether it was closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.tenure.is_closed()
    }

    /// Whether this process is a copy, made by fork, of the one whose grant it is. Nothing is issued under it then.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.tenure.is_copy()
    }

    /// Closes every cursor under it, for good. Answers the time from which nothing was issued, Unix microseconds; `None` in a copy of the
    /// process, where it changes nothing.
    #[must_use = "who grants next must begin at this time or later"]
    pub fn close(&self) -> Option<i64> {
        let tick = self.tenure.close()?;
        Some(i64::try_from(self.layout.tick_start_ns(tick).div_ceil(1_000)).unwrap_or(i64::MAX))
    }

    pub(super) fn tenure(&self) -> &Arc<Tenure> {
        &self.tenure
    }

    /// That it is for the IDs of this scheme, layout and secret.
    pub(super) fn check(&self, scheme: Scheme, layout: &Layout, key_id: Option<u32>) -> Result<(), Error> {
        if self.scheme == scheme && self.layout == layout.bare() && self.key_id == key_id {
            return Ok(());
        }
        Err(Error::LeaseOfOther { scheme: self.scheme.name(), wanted: scheme.name() })
    }
}

impl PartialEq for Grant {
    /// Whether both are the same grant.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tenure, &other.tenure)
    }
}

impl Eq for Grant {}
