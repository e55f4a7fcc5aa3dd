//! Options of generators: what the caller chooses, and the checks of these choices.

use super::Scope;
use crate::error::{Error, LayoutProblem};
use crate::layout::Layout;
use crate::scheme::{GeneratorOption, Scheme};
use core::ops::Range;
use core::time::Duration;
#[cfg(feature = "std")]
use {super::Grant, std::path::PathBuf};

/// The default of `max_jump`: one day. The boot clock of some virtual machines stops while they
/// sleep, and a day lets them resume.
const MAX_JUMP: Duration = Duration::from_secs(86_400);

/// The maximum by which a state file is ahead of the clock after a crash.
const STATE_STEP_NS: u64 = 100_000_000;

/// Upper bound on shards: more than the threads that can usefully run, and few enough that their
/// cursors fit in memory.
const MAX_SHARDS: u64 = 1_024;

#[cfg(feature = "std")]
const LEASE_ALONE: Error = Error::InvalidArgument {
    what: "a lease has nodes and a time of its own: give no node, nodes, window, not_before or state beside it",
};

named_enum! {
    /// What a generator does after the clock has stepped back behind the tick of its last ID. No
    /// policy ever repeats an ID.
    ///
    /// ```
    /// use saiban::{ErrorKind, Generator, Layout, ManualClock, Options, Rollback, SnowflakeGenerator};
    /// let clock = ManualClock::new(1_763_700_000_000)?;
    /// let build = |layout, node, policy| SnowflakeGenerator::build(layout, &Options::node(node).rollback(policy), &clock);
    /// let hold = build(Layout::TWITTER, 1, Rollback::Hold)?;
    /// let error = build(Layout::TWITTER, 2, Rollback::Error)?;
    /// let bits = build(Layout::TWITTER.with_rollback_bits(2)?, 3, Rollback::Bits)?;
    /// let first = [hold.generate()?, error.generate()?, bits.generate()?];
    /// clock.advance(-1_000)?;
    /// assert_eq!(hold.generate()?, first[0] + 1);                 // continues in the tick reached
    /// assert_eq!(error.generate().map_err(|error| error.kind()), Err(ErrorKind::ClockBackward));
    /// let parts = bits.inspect(bits.generate()?)?;                // the clock's time, one step
    /// assert_eq!((parts.timestamp_ms, parts.rollback), (Some(1_763_699_999_000), Some(1)));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[non_exhaustive]
    pub enum Rollback else UnknownRollback {
        /// Continues in the tick reached. Once this tick is used up, waits for the clock to return,
        /// if that takes at most `max_wait`; else fails with `ClockBackward` at once.
        Hold "hold",
        /// Fails with `ClockBackward` at once, until the clock has returned. This is Twitter's
        /// rule.
        Error "error",
        /// Counts the step in the layout's rollback bits and continues at the clock's time.
        ///
        /// Each value of these bits acts as a separate node. If the clock is also behind the last
        /// ID of the next value, the generator holds as `Hold` does. That can happen after 2^bits −
        /// 1 steps within the time that the clock repeats.
        Bits "bits",
    }
}

/// The options common to all generators. They are checked when a generator is built.
///
/// ```
/// use saiban::Options;
/// use std::time::Duration;
/// let options = Options::node(7).max_wait(Duration::from_millis(5));
/// assert_eq!(options.max_wait, Some(Duration::from_millis(5)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The node of [`Options::node`], for callers with signed integers.
    #[doc(hidden)]
    pub node: Option<i64>,
    /// The nodes of [`Options::nodes`], for callers with signed integers.
    #[doc(hidden)]
    pub nodes: Option<Range<i64>>,
    /// The half-open window of time in which the generator may issue IDs, in Unix time.
    ///
    /// The unit is the scheme's own: seconds for Randflake, milliseconds for Snowflake and
    /// Ulid-Flake. The window limits the time *in* the ID, not the time at which the ID is made.
    pub window: Option<Range<i64>>,
    /// The time of the last ID known to be used for these nodes, in the unit of `window`. The
    /// generator's IDs begin with the first tick that begins after this unit of time, whatever the
    /// clock shows.
    ///
    /// Without `not_before`, a generator on the system's clock begins with the tick after the one
    /// in which it was built. A program that restarts within one tick then repeats no ID. If ticks
    /// are seconds, the first ID may wait up to one second.
    pub not_before: Option<i64>,
    /// The state file, which stores the used ticks for the next generator of these nodes. With it,
    /// no ID repeats even if the clock was set back while the program was down.
    ///
    /// The generator creates the file if it does not exist, and locks it (`PATH.lock`) while in
    /// use. At most every 100 ms it writes the next ticks to disk, before it uses the first of
    /// them. After a crash, the first ID may therefore wait up to 100 ms.
    #[cfg(feature = "std")]
    pub state: Option<PathBuf>,
    /// The nodes and time of a lease. A grant replaces `node`, `nodes` and `window`.
    #[cfg(feature = "std")]
    pub grant: Option<Grant>,
    /// The policy for a clock that steps back. The default is `Bits` for a layout with a rollback
    /// field (this needs the feature `alloc`), else `Hold`.
    pub rollback: Option<Rollback>,
    /// The number of shards into which the range of nodes is divided, each with its own cursor: 1
    /// by default, at most 1024.
    ///
    /// Threads are assigned to shards in turn, so that they contend less. With more than one shard,
    /// IDs are ordered within a thread; between threads they are ordered only by tick.
    pub shards: Option<i64>,
    /// The maximum jump of the clock ahead of the time since boot: one day by default, at least one
    /// second. A longer jump is an error (`ClockJumped`).
    ///
    /// Without this limit, an ID from the far future would block the node until that time. The
    /// limit applies to clocks that know the time since boot.
    pub max_jump: Option<Duration>,
    /// The maximum wait for an ID.
    ///
    /// The default is 2 ticks, but at most 2 s; for the first ID of a generator, at least 200 ms.
    /// If other threads use up the awaited tick, the generator waits again, up to 2 s in total.
    /// Threads that request more IDs than the nodes can make wait for each other; a range of nodes
    /// helps.
    pub max_wait: Option<Duration>,
    /// The scope: which generators of the same nodes share a cursor. The default is
    /// [`Scope::Machine`] where available, else [`Scope::Process`]; `stats` reports the scope in
    /// use.
    pub scope: Option<Scope>,
    /// The default of `max_wait`, for bindings of languages in which a wait blocks all other work.
    /// Only the first ID of a generator may wait longer.
    #[doc(hidden)]
    pub default_max_wait: Option<Duration>,
}

impl Options {
    /// The maximum of the default waits, for one tick and in total.
    const MAX_DEFAULT_WAIT: Duration = Duration::from_secs(2);

    /// Returns how long the asynchronous methods of bindings wait on a timer, by this `max_wait`.
    #[doc(hidden)]
    #[must_use]
    pub fn async_wait(max_wait: Option<Duration>) -> Duration {
        max_wait.unwrap_or(Self::MAX_DEFAULT_WAIT)
    }

    /// Returns options for one node, which no other machine may use. Processes of one user on this
    /// machine share the node: see [`Scope`].
    #[must_use]
    pub fn node(node: u64) -> Self {
        Options { node: Some(saturated(node)), ..Options::default() }
    }

    /// Returns options for a half-open range of nodes, which no other machine may use.
    ///
    /// A generator can count for at most 2^(63 − timestamp bits − sequence bits) nodes: 1024 of
    /// Twitter's, 512 of Discord's, 65,536 of Randflake's. IDs are ordered by tick, node, sequence
    /// if the layout's bits are in this order.
    #[must_use]
    pub fn nodes(nodes: Range<u64>) -> Self {
        Options { nodes: Some(saturated(nodes.start)..saturated(nodes.end)), ..Options::default() }
    }

    setters! {
        /// Sets the window.
        window: Range<i64>;
        /// Sets the time of the last ID known to be used.
        not_before: i64;
        /// Sets the path of the state file.
        #[cfg(feature = "std")]
        state: impl Into<PathBuf> => state.into();
        /// Sets the grant of a lease.
        #[cfg(feature = "std")]
        grant: &Grant => grant.clone();
        /// Sets the policy for a clock that steps back.
        rollback: Rollback;
        /// Sets the scope: which generators of the same nodes share a cursor.
        scope: Scope;
        /// Sets the number of shards.
        shards: i64;
        /// Sets the maximum jump of the clock.
        max_jump: Duration;
        /// Sets the maximum wait.
        max_wait: Duration;
    }

    /// Converts milliseconds to a duration for [`Options::max_wait`].
    ///
    /// # Errors
    /// `InvalidArgument` for a negative number.
    pub const fn wait_ms(max_wait_ms: i64) -> Result<Duration, Error> {
        if max_wait_ms < 0 {
            return Err(Error::InvalidArgument { what: "max_wait_ms is negative: give 0 or more milliseconds" });
        }
        Ok(Duration::from_millis(max_wait_ms as u64))
    }

    /// Converts seconds to a duration for [`Options::max_jump`].
    ///
    /// # Errors
    /// `InvalidArgument` for less than 1.
    pub const fn jump_s(max_jump_s: i64) -> Result<Duration, Error> {
        if max_jump_s < 1 {
            return Err(Error::InvalidArgument { what: "max_jump_s is below 1: give 1 or more seconds" });
        }
        Ok(Duration::from_secs(max_jump_s as u64))
    }

    /// Returns the maximum waits of a generator.
    pub(super) fn waits(&self, layout: &Layout) -> Waits {
        let two_ticks_ns = layout.tick_ns().saturating_mul(2).min(ns(Self::MAX_DEFAULT_WAIT));
        match (self.max_wait, self.default_max_wait) {
            (Some(wait), _) => Waits { for_tick_ns: ns(wait), in_all_ns: ns(wait), at_first_ns: ns(wait) },
            (None, Some(wait)) => {
                Waits { for_tick_ns: ns(wait), in_all_ns: ns(wait), at_first_ns: two_ticks_ns.max(2 * STATE_STEP_NS) }
            }
            (None, None) => Waits {
                for_tick_ns: two_ticks_ns,
                in_all_ns: ns(Self::MAX_DEFAULT_WAIT),
                at_first_ns: two_ticks_ns.max(2 * STATE_STEP_NS),
            },
        }
    }

    pub(super) fn max_jump_ns(&self) -> u64 {
        ns(self.max_jump.unwrap_or(MAX_JUMP).max(Duration::from_secs(1)))
    }

    /// Returns the rollback policy for this layout.
    pub(super) fn rollback_of(&self, layout: &Layout) -> Result<Rollback, Error> {
        match self.rollback {
            None if layout.has_rollback() && cfg!(feature = "alloc") => Ok(Rollback::Bits),
            None => Ok(Rollback::Hold),
            Some(Rollback::Bits) if !layout.has_rollback() => {
                Err(Error::InvalidLayout { reason: LayoutProblem::NoRollback })
            }
            Some(Rollback::Bits) if cfg!(not(feature = "alloc")) => {
                Err(Error::InvalidArgument { what: "a cursor for each rollback value needs the feature alloc" })
            }
            Some(policy) => Ok(policy),
        }
    }

    /// Returns the number of shards for these nodes.
    pub(super) fn shard_count(&self, nodes: &Range<u64>) -> Result<u64, Error> {
        // Only `std` can distinguish threads; without it there is one shard.
        let max = if cfg!(feature = "std") { (nodes.end - nodes.start).min(MAX_SHARDS) } else { 1 };
        match self.shards.map_or(Ok(1), u64::try_from) {
            Ok(shards) if (1..=max).contains(&shards) => Ok(shards),
            _ => Err(Error::ShardsOutOfRange { shards: self.shards.unwrap_or(1), max }),
        }
    }

    /// Returns the window in ticks, half-open, rounded inwards, and after `not_before`.
    #[expect(clippy::cast_possible_truncation, reason = "both ticks were compared with the first and the last")]
    pub(super) fn window_ticks(&self, layout: &Layout, unit_ms: i64) -> Result<Range<u64>, Error> {
        #[cfg(feature = "std")]
        if let Some(grant) = &self.grant {
            if self.window.is_some() || self.not_before.is_some() || self.state.is_some() {
                return Err(LEASE_ALONE);
            }
            return Ok(grant.tenure().first_tick()..grant.tenure().end_tick());
        }
        let tick_ns = i128::from(layout.tick_ns());
        let end_ns = i128::from(layout.ticks()) * tick_ns;
        let since_ns = |time: i64| (i128::from(time) * i128::from(unit_ms) - i128::from(layout.epoch_ms())) * 1_000_000;
        let whole = || {
            let first = layout.epoch_ms().div_euclid(unit_ms);
            first..layout.tick_start_ms(layout.ticks()) / unit_ms
        };
        // The check below rejects times outside the layout, so the final casts to `u64` are exact.
        let first_ns = self.window.as_ref().map_or(0, |window| since_ns(window.start));
        let after_ns = self.window.as_ref().map_or(end_ns, |window| since_ns(window.end));
        let ceil = |ns: i128| ns.div_euclid(tick_ns) + i128::from(ns.rem_euclid(tick_ns) != 0);
        let first = ceil(first_ns);
        // If ticks are shorter than the unit of `not_before`, the last used tick can be any of
        // those within the unit. IDs therefore begin after its end.
        let unit_ns = i128::from(unit_ms) * 1_000_000;
        let after_known = |time| first.max(ceil(since_ns(time) + unit_ns));
        let first = self.not_before.map_or(first, after_known);
        let after_last = after_ns.div_euclid(tick_ns);
        if first_ns < 0 || after_ns > end_ns || first >= after_last {
            let Range { start: first, end: last } = whole();
            let Range { start, end } = self.window.clone().unwrap_or_else(whole);
            return Err(Error::InvalidWindow {
                start: self.not_before.map_or(start, |time| time.saturating_add(1).max(start)),
                end,
                first,
                last,
            });
        }
        Ok(first as u64..after_last as u64)
    }

    /// Whether the options name nodes: by `node`, `nodes` or a lease.
    pub(super) fn has_nodes(&self) -> bool {
        self.node.is_some() || self.nodes.is_some() || self.is_leased()
    }

    /// Checks that the lease, if any, is for IDs of this scheme, layout and secret.
    #[cfg(feature = "std")]
    pub(super) fn check_grant(&self, scheme: Scheme, layout: &Layout, key_id: Option<u32>) -> Result<(), Error> {
        self.grant.as_ref().map_or(Ok(()), |grant| grant.check(scheme, layout, key_id))
    }

    /// Whether the options name a state file.
    fn has_state(&self) -> bool {
        #[cfg(feature = "std")]
        return self.state.is_some();
        #[cfg(not(feature = "std"))]
        return false;
    }

    /// Whether the nodes are those of a lease.
    pub(super) fn is_leased(&self) -> bool {
        #[cfg(feature = "std")]
        return self.grant.is_some();
        #[cfg(not(feature = "std"))]
        return false;
    }

    /// Checks that generators of this scheme take every option given.
    pub(super) fn check(&self, scheme: Scheme) -> Result<(), Error> {
        let mut given = [
            (GeneratorOption::Node, self.node.is_some()),
            (GeneratorOption::Nodes, self.nodes.is_some()),
            (GeneratorOption::Lease, self.is_leased()),
            (GeneratorOption::Window, self.window.is_some()),
            (GeneratorOption::NotBefore, self.not_before.is_some()),
            (GeneratorOption::State, self.has_state()),
            (GeneratorOption::Rollback, self.rollback.is_some()),
            (GeneratorOption::Shards, self.shards.is_some()),
            (GeneratorOption::Scope, self.scope.is_some()),
            (GeneratorOption::MaxJump, self.max_jump.is_some()),
            (GeneratorOption::MaxWait, self.max_wait.is_some()),
        ]
        .into_iter();
        given.try_for_each(|(option, is_given)| scheme.check_option(option, is_given))
    }

    /// Checks that no option needs a node field, for a layout without one.
    #[cfg(target_has_atomic = "64")]
    pub(super) fn check_no_node_field(&self) -> Result<(), Error> {
        if self.has_nodes() || self.shards.is_some() {
            return Err(Error::InvalidArgument {
                what: "the layout has no node field: leave node, nodes, lease and shards out, or give it one",
            });
        }
        Ok(())
    }

    /// Returns the half-open range of nodes, at most `most` of them. `own` is the node of a scheme
    /// that takes no node from the options.
    pub(super) fn node_range(&self, layout: &Layout, most: u64, own: Option<i64>) -> Result<Range<u64>, Error> {
        let max = layout.max_node();
        #[cfg(feature = "std")]
        if let Some(grant) = &self.grant {
            if self.node.is_some() || self.nodes.is_some() {
                return Err(LEASE_ALONE);
            }
            return Options { nodes: Some(grant.nodes()), ..Options::default() }.node_range(layout, most, None);
        }
        match (self.node.or(own), &self.nodes) {
            (None, None) => Err(Error::NodeRequired { max }),
            (Some(_), Some(_)) => Err(Error::NodeTwice),
            (Some(node), None) => match u64::try_from(node) {
                Ok(checked) if checked <= max => Ok(checked..checked + 1),
                _ => Err(Error::NodeOutOfRange { node, max }),
            },
            (None, Some(Range { start, end })) => match (u64::try_from(*start), u64::try_from(*end)) {
                (Ok(first), Ok(after)) if first < after && after - 1 <= max && after - first <= most => {
                    Ok(first..after)
                }
                _ => Err(Error::NodeRangeInvalid { first: *start, end: *end, max, most }),
            },
        }
    }
}

/// The maximum waits of a generator, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// The maximum wait for one tick.
    pub(super) for_tick_ns: u64,
    /// The maximum wait for one ID in total, when other threads use up the awaited ticks.
    pub(super) in_all_ns: u64,
    /// The maximum wait for the tick with which the generator begins.
    pub(super) at_first_ns: u64,
}

/// Converts a node to `i64`. Larger numbers become `i64::MAX`, which is out of range for every
/// layout.
pub(super) fn saturated(node: u64) -> i64 {
    i64::try_from(node).unwrap_or(i64::MAX)
}

fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
