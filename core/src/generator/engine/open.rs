//! Opens an engine: checks the options, opens the cursors, and decides what each ID needs.

use super::Engine;
#[cfg(feature = "std")]
use super::checked::Check;
use super::fast_path::FastPath;
use super::format::{Format, Owner, max_nodes};
#[cfg(feature = "std")]
use super::gate::Copies;
use super::gate::Gate;
use super::tick_cache::TickCache;
use super::ticks::Ticks;
use crate::clock::Clock;
use crate::cursor::{Beginning, CursorWord, Position, Sharing};
use crate::error::{Error, LayoutProblem};
use crate::generator::jump::JumpGuard;
use crate::generator::shards::{Common, Shards};
use crate::generator::stats::Counters;
use crate::generator::{Options, Rollback, Scope};
use crate::layout::Layout;
#[cfg(feature = "std")]
use crate::state::{Identity, StateFile};
use core::ops::Range;
#[cfg(feature = "std")]
use std::sync::Arc;

/// The shortest tick for which the coarse clock is read: at least a hundred times the lag of that
/// clock.
const LONG_TICK_NS: u64 = 1_000_000_000;

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Opens an engine with cursors for the nodes of these options.
    pub(in crate::generator) fn open(format: &Format, options: &Options, clock: C) -> Result<Self, Error> {
        let Format { layout, counter_bits, borrow, owner, .. } = *format;
        let plan = Plan::of::<W>(format, options, &clock)?;
        #[cfg(feature = "std")]
        let state = open_state(format, options, &plan)?;
        #[cfg(feature = "std")]
        let beginning = plan.beginning(format, options, &clock, W::CAN_BE_CLOSED, state.as_ref())?;
        #[cfg(not(feature = "std"))]
        let beginning = plan.beginning(format, options, &clock)?;
        let (of_new, of_any) = (beginning.of_new, beginning.of_any);
        #[cfg(feature = "std")]
        let tenure = beginning.tenure.clone();

        let common = plan.common(format, beginning);
        // With a state file, every ID takes the slow path. It reads the clock once and then saves
        // the tick, because the disk may take longer than a tick.
        #[cfg(feature = "std")]
        let saves = state.is_some();
        #[cfg(not(feature = "std"))]
        let saves = false;
        let is_plain = borrow == 0 && !common.forward_only && common.lanes == 1 && !saves;
        let has_long_ticks = layout.tick_ns() >= LONG_TICK_NS;
        let tick_cache = TickCache::new(layout.tick_ns(), has_long_ticks && clock.coarse_ns().is_some(), &clock);
        // Watch for forks also if only random bits distinguish a generator from its forked copies.
        #[cfg(feature = "std")]
        let process = crate::process::watched();
        #[cfg(not(feature = "std"))]
        let process = 0;
        let shards = Shards::open(&common, &plan.nodes, plan.shards)?;
        let is_of_machine = shards.are_of_machine();
        let is_of_lease = is_of_machine && options.is_leased();
        let has_numbers = is_plain && owner == Owner::Node && !is_of_lease;
        let fast = FastPath::new(is_plain, layout.counts_from_0()).with_numbers(
            has_numbers,
            process,
            is_of_machine,
            &shards,
            &tick_cache,
        );
        let fast = fast.with_wide(owner == Owner::Random, &shards, &tick_cache);
        Ok(Engine {
            layout,
            // In machine scope, a forked copy shares its parent's cursor. A state file or a lease
            // belongs to one process.
            #[cfg(feature = "std")]
            gate: Gate::new(
                process,
                match owner {
                    Owner::Node if is_of_lease => Copies::LeaseOfMachine,
                    Owner::Node if saves || !is_of_machine => Copies::MayNotIssue,
                    Owner::Node | Owner::Nothing | Owner::Random => Copies::MayIssue,
                },
                tenure,
            ),
            #[cfg(not(feature = "std"))]
            gate: Gate {},
            jumps: JumpGuard::new(&clock, layout.tick_start_ns(0), options.max_jump_ns()),
            clock,
            ticks: Ticks::of(&layout),
            tick_cache,
            has_long_ticks,
            window: plan.window,
            begin_tick: if is_of_machine { of_any } else { of_new.max(of_any) },
            fast,
            shards,
            counter_bits,
            borrow,
            counts_from_0: layout.counts_from_0(),
            counters: Counters::default(),
            waits: options.waits(&layout),
            #[cfg(feature = "std")]
            state,
            #[cfg(feature = "std")]
            check: is_of_machine.then(|| Check::of(layout.tick_ns())),
        })
    }
}

/// The checked options.
struct Plan {
    nodes: Range<u64>,
    shards: u64,
    window: Range<u64>,
    rollback: Rollback,
    sharing: Sharing,
}

impl Plan {
    /// Checks the options.
    fn of<W: CursorWord>(format: &Format, options: &Options, clock: &impl Clock) -> Result<Self, Error> {
        let Format { layout, unit_ms, counter_bits, owner, .. } = *format;
        let bits = layout.timestamp_bits() + counter_bits;
        if bits > W::Position::BITS {
            return Err(Error::InvalidLayout { reason: LayoutProblem::PositionTooWide { bits } });
        }
        options.check(format.scheme)?;
        // Check the lease before its nodes: the nodes of another scheme's or layout's lease can be
        // out of range here, but the error must name the lease.
        #[cfg(feature = "std")]
        options.check_grant(format.scheme, &layout, format.key_id)?;
        // A random part grows within one node's bits; in a range of nodes it could grow into the
        // next node.
        let max = if layout.is_random() { 1 } else { max_nodes::<W::Position>(&layout, counter_bits) };
        let nodes = options.node_range(&layout, max, format.node)?;
        Ok(Plan {
            shards: options.shard_count(&nodes)?,
            window: options.window_ticks(&layout, unit_ms)?,
            rollback: options.rollback_of(&layout)?,
            sharing: sharing(owner, options, clock)?,
            nodes,
        })
    }

    /// Returns where the cursors begin.
    fn beginning<'a>(
        &self,
        format: &Format,
        options: &Options,
        clock: &'a dyn Clock,
        #[cfg(feature = "std")] can_be_closed: bool,
        #[cfg(feature = "std")] state: Option<&Arc<StateFile>>,
    ) -> Result<Beginning<'a>, Error> {
        let mut beginning = Beginning { max_jump_ns: options.max_jump_ns(), ..Beginning::default() };
        beginning.clock = Some(clock);
        #[cfg(feature = "std")]
        if let Some(state) = state {
            beginning.state_file = Some(Arc::as_ptr(state) as usize);
            beginning.of_any = state.first_free_tick().unwrap_or(0);
        }
        #[cfg(feature = "std")]
        if let Some(grant) = &options.grant {
            let tenure = grant.tenure();
            if !can_be_closed {
                return Err(Error::InvalidArgument {
                    what: "a lease cannot revoke a generator with a LocalCursor: use a generator that threads can \
                           share",
                });
            }
            if tenure.is_copy() {
                return Err(Error::Forked);
            }
            beginning.of_any = tenure.first_tick();
            beginning.tenure = Some(Arc::clone(tenure));
        }
        // A state file does not count as known: other generators may have counted without it, or it
        // may have been restored from a backup.
        beginning.is_known = options.not_before.is_some() || options.is_leased();
        if self.sharing != Sharing::Own && !beginning.is_known {
            beginning.of_new = tick_after_this(&format.layout, clock)? + format.borrow;
        }
        Ok(beginning)
    }

    /// Returns the properties that all cursors of the generator have in common.
    fn common<'a>(&self, format: &Format, beginning: Beginning<'a>) -> Common<'a> {
        Common {
            format: format.numbers,
            layout: format.layout,
            counter_bits: format.counter_bits,
            borrow: format.borrow,
            ticks: self.window.clone(),
            forward_only: self.rollback == Rollback::Error,
            lanes: if self.rollback == Rollback::Bits { format.layout.max_rollback() + 1 } else { 1 },
            sharing: self.sharing,
            beginning,
        }
    }
}

/// Returns which generators share cursors.
fn sharing(owner: Owner, options: &Options, clock: &impl Clock) -> Result<Sharing, Error> {
    let sharing = match (clock.is_process_time(), owner) {
        (false, _) | (true, Owner::Random) => Sharing::Own,
        (true, Owner::Node) if options.scope == Some(Scope::Process) => Sharing::Process,
        (true, Owner::Node) => Sharing::Machine { is_required: options.scope == Some(Scope::Machine) },
        (true, Owner::Nothing) => Sharing::ProcessAndForks,
    };
    // Under a lease, generators share cursors even if their clock is the caller's own.
    #[cfg(feature = "std")]
    let sharing = match (&options.grant, sharing) {
        (Some(grant), Sharing::Machine { .. }) if grant.tenure().space_of_machine().is_some() => sharing,
        (Some(_), _) => Sharing::Process,
        (None, _) => sharing,
    };
    if options.scope == Some(Scope::Machine) && !matches!(sharing, Sharing::Machine { .. }) {
        return Err(Error::NoMachineScope);
    }
    Ok(sharing)
}

#[cfg(feature = "std")]
fn open_state(format: &Format, options: &Options, plan: &Plan) -> Result<Option<Arc<StateFile>>, Error> {
    let Some(path) = &options.state else { return Ok(None) };
    let (scheme, layout) = (format.scheme.name(), &format.layout);
    let identity = Identity { scheme, layout, first_node: plan.nodes.start, end_node: plan.nodes.end };
    // A generator that shares no cursor shares no state file either.
    let open = if plan.sharing == Sharing::Own { StateFile::open_alone } else { StateFile::open };
    open(path, &identity).map(Some)
}

/// Returns the tick after the one that the clock shows.
///
/// An earlier generator of these nodes has issued no ID from this tick. If the clock is outside the
/// layout's time, generators issue nothing, and the result is 0. If the clock cannot be read, the
/// ticks used so far are unknown, and the result is an error.
fn tick_after_this(layout: &Layout, clock: &dyn Clock) -> Result<u64, Error> {
    Ok(layout.tick_at_ns(clock.now_ns()?).map_or(0, |tick| tick + 1))
}
