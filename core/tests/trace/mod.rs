//! Random layouts, generators and clock readings for `traces.rs`.

use proptest::option;
use proptest::prelude::*;
use saiban::layout::{Field, FieldKind};
use saiban::{Clock, Error, Layout, LayoutSpec, Rollback};
use std::cell::Cell;
use std::time::Duration;

/// All events of a trace, in order.
#[derive(Clone, Debug)]
pub struct Trace {
    pub layout: LayoutSpec,
    pub generators: Vec<Choice>,
    /// Where the clock begins, in sixteenths of the layout's time.
    pub begins_at: u64,
    /// The percentage of each wait that passes; `None` for a clock that never waits.
    pub patience: Option<u64>,
    pub events: Vec<Event>,
}

/// The options of one generator.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The first node, modulo the number of nodes.
    pub node: u64,
    /// The number of nodes.
    pub nodes: u64,
    pub shards: u64,
    pub rollback: Option<Rollback>,
    /// The window's start in ticks from the clock's beginning, and its length.
    pub window: Option<(i64, i64)>,
    /// In ticks from the clock's beginning.
    pub not_before: Option<i64>,
    pub max_wait: Option<Duration>,
    /// Whether the generator has its own cursor, without atomic words.
    pub is_local: bool,
}

#[derive(Clone, Debug)]
pub enum Event {
    /// The clock moves by this many quarters of a tick.
    Step(i64),
    /// The clock moves by this many years.
    Years(i64),
    /// The clock shows the time this many ticks from the layout's first tick, or from its end.
    Begin(i64),
    End(i64),
    /// The clock shows the time this many ticks from its beginning.
    Back(i64),
    /// The clock shows an arbitrary time.
    Anything(u64),
    /// One generator is called.
    Ask(usize, Ask),
    /// A generator is dropped and built again.
    Rebuild(usize),
}

#[derive(Clone, Debug)]
pub enum Ask {
    Generate,
    Try,
    TryWithin(u64),
    Fill(usize),
}

/// A clock that the trace moves, and that remembers its readings.
#[derive(Debug)]
pub struct Wandering {
    pub now_ns: Cell<u64>,
    /// The last reading, and the latest.
    pub shown_ns: Cell<u64>,
    pub latest_ns: Cell<u64>,
    /// How often a reading was earlier than the one before.
    pub steps_back: Cell<u64>,
    pub patience: Option<u64>,
    /// Whether generators take it for the process's own time.
    pub is_process_time: bool,
}

impl Wandering {
    pub fn new(now_ns: u64, patience: Option<u64>, is_process_time: bool) -> Self {
        let (now_ns, zero) = (Cell::new(now_ns), || Cell::new(0));
        Wandering { now_ns, shown_ns: zero(), latest_ns: zero(), steps_back: zero(), patience, is_process_time }
    }

    /// Moves by this many nanoseconds, within the range of a clock.
    pub fn step_ns(&self, ns: i128) {
        let now_ns = (i128::from(self.now_ns.get()) + ns).clamp(0, i128::from(u64::MAX));
        self.now_ns.set(now_ns as u64);
    }
}

impl Clock for Wandering {
    fn now_ns(&self) -> Result<u64, Error> {
        let now_ns = self.now_ns.get();
        self.steps_back.set(self.steps_back.get() + u64::from(now_ns < self.shown_ns.get()));
        self.latest_ns.set(self.latest_ns.get().max(now_ns));
        self.shown_ns.set(now_ns);
        Ok(now_ns)
    }

    fn wait(&self, duration: Duration) -> bool {
        if let Some(percent) = self.patience {
            self.step_ns((duration.as_nanos() * u128::from(percent)).div_ceil(100) as i128);
        }
        self.patience.is_some()
    }

    fn is_process_time(&self) -> bool {
        self.is_process_time
    }
}

/// Small layouts, whose ticks have few IDs and whose time ends soon.
fn small_layout() -> impl Strategy<Value = LayoutSpec> {
    let ticks_us = prop::sample::select(vec![1, 7, 1_000, 1_500, 10_000, 1_000_000]);
    let epochs_ms = prop::sample::select(vec![1_700_000_000_000, 0, -40]);
    let order = Just(vec![FieldKind::Timestamp, FieldKind::Node, FieldKind::Sequence, FieldKind::Rollback]);
    (3..=6_u32, 1..=4_u32, 1..=3_u32, 0..=2_u32, order.prop_shuffle(), ticks_us, epochs_ms).prop_map(
        |(timestamp, node, sequence, rollback, order, tick_us, epoch_ms)| {
            let unused = 64 - timestamp - node - sequence - rollback;
            let mut spec = LayoutSpec::new().unused(unused).tick_us(tick_us).epoch_ms(epoch_ms);
            for kind in order {
                let bits = match kind {
                    FieldKind::Timestamp => timestamp,
                    FieldKind::Node => node,
                    FieldKind::Sequence => sequence,
                    _ => rollback,
                };
                if bits > 0 {
                    spec = spec.field(Field::new(kind, bits));
                }
            }
            spec
        },
    )
}

/// The published layouts, with rollback bits or without, and Randflake's.
fn known_layout() -> impl Strategy<Value = LayoutSpec> {
    let randflake =
        LayoutSpec::new().timestamp(30).node(17).sequence(17).epoch_ms(1_730_000_000_000).tick_us(1_000_000);
    let mut all: Vec<LayoutSpec> =
        Layout::PRESETS.iter().filter(|(_, layout)| layout.has_node()).map(|(_, layout)| *layout.spec()).collect();
    all.push(randflake);
    (prop::sample::select(all), 0..=4_u32).prop_map(|(spec, bits)| {
        let layout = spec.check().and_then(|layout| layout.with_rollback_bits(bits));
        layout.map_or(spec, |layout| *layout.spec())
    })
}

fn choice() -> impl Strategy<Value = Choice> {
    let rollback = prop::sample::select(vec![None, Some(Rollback::Hold), Some(Rollback::Error), Some(Rollback::Bits)]);
    let max_wait = prop::sample::select(vec![None, Some(0), Some(5), Some(1_000_000_000_000)]);
    let window = option::weighted(0.3, (-20..20_i64, 1..30_i64));
    let not_before = option::weighted(0.3, -30..10_i64);
    (any::<u64>(), 1..=5_u64, 1..=3_u64, rollback, window, not_before, max_wait, prop::bool::weighted(0.3)).prop_map(
        |(node, nodes, shards, rollback, window, not_before, max_wait, is_local)| Choice {
            node,
            nodes,
            shards,
            rollback,
            window,
            not_before,
            max_wait: max_wait.map(Duration::from_millis),
            is_local,
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let ask = prop_oneof![
        4 => Just(Ask::Generate),
        3 => Just(Ask::Try),
        1 => (0..5_000_u64).prop_map(Ask::TryWithin),
        4 => (1..40_usize).prop_map(Ask::Fill),
    ];
    prop_oneof![
        12 => (any::<usize>(), ask).prop_map(|(index, ask)| Event::Ask(index, ask)),
        4 => (0..9_i64).prop_map(Event::Step),
        3 => (-12..0_i64).prop_map(Event::Step),
        1 => (-3..4_i64).prop_map(Event::Years),
        2 => (-2..9_i64).prop_map(Event::Begin),
        1 => (-9..2_i64).prop_map(Event::End),
        2 => (-9..9_i64).prop_map(Event::Back),
        1 => any::<u64>().prop_map(Event::Anything),
        2 => any::<usize>().prop_map(Event::Rebuild),
    ]
}

pub fn trace() -> impl Strategy<Value = Trace> {
    let layout = prop_oneof![2 => small_layout(), 1 => known_layout()];
    let patience = prop::sample::select(vec![None, Some(100), Some(40)]);
    let generators = prop::collection::vec(choice(), 1..4);
    (layout, generators, 0..=16_u64, patience, prop::collection::vec(event(), 1..200)).prop_map(
        |(layout, generators, begins_at, patience, events)| Trace { layout, generators, begins_at, patience, events },
    )
}
