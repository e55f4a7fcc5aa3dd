//! What the user of a generator chooses.

use super::Scope;
use crate::error::{Error, Excerpt, LayoutProblem};
#[cfg(feature = "std")]
use crate::id::Scheme;
use crate::layout::Layout;
use core::ops::Range;
use core::time::Duration;
#[cfg(feature = "std")]
use {super::Grant, std::path::PathBuf};

/// The longest jump of the clock that is allowed unless the user says otherwise: one day, as long as a machine may sleep without
/// its time since boot running on, as some virtual ones do.
const MAX_JUMP: Duration = Duration::from_secs(86_400);

/// The longest wait that is the default, for one tick and for all.
const MOST_BY_DEFAULT_NS: u64 = 2_000_000_000;

/// What a state file is ahead of the clock at the most, after a crash.
const STATE_STEP_NS: u64 = 100_000_000;

/// The most shards: as many threads as make no sense any more, and few enough that their cursors fit any memory.
const MOST_SHARDS: u64 = 1_024;

#[cfg(feature = "std")]
const LEASE_ALONE: Error = Error::InvalidArgument {
    what: "a lease has nodes and a time of its own: give no node, nodes, window, not_before or state beside it",
};

/// What a generator does when the clock has stepped back, behind the tick of its last ID. It never repeats an ID.
///
/// ```
/// use saiban::{ErrorKind, Generator, Layout, ManualClock, Options, Rollback, Snowflake};
/// let clock = ManualClock::new(1_763_700_000_000)?;
/// let build = |layout, node, policy| Snowflake::<_>::build(layout, &Options::node(node).rollback(policy), &clock);
/// let hold = build(Layout::TWITTER, 1, Rollback::Hold)?;
/// let error = build(Layout::TWITTER, 2, Rollback::Error)?;
/// let bits = build(Layout::TWITTER.with_rollback_bits(2)?, 3, Rollback::Bits)?;
/// let first = [hold.generate()?, error.generate()?, bits.generate()?];
/// clock.advance(-1_000)?;
/// assert_eq!(hold.generate()?, first[0] + 1);                 // goes on in the tick it has reached
/// assert_eq!(error.generate().map_err(|error| error.kind()), Err(ErrorKind::ClockBackward));
/// let parts = bits.inspect(bits.generate()?)?;                // the clock's time, and a step counted
/// assert_eq!((parts.timestamp_ms, parts.rollback), (Some(1_763_699_999_000), Some(1)));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rollback {
    /// Goes on in the tick that was reached; when that is used up, waits for the clock to return, at most `max_wait`, and then
    /// answers `ClockBackward`.
    Hold,
    /// Answers `ClockBackward` at once, until the clock has returned: Twitter's rule.
    Error,
    /// Counts the step in the layout's rollback bits and goes on at the clock's time. Each value of the bits is a node of its own; where
    /// the clock is behind the next one's last ID too, after 2^bits − 1 steps within the time replayed say, it holds.
    Bits,
}

impl Rollback {
    /// Every policy.
    pub const ALL: [Rollback; 3] = [Rollback::Hold, Rollback::Error, Rollback::Bits];

    /// The name in every language: `hold`, `error`, `bits`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rollback::Hold => "hold",
            Rollback::Error => "error",
            Rollback::Bits => "bits",
        }
    }

    /// The policy of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|policy| policy.name() == name)
            .ok_or(Error::UnknownRollback { name: Excerpt::new(name) })
    }
}

/// The user's choices, common to all generators. Nothing is checked before a generator is built with them.
///
/// ```
/// use saiban::Options;
/// use std::time::Duration;
/// let options = Options::node(7).max_wait(Duration::from_millis(5));
/// assert_eq!(options.node, Some(7));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The node, which no other machine has. Processes of one user on this machine share it: see [`Scope`].
    pub node: Option<i64>,
    /// A half-open range of nodes, which no other machine has, instead of one. A generator counts for at most 2^(63 − timestamp bits −
    /// sequence bits) of them: 1024 of Twitter's, 512 of Discord's, 65,536 of Randflake's. Its IDs are ordered by tick,
    /// node, sequence, where the layout's bits are in that order too.
    pub nodes: Option<Range<i64>>,
    /// The half-open window in which IDs may be issued: Unix time, in the format's own unit (seconds for Randflake,
    /// milliseconds for Snowflake and Ulid-Flake). It holds for the time *in* the ID.
    pub window: Option<Range<i64>>,
    /// The time of the last ID known to be used for these nodes, in the window's unit: IDs begin with the first tick that begins after this
    /// unit of time, whatever the clock says.
    ///
    /// Without it, a generator on the system's clock begins with the tick after the one in which it was built, so that a program
    /// that is started again within a tick repeats nothing; where ticks are seconds the first ID may wait up to one.
    pub not_before: Option<i64>,
    /// A file that remembers, for who counts for these nodes after us, which ticks were used: a clock that was set back while the
    /// program was down repeats nothing either. It is made where there is none, and locked (`PATH.lock`) as long as a generator uses
    /// it. Every 100 ms of use, at the most, the ticks to come are written to the disk before the first of them is used; after a crash
    /// the first ID may wait that long.
    #[cfg(feature = "std")]
    pub state: Option<PathBuf>,
    /// A lease's nodes and time, in place of node, nodes and window.
    #[cfg(feature = "std")]
    pub grant: Option<Grant>,
    /// What happens when the clock steps back: by default `Bits` for a layout with a rollback field (it needs the feature `alloc`), else
    /// `Hold`.
    pub rollback: Option<Rollback>,
    /// How many parts a range of nodes is divided into, each with a cursor of its own; 1 by default, at most 1024. Each thread is given one in
    /// turn, so that threads do not contend. Then the IDs of one thread are ordered; between threads only by tick.
    pub shards: Option<i64>,
    /// How far the clock may jump ahead of the time since boot before it is refused (`ClockJumped`), where the clock knows that time:
    /// one day by default, and at least a second. An ID from the far future would hold the node until then.
    pub max_jump: Option<Duration>,
    /// The longest wait for an ID. By default 2 ticks, at most 2 s; where other threads use up the ticks that were waited for,
    /// again for each, and 2 s in all. Threads that ask for more than the nodes can give wait for each other: a range of
    /// nodes helps.
    pub max_wait: Option<Duration>,
    /// Which generators of the same nodes share a cursor. By default [`Scope::Machine`] where that can be had, else [`Scope::Process`];
    /// `stats` says which.
    pub scope: Option<Scope>,
    /// What `max_wait` is by default, for a language where a wait holds up everybody else. Only the first ID of a generator may wait
    /// longer.
    pub usual_wait: Option<Duration>,
}

impl Options {
    /// One node.
    #[must_use]
    pub fn node(node: i64) -> Self {
        Options { node: Some(node), ..Options::default() }
    }

    /// A half-open range of nodes.
    #[must_use]
    pub fn nodes(nodes: Range<i64>) -> Self {
        Options { nodes: Some(nodes), ..Options::default() }
    }

    /// Sets the window.
    #[must_use]
    pub fn window(mut self, window: Range<i64>) -> Self {
        self.window = Some(window);
        self
    }

    /// Sets the time of the last ID known to be used.
    #[must_use]
    pub fn not_before(mut self, not_before: i64) -> Self {
        self.not_before = Some(not_before);
        self
    }

    /// Sets the state file.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn state(mut self, path: impl Into<PathBuf>) -> Self {
        self.state = Some(path.into());
        self
    }

    /// Sets the grant.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn grant(mut self, grant: &Grant) -> Self {
        self.grant = Some(grant.clone());
        self
    }

    /// Sets what happens when the clock steps back.
    #[must_use]
    pub fn rollback(mut self, rollback: Rollback) -> Self {
        self.rollback = Some(rollback);
        self
    }

    /// Sets which generators of the same nodes share a cursor.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Sets how many parts the range of nodes is divided into.
    #[must_use]
    pub fn shards(mut self, shards: i64) -> Self {
        self.shards = Some(shards);
        self
    }

    /// Sets how far the clock may jump ahead.
    #[must_use]
    pub fn max_jump(mut self, max_jump: Duration) -> Self {
        self.max_jump = Some(max_jump);
        self
    }

    /// Sets the longest wait.
    #[must_use]
    pub fn max_wait(mut self, max_wait: Duration) -> Self {
        self.max_wait = Some(max_wait);
        self
    }

    /// A wait of so many milliseconds.
    ///
    /// # Errors
    /// `InvalidArgument` for a negative number.
    pub const fn wait_ms(max_wait_ms: i64) -> Result<Duration, Error> {
        if max_wait_ms < 0 {
            return Err(Error::InvalidArgument { what: "max_wait_ms is negative: give 0 or more milliseconds" });
        }
        Ok(Duration::from_millis(max_wait_ms as u64))
    }

    /// A jump of so many seconds.
    ///
    /// # Errors
    /// `InvalidArgument` for less than one.
    pub const fn jump_s(max_jump_s: i64) -> Result<Duration, Error> {
        if max_jump_s < 1 {
            return Err(Error::InvalidArgument { what: "max_jump_s is below 1: give 1 or more seconds" });
        }
        Ok(Duration::from_secs(max_jump_s as u64))
    }

    /// How long a generator may wait.
    pub(super) fn waits(&self, layout: &Layout) -> Waits {
        let two_ticks_ns = layout.tick_ns().saturating_mul(2).min(MOST_BY_DEFAULT_NS);
        match (self.max_wait, self.usual_wait) {
            (Some(wait), _) => Waits { for_tick_ns: ns(wait), in_all_ns: ns(wait), at_first_ns: ns(wait) },
            (None, Some(wait)) => {
                Waits { for_tick_ns: ns(wait), in_all_ns: ns(wait), at_first_ns: two_ticks_ns.max(2 * STATE_STEP_NS) }
            }
            (None, None) => Waits {
                for_tick_ns: two_ticks_ns,
                in_all_ns: MOST_BY_DEFAULT_NS,
                at_first_ns: two_ticks_ns.max(2 * STATE_STEP_NS),
            },
        }
    }

    pub(super) fn max_jump_ns(&self) -> u64 {
        ns(self.max_jump.unwrap_or(MAX_JUMP).max(Duration::from_secs(1)))
    }

    /// The policy for this layout.
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

    /// How many parts these nodes are divided into.
    pub(super) fn shard_count(&self, nodes: &Range<u64>) -> Result<u64, Error> {
        // Threads are told apart by std.
        let max = if cfg!(feature = "std") { (nodes.end - nodes.start).min(MOST_SHARDS) } else { 1 };
        match self.shards.map_or(Ok(1), u64::try_from) {
            Ok(shards) if (1..=max).contains(&shards) => Ok(shards),
            _ => Err(Error::ShardsOutOfRange { shards: self.shards.unwrap_or(1), max }),
        }
    }

    /// The window in ticks, half-open, rounded inwards, and after the last time known to be used.
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
        // Times outside the layout are refused here; in between, all that is below fits.
        let first_ns = self.window.as_ref().map_or(0, |window| since_ns(window.start));
        let after_ns = self.window.as_ref().map_or(end_ns, |window| since_ns(window.end));
        let ceil = |ns: i128| ns.div_euclid(tick_ns) + i128::from(ns.rem_euclid(tick_ns) != 0);
        let first = ceil(first_ns);
        // The last tick known to be used may have begun anywhere in the time's unit: ticks shorter than it are many.
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

    /// Whether nodes are given, in one way or another.
    pub(super) fn has_nodes(&self) -> bool {
        self.node.is_some() || self.nodes.is_some() || self.is_leased()
    }

    /// That a lease is for the IDs of this scheme, layout and secret.
    #[cfg(feature = "std")]
    pub(super) fn check_grant(&self, scheme: Scheme, layout: &Layout, key_id: Option<u32>) -> Result<(), Error> {
        self.grant.as_ref().map_or(Ok(()), |grant| grant.check(scheme, layout, key_id))
    }

    /// Whether they are those of a lease.
    pub(super) fn is_leased(&self) -> bool {
        #[cfg(feature = "std")]
        return self.grant.is_some();
        #[cfg(not(feature = "std"))]
        return false;
    }

    /// For a scheme whose generators are kept apart by what they draw: all of them count as node 0 of their own.
    #[cfg(target_has_atomic = "64")]
    pub(super) fn without_nodes(&self) -> Result<Options, Error> {
        self.without(
            "this scheme has no nodes: its generators are kept apart by random bits; leave node, nodes, lease and shards out",
            "this scheme needs no state file: what is started again draws other random bits; leave it out",
        )
    }

    /// For a scheme with too few random digits for that: whoever stores its IDs refuses those that it has.
    #[cfg(target_has_atomic = "64")]
    pub(super) fn without_nodes_for_a_store(&self) -> Result<Options, Error> {
        self.without(
            "this scheme has no nodes: what keeps its generators apart is the store, which refuses an ID that it has; leave node, nodes \
             and shards out",
            "this scheme has no state file: what keeps its generators apart is the store, which refuses an ID that it has, also after a \
             restart; leave it out",
        )
    }

    /// No nodes, for this reason, and no state file, for that one.
    #[cfg(target_has_atomic = "64")]
    fn without(&self, no_nodes: &'static str, no_state: &'static str) -> Result<Options, Error> {
        if self.has_nodes() || self.shards.is_some() {
            return Err(Error::InvalidArgument { what: no_nodes });
        }
        #[cfg(feature = "std")]
        if self.state.is_some() {
            return Err(Error::InvalidArgument { what: no_state });
        }
        #[cfg(not(feature = "std"))]
        let _ = no_state;
        Ok(Options { node: Some(0), ..self.clone() })
    }

    /// For a layout without a node field: all generators of the process count as node 0 together.
    #[cfg(target_has_atomic = "64")]
    pub(super) fn without_node_field(&self) -> Result<Options, Error> {
        if self.has_nodes() || self.shards.is_some() {
            return Err(Error::InvalidArgument {
                what: "the layout has no node field: leave node, nodes, lease and shards out, or give it one",
            });
        }
        Ok(Options { node: Some(0), ..self.clone() })
    }

    /// The nodes, half-open, which must be `most` at the most.
    pub(super) fn node_range(&self, layout: &Layout, most: u64) -> Result<Range<u64>, Error> {
        let max = layout.max_node();
        #[cfg(feature = "std")]
        if let Some(grant) = &self.grant {
            if self.node.is_some() || self.nodes.is_some() {
                return Err(LEASE_ALONE);
            }
            return Options::nodes(grant.nodes()).node_range(layout, most);
        }
        match (self.node, &self.nodes) {
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

/// How long a generator may wait, nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// For one tick.
    pub(super) for_tick_ns: u64,
    /// For all ticks that other threads use up before us.
    pub(super) in_all_ns: u64,
    /// For the tick with which the generator begins.
    pub(super) at_first_ns: u64,
}

fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
