//! Generators of every scheme with any options, on a clock that moves arbitrarily. IDs are unique,
//! in order, and within their nodes and window; no ID follows an excessive jump. A caller that
//! waits as long as reported gets the next ID.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use saiban::cursor::{Cursor, LocalCursor};
use saiban::layout::Fields;
use saiban::{Attempt, Clock, Entropy, Error, Generator, Layout, ManualClock, Options, Scheme};
use saiban_fuzz::check_error;
use saiban_fuzz::options::{AnyOptions, AnyScheme};
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;
use std::time::Duration;

#[derive(Arbitrary, Debug)]
struct Input {
    scheme: AnyScheme,
    options: AnyOptions,
    /// The clock's start after the layout's epoch, or after 1970 if the epoch is earlier.
    since_epoch_ms: u32,
    /// The time since boot, if the clock knows it.
    since_boot_ms: Option<u32>,
    seed: u64,
    events: Vec<Event>,
}

/// A call of the generator, or a change of the clock.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Event {
    Generate,
    Try,
    TryWithin(u16),
    Fill(u8),
    Many(u8),
    Text,
    /// The clock was set.
    ClockAt(u64),
    ClockMoved(i64),
    ClockMovedByTicks(i16),
    /// Time has passed.
    PassedMs(u32),
    /// The wait that the generator reported has passed.
    Waited,
}

fuzz_target!(|input: Input| {
    let Ok(layout) = input.scheme.layout() else { return };
    let start_ms = layout.epoch_ms().max(0).saturating_add(i64::from(input.since_epoch_ms));
    let Ok(wall) = ManualClock::new(start_ms) else { return };
    // No machine booted before 1970.
    let boot_ns = |ms| Cell::new(u64::from(ms).min(start_ms as u64) * 1_000_000);
    let clock = Machine { wall, boot_ns: input.since_boot_ms.map(boot_ns) };
    let options = input.options.get(&input.scheme, &layout, start_ms);
    let dice = [Dice(Cell::new(input.seed)), Dice(Cell::new(input.seed))];
    let shared = input.scheme.build::<Cursor>(&options, &clock, &dice[0]);
    let local = input.scheme.build::<LocalCursor>(&options, &clock, &dice[1]);
    match (shared, local) {
        (Ok(shared), Ok(local)) => {
            let mut watch = Watch::new(&input.scheme, &layout, &options, &clock);
            for event in input.events {
                watch.clock_event(event);
                let outcome = Outcome::of(event, &*shared);
                assert_eq!(outcome, Outcome::of(event, &*local), "the two kinds of cursor differ");
                watch.check(&*shared, event, &outcome);
            }
        }
        (Err(error), Err(same)) => {
            check_error(&error);
            assert_eq!(error, same);
        }
        (shared, local) => panic!("{:?} but {:?}", shared.err(), local.err()),
    }
});

/// A manual clock, which may also know the time since boot.
struct Machine {
    wall: ManualClock,
    boot_ns: Option<Cell<u64>>,
}

impl Clock for Machine {
    fn now_ns(&self) -> Result<u64, Error> {
        self.wall.now_ns()
    }

    fn since_boot_ns(&self) -> Option<u64> {
        self.boot_ns.as_ref().map(Cell::get)
    }
}

impl Machine {
    fn pass(&self, ns: u64) {
        self.wall.set_ns(self.wall_ns().saturating_add(ns));
        if let Some(boot_ns) = &self.boot_ns {
            boot_ns.set(boot_ns.get().saturating_add(ns));
        }
    }

    fn wall_ns(&self) -> u64 {
        self.wall.now_ns().expect("a manual clock can be read")
    }

    /// Returns how far the clock is ahead of the time since boot.
    fn ahead_ns(&self) -> Option<i128> {
        self.since_boot_ns().map(|boot_ns| i128::from(self.wall_ns()) - i128::from(boot_ns))
    }
}

/// Pseudo-random bytes, equal for both generators of a pair.
struct Dice(Cell<u64>);

impl Entropy for Dice {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        for byte in bytes {
            // Knuth's constants; the high bits of a linear congruential generator are the best.
            self.0.set(self.0.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
            *byte = (self.0.get() >> 56) as u8;
        }
        Ok(())
    }
}

/// The result of an event.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    ids: Vec<i64>,
    wait_ns: Option<u64>,
    error: Option<Error>,
}

impl Outcome {
    fn of(event: Event, ids: &dyn Generator<Id = i64>) -> Self {
        let got = |ids: Vec<i64>| Outcome { ids, ..Outcome::default() };
        let attempt = |attempt| match attempt {
            Attempt::Ready(id) => got(vec![id]),
            Attempt::Wait(wait) => Outcome { wait_ns: u64::try_from(wait.as_nanos()).ok(), ..Outcome::default() },
        };
        let result = match event {
            Event::Generate => ids.generate().map(|id| got(vec![id])),
            Event::Try | Event::Waited => ids.try_generate().map(attempt),
            Event::TryWithin(ms) => ids.try_generate_within(Duration::from_millis(u64::from(ms))).map(attempt),
            Event::Fill(count) => {
                let mut buffer = vec![0; usize::from(count)];
                ids.fill(&mut buffer).map(|written| got(buffer[..written].to_vec()))
            }
            Event::Many(count) => ids.generate_many(usize::from(count)).map(got),
            Event::Text => ids.generate_text(None).map(|text| got(vec![ids.from_text(&text).expect("its own text")])),
            Event::ClockAt(_) | Event::ClockMoved(_) | Event::ClockMovedByTicks(_) | Event::PassedMs(_) => {
                return Outcome::default();
            }
        };
        result.unwrap_or_else(|error| {
            let wait_ns = match error {
                Error::WouldWait { wait_ns, .. } | Error::LeaseNotBegun { wait_ns, .. } => Some(wait_ns),
                // `behind_ns` is not a promise without a wait limit above 0: when the clock has
                // returned, the tick may be used up.
                Error::ClockBackward { behind_ns, max_wait_ns: 1.. } => Some(behind_ns),
                _ => None,
            };
            Outcome { ids: Vec::new(), wait_ns, error: Some(error) }
        })
    }
}

/// Moves the clock, and checks every result.
struct Watch<'a> {
    layout: &'a Layout,
    clock: &'a Machine,
    options: &'a Options,
    nodes: Range<i64>,
    /// The window of the IDs, in microseconds since the layout's epoch.
    window_us: Range<i128>,
    /// The first tick that this generator may use.
    first_tick: i128,
    /// The highest tick that the clock has shown.
    shown: Option<u64>,
    seen: HashSet<i64>,
    /// Tick, node and counter of the last ID with each value of the rollback bits.
    last: [Option<(u64, u64, u64)>; 16],
    /// The highest tick that may have IDs, seen or lost.
    reached: Option<u64>,
    /// The wait that the generator reported last.
    asked_wait_ns: u64,
    /// The minimum and maximum difference between the clock and the time since boot, at calls
    /// without a jump error.
    ahead_ns: Option<(i128, i128)>,
    /// The clock's time at the start.
    began_ns: u64,
    /// Whether IDs were lost.
    lost: bool,
}

impl<'a> Watch<'a> {
    fn new(scheme: &AnyScheme, layout: &'a Layout, options: &'a Options, clock: &'a Machine) -> Self {
        let since_us =
            |time: i64| (i128::from(time) * i128::from(scheme.unit_ms()) - i128::from(layout.epoch_ms())) * 1_000;
        let (start, end) = options.window.as_ref().map_or((0, i128::MAX), |w| (since_us(w.start), since_us(w.end)));
        let tick_us = i128::from(layout.tick_us());
        let first_tick = start.div_euclid(tick_us) + i128::from(start.rem_euclid(tick_us) != 0);
        let mut watch = Watch {
            layout,
            clock,
            options,
            nodes: scheme.nodes(options),
            window_us: start..end,
            // The tick of the last known ID is used up.
            first_tick: options
                .not_before
                .map_or(first_tick, |time| first_tick.max(since_us(time).div_euclid(tick_us) + 1)),
            shown: None,
            seen: HashSet::new(),
            last: [None; 16],
            reached: None,
            asked_wait_ns: 0,
            ahead_ns: clock.ahead_ns().map(|ahead_ns| (ahead_ns, ahead_ns)),
            began_ns: clock.wall_ns(),
            lost: false,
        };
        watch.read_clock();
        watch
    }

    fn read_clock(&mut self) {
        self.shown = self.shown.max(self.layout.tick_at_ns(self.clock.wall_ns()).ok());
    }

    fn clock_event(&mut self, event: Event) {
        let (wall, now_ns) = (&self.clock.wall, self.clock.wall_ns());
        match event {
            Event::ClockAt(ns) => wall.set_ns(ns),
            Event::ClockMoved(ns) => wall.set_ns(now_ns.saturating_add_signed(ns)),
            Event::ClockMovedByTicks(ticks) => {
                let ns = i64::try_from(self.layout.tick_ns()).unwrap_or(i64::MAX).saturating_mul(i64::from(ticks));
                wall.set_ns(now_ns.saturating_add_signed(ns));
            }
            Event::PassedMs(ms) => self.clock.pass(u64::from(ms) * 1_000_000),
            Event::Waited => self.clock.pass(self.asked_wait_ns),
            _ => return,
        }
        self.read_clock();
    }

    fn check(&mut self, ids: &dyn Generator<Id = i64>, event: Event, outcome: &Outcome) {
        for id in &outcome.ids {
            self.check_id(ids, *id);
        }
        if let Some(error) = &outcome.error {
            if matches!(event, Event::Many(_)) {
                // IDs that were generated before the error are lost.
                (self.reached, self.lost) = (self.shown, true);
            }
            self.check_failure(error);
        }
        self.check_jumps(outcome);
        self.check_stats(ids);
        match event {
            Event::Many(count) if outcome.error.is_none() => assert_eq!(outcome.ids.len(), usize::from(count)),
            Event::TryWithin(_) => assert!(outcome.error.is_some() || outcome.ids.len() == 1, "this clock never waits"),
            // At the end of its range the clock cannot advance.
            Event::Waited if self.asked_wait_ns > 0 && self.clock.wall_ns() < u64::MAX => {
                // The next rollback value has another cursor, whose current tick may be used up.
                let a_tick_more = self.layout.has_rollback()
                    && outcome.wait_ns.is_some_and(|wait_ns| (1..=self.layout.tick_ns()).contains(&wait_ns));
                let is_enough = outcome.ids.len() == 1 || a_tick_more;
                assert!(is_enough, "asked to wait {} ns, then {outcome:?}", self.asked_wait_ns);
            }
            _ => {}
        }
        self.asked_wait_ns = outcome.wait_ns.unwrap_or(0);
    }

    fn check_id(&mut self, ids: &dyn Generator<Id = i64>, id: i64) {
        assert!(self.seen.insert(id), "{id} again");
        let parts = ids.inspect(id).expect("its own ID");
        let since_us = (i128::from(parts.timestamp_ms.expect("a time")) - i128::from(self.layout.epoch_ms())) * 1_000;
        let Fields { tick, node, counter, rollback } = match self.layout.split(id) {
            Ok(fields) if ids.scheme() != Scheme::Randflake => fields,
            // A Randflake is encrypted. Its inspected parts are exact, because a tick is a second.
            _ => Fields {
                tick: (since_us / i128::from(self.layout.tick_us())) as u64,
                node: parts.node.expect("a node"),
                counter: parts.sequence.expect("a sequence"),
                rollback: 0,
            },
        };
        assert_eq!(
            (parts.node.unwrap_or(0), parts.sequence.map(u128::from).or(parts.random)),
            (node, Some(counter.into()))
        );
        assert!(self.nodes.contains(&(node as i64)), "node {node} is not in {:?}", self.nodes);

        let tick_us = i128::from(self.layout.tick_us());
        let start_us = i128::from(tick) * tick_us;
        assert!(start_us >= self.window_us.start && start_us + tick_us <= self.window_us.end, "{parts:?}");
        assert!(i128::from(tick) >= self.first_tick, "{parts:?}");
        assert!(Some(tick) <= self.shown, "{parts:?} is ahead of every time that the clock has shown");

        let last = &mut self.last[rollback as usize];
        assert!(*last < Some((tick, node, counter)), "{parts:?} does not come after {last:?}");
        *last = Some((tick, node, counter));
        self.reached = self.reached.max(Some(tick));
    }

    fn check_failure(&self, error: &Error) {
        check_error(error);
        let now_ns = self.clock.wall_ns();
        let now = self.layout.tick_at_ns(now_ns);
        let now_us = i128::from(now_ns / 1_000) - i128::from(self.layout.epoch_ms()) * 1_000;
        let reached = self.reached;
        let tick_us = i128::from(self.layout.tick_us());
        let not_begun = now_us.div_euclid(tick_us) < self.first_tick;
        let ends_late = |tick: u64| (i128::from(tick) + 1) * tick_us > self.window_us.end;
        let justified = match error {
            Error::TimestampBeforeEpoch { .. } => now_us < 0,
            Error::TimestampOverflow { .. } => now.is_err() || reached == Some(self.layout.ticks() - 1),
            Error::LeaseNotBegun { .. } => not_begun,
            Error::LeaseExpired { .. } => now.is_ok_and(ends_late) || reached.is_some_and(|tick| ends_late(tick + 1)),
            Error::WouldWait { .. } => not_begun || reached.is_some(),
            Error::ClockBackward { .. } => reached > now.ok(),
            Error::ClockJumped { .. } => self.ahead_ns.is_some_and(|(least, _)| self.is_jump(least) != Some(false)),
            _ => false,
        };
        assert!(justified, "{error:?} at {now_ns} ns, in {:?}, after {reached:?}", self.window_us);
    }

    /// Returns whether the clock's lead over the time since boot exceeds `from_ns` by more than the
    /// limit, or `None` if nothing is checked.
    fn is_jump(&self, from_ns: i128) -> Option<bool> {
        let most = self.options.max_jump.unwrap_or(Duration::from_secs(86_400)).max(Duration::from_secs(1)).as_nanos();
        // The uptime and the limit together exceed the time since 1970.
        if u128::from(self.clock.since_boot_ns()?) + most > u128::from(self.began_ns) {
            return None;
        }
        Some(self.clock.ahead_ns()? - from_ns > most as i128)
    }

    fn check_jumps(&mut self, outcome: &Outcome) {
        let (Some(ahead_ns), false) = (self.clock.ahead_ns(), matches!(outcome.error, Some(Error::ClockJumped { .. })))
        else {
            return;
        };
        let jumped = self.ahead_ns.and_then(|(_, most)| self.is_jump(most)) == Some(true);
        assert!(outcome.ids.is_empty() || !jumped, "an ID after a jump");
        if *outcome != Outcome::default() {
            let (least, most) = self.ahead_ns.unwrap_or((ahead_ns, ahead_ns));
            self.ahead_ns = Some((least.min(ahead_ns), most.max(ahead_ns)));
        }
    }

    fn check_stats(&self, ids: &dyn Generator<Id = i64>) {
        let stats = ids.stats().expect("its clock can be read");
        let seen = self.seen.len() as u64;
        assert!(stats.issued == seen || self.lost && stats.issued > seen, "{stats:?} after {seen} IDs");
    }
}
