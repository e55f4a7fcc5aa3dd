//! Generators built from bytes: the scheme and its options.

use crate::Number;
use crate::layouts::AnyLayout;
use arbitrary::Arbitrary;
use saiban::cursor::CursorWord;
use saiban::{
    Clock, Entropy, Error, Generator, Layout, Options, RandflakeGenerator, Rollback, Scope, Secret, SnowflakeGenerator,
    TsidGenerator, UlidFlakeFormat, UlidFlakeGenerator,
};
use std::ops::Range;
use std::time::Duration;

/// A scheme with its own arguments.
#[derive(Arbitrary, Clone, Debug)]
pub enum AnyScheme {
    Preset { index: u8, rollback_bits: u8 },
    Snowflake(AnyLayout),
    Randflake([u8; 16]),
    UlidFlake(AnyFormat),
    Tsid { index: u8, rollback_bits: u8 },
}

fn with_rollback_bits(layout: Layout, bits: u8) -> Result<Layout, Error> {
    match bits % 5 {
        0 => Ok(layout),
        bits => layout.with_rollback_bits(u32::from(bits)),
    }
}

#[derive(Arbitrary, Clone, Debug)]
pub struct AnyFormat {
    scalability: Option<Number>,
    entropy_size: Option<i8>,
    epoch_ms: Option<Number>,
    allow_collisions: bool,
}

impl AnyFormat {
    fn get(&self) -> UlidFlakeFormat {
        let default = UlidFlakeFormat::default();
        UlidFlakeFormat {
            scalability: self.scalability.map(Number::get),
            entropy_size: self.entropy_size.map_or(default.entropy_size, i64::from),
            epoch_ms: self.epoch_ms.map_or(default.epoch_ms, Number::get),
            allow_collisions: self.allow_collisions,
        }
    }
}

impl AnyScheme {
    /// Returns the layout of the scheme's IDs, for Randflake before encryption.
    ///
    /// # Errors
    /// `InvalidLayout`, if the bytes do not form a layout.
    pub fn layout(&self) -> Result<Layout, Error> {
        match self {
            AnyScheme::Preset { index, rollback_bits } => {
                let presets: Vec<_> = Layout::PRESETS.into_iter().filter(|(_, layout)| layout.has_node()).collect();
                let (_, preset) = presets[usize::from(*index) % presets.len()];
                with_rollback_bits(preset, *rollback_bits)
            }
            AnyScheme::Snowflake(layout) => layout.spec().check(),
            AnyScheme::Randflake(_) => Ok(Layout::RANDFLAKE),
            AnyScheme::UlidFlake(format) => format.get().layout(),
            AnyScheme::Tsid { index, rollback_bits } => {
                let layouts = [Layout::TSID_256, Layout::TSID_1024, Layout::TSID_4096];
                with_rollback_bits(layouts[usize::from(*index) % layouts.len()], *rollback_bits)
            }
        }
    }

    /// Returns the unit of the scheme's windows, in milliseconds.
    #[must_use]
    pub fn unit_ms(&self) -> i64 {
        if matches!(self, AnyScheme::Randflake(_)) { 1_000 } else { 1 }
    }

    /// Returns the nodes of the scheme's generator, provided that it could be built.
    #[must_use]
    pub fn nodes(&self, options: &Options) -> Range<i64> {
        let one = match self {
            AnyScheme::UlidFlake(format) => Some(format.get().scalability.unwrap_or(0)),
            _ => options.node,
        };
        one.map_or_else(|| options.nodes.clone().unwrap_or(0..0), |node| node..node + 1)
    }

    /// Builds a generator.
    ///
    /// # Errors
    /// Those of the core, for these options.
    pub fn build<'a, W: CursorWord<Position = u64> + 'a>(
        &self,
        options: &Options,
        clock: impl Clock + 'a,
        entropy: impl Entropy + 'a,
    ) -> Result<Box<dyn Generator<Id = i64> + 'a>, Error> {
        Ok(match self {
            AnyScheme::Preset { .. } | AnyScheme::Snowflake(_) => {
                Box::new(SnowflakeGenerator::<_, W>::with_cursor(self.layout()?, options, clock)?)
            }
            AnyScheme::Randflake(secret) => {
                Box::new(RandflakeGenerator::<_, W>::with_cursor(&Secret::new(*secret), options, clock)?)
            }
            AnyScheme::UlidFlake(format) => {
                Box::new(UlidFlakeGenerator::<_, W, _>::with_cursor(format.get(), options, clock, entropy)?)
            }
            AnyScheme::Tsid { .. } => Box::new(TsidGenerator::<_, W>::with_cursor(self.layout()?, options, clock)?),
        })
    }
}

/// The options of any scheme.
#[derive(Arbitrary, Clone, Debug)]
pub struct AnyOptions {
    nodes: Nodes,
    window: Option<Window>,
    not_before: Option<Time>,
    max_wait: Option<Span>,
    default_max_wait: Option<Span>,
    max_jump: Option<Span>,
    rollback: Option<u8>,
    shards: Option<Shards>,
    scope: Option<u8>,
}

#[derive(Arbitrary, Clone, Debug)]
enum Nodes {
    /// A node of the layout; `Some` is a range of them.
    One(u64),
    Some(u64, u16),
    /// No node, or arbitrary ones.
    None,
    Any(Number),
    AnyRange(Number, Number),
    Both(Number, Number, Number),
}

#[derive(Arbitrary, Clone, Debug)]
struct Window {
    start: Time,
    end: Time,
}

/// A time, often close to that of the clock.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Time {
    Near(i16),
    NearMs(i32),
    Any(Number),
}

impl Time {
    fn get(self, now: i64) -> i64 {
        match self {
            Time::Near(distance) => now.saturating_add(i64::from(distance)),
            Time::NearMs(distance) => now.saturating_add(i64::from(distance)),
            Time::Any(number) => number.get(),
        }
    }
}

#[derive(Arbitrary, Clone, Debug)]
enum Span {
    Ms(u16),
    Seconds(u16),
    Any { seconds: u64, nanoseconds: u32 },
}

impl Span {
    fn get(&self) -> Duration {
        match self {
            Span::Ms(ms) => Duration::from_millis(u64::from(*ms)),
            Span::Seconds(seconds) => Duration::from_secs(u64::from(*seconds)),
            Span::Any { seconds, nanoseconds } => Duration::new(*seconds, nanoseconds % 1_000_000_000),
        }
    }
}

#[derive(Arbitrary, Clone, Debug)]
enum Shards {
    Few(u8),
    Any(Number),
}

impl AnyOptions {
    /// Returns the options of a generator whose clock shows this time, in Unix milliseconds.
    #[must_use]
    pub fn get(&self, scheme: &AnyScheme, layout: &Layout, now_ms: i64) -> Options {
        let now = now_ms / scheme.unit_ms();
        let (node, nodes) = if matches!((scheme, &self.nodes), (AnyScheme::UlidFlake(_), Nodes::One(_))) {
            (None, None)
        } else {
            self.nodes.get(layout)
        };
        let mut options = Options::default();
        options.node = node;
        options.nodes = nodes;
        options.window = self.window.as_ref().map(|window| window.start.get(now)..window.end.get(now));
        options.not_before = self.not_before.map(|time| time.get(now));
        options.max_wait = self.max_wait.as_ref().map(Span::get);
        options.default_max_wait = self.default_max_wait.as_ref().map(Span::get);
        options.max_jump = self.max_jump.as_ref().map(Span::get);
        options.rollback = self.rollback.map(|index| Rollback::ALL[usize::from(index) % Rollback::ALL.len()]);
        options.shards = self.shards.as_ref().map(|shards| match shards {
            Shards::Few(shards) => i64::from(shards % 9),
            Shards::Any(shards) => shards.get(),
        });
        options.scope = self.scope.map(|index| Scope::ALL[usize::from(index) % Scope::ALL.len()]);
        options
    }
}

impl Nodes {
    fn get(&self, layout: &Layout) -> (Option<i64>, Option<Range<i64>>) {
        let inside = |node: u64| (node % (layout.max_node() + 1)) as i64;
        match self {
            Nodes::One(node) => (Some(inside(*node)), None),
            Nodes::Some(first, count) => {
                let first = inside(*first);
                (None, Some(first..first.saturating_add(1 + i64::from(*count)).min(layout.max_node() as i64 + 1)))
            }
            Nodes::None => (None, None),
            Nodes::Any(node) => (Some(node.get()), None),
            Nodes::AnyRange(first, end) => (None, Some(first.get()..end.get())),
            Nodes::Both(node, first, end) => (Some(node.get()), Some(first.get()..end.get())),
        }
    }
}
