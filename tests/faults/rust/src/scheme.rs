//! saiban's schemes: how each is built, how many IDs it makes, and its notes in the page.

use crate::cell::Library;
use saiban::{
    AnyClock, Error, Generator, Layout, Options, PooledEntropy, RandflakeGenerator, Rollback, Secret,
    SnowflakeGenerator, UlidFlakeFormat, UlidFlakeGenerator,
};

pub const VERSION: &str = "this repository";

pub type AnyGenerator = Box<dyn Generator<Id = i64> + Send + Sync>;

#[derive(Clone, Copy, PartialEq)]
pub enum Scheme {
    Snowflake,
    Randflake,
    UlidFlake,
    Scalable,
}

/// The number of IDs that a scheme makes in each fault, as a multiple of the plan's number.
pub struct Sizes {
    pub burst: u64,
    pub step_1s: u64,
    pub step_2ms: u64,
    pub oscillating: u64,
    /// The maximum of IDs requested while the clock stands still, so that a small tick has some
    /// left for after the fault.
    pub most_a_reading: u64,
    pub threads: u64,
    pub fork: u64,
    pub processes: u64,
    pub ids_a_process: u64,
}

impl Scheme {
    pub const ALL: [Scheme; 4] = [Scheme::Snowflake, Scheme::Randflake, Scheme::UlidFlake, Scheme::Scalable];

    pub fn name(self) -> &'static str {
        match self {
            Scheme::Snowflake => "snowflake",
            Scheme::Randflake => "randflake",
            Scheme::UlidFlake => "ulid-flake",
            Scheme::Scalable => "ulid-flake-scalable",
        }
    }

    pub fn library(self) -> Library {
        let name = match self {
            Scheme::Snowflake => "saiban Snowflake",
            Scheme::Randflake => "saiban Randflake",
            Scheme::UlidFlake => "saiban Ulid-Flake",
            Scheme::Scalable => "saiban Ulid-Flake, scalable",
        };
        Library { name, version: VERSION }
    }

    pub fn sizes(self) -> Sizes {
        match self {
            Scheme::Snowflake => Sizes {
                burst: 24,
                step_1s: 200,
                step_2ms: 300,
                oscillating: 100,
                most_a_reading: u64::MAX,
                threads: 20,
                fork: 250,
                processes: 200,
                ids_a_process: 1_000,
            },
            // A tick is a second, so few processes are enough.
            Scheme::Randflake => {
                Sizes { threads: 10, processes: 6, ids_a_process: 30_000, ..Scheme::Snowflake.sizes() }
            }
            // No node range: about 4096 IDs a millisecond, 128 when scalable.
            Scheme::UlidFlake => Sizes {
                burst: 4,
                step_1s: 20,
                step_2ms: 2,
                oscillating: 10,
                threads: 2,
                fork: 25,
                ..Scheme::Snowflake.sizes()
            },
            Scheme::Scalable => Sizes {
                burst: 1,
                step_1s: 3,
                step_2ms: 1,
                oscillating: 1,
                most_a_reading: 30,
                threads: 1,
                fork: 10,
                ids_a_process: 100,
                ..Scheme::Snowflake.sizes()
            },
        }
    }

    pub fn tick_ms(self) -> i64 {
        if self == Scheme::Randflake { 1_000 } else { 1 }
    }

    /// Returns the policies for clock steps back that the scheme allows.
    pub fn policies(self) -> &'static [Rollback] {
        if self == Scheme::Snowflake { &Rollback::ALL } else { &[Rollback::Hold, Rollback::Error] }
    }

    /// Builds a generator for one node.
    pub fn build(self, clock: AnyClock, node: u64, allow_collisions: bool) -> Result<AnyGenerator, Error> {
        self.build_with(clock, &Options::nodes(node..node + 1), allow_collisions)
    }

    /// Builds a generator for these nodes. Ulid-Flake has no ranges; it uses the first node if
    /// scalable.
    pub fn build_with(self, clock: AnyClock, options: &Options, allow_collisions: bool) -> Result<AnyGenerator, Error> {
        let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5")?;
        let first = options.nodes.as_ref().map_or(0, |nodes| nodes.start);
        let format = UlidFlakeFormat {
            scalability: (self == Scheme::Scalable).then_some(first % 32),
            allow_collisions,
            ..UlidFlakeFormat::default()
        };
        let layout = match options.rollback {
            Some(Rollback::Bits) => Layout::TWITTER.with_rollback_bits(2)?,
            _ => Layout::TWITTER,
        };
        Ok(match self {
            Scheme::Snowflake => Box::new(SnowflakeGenerator::build(layout, options, clock)?),
            Scheme::Randflake => Box::new(RandflakeGenerator::build(&secret, options, clock)?),
            Scheme::UlidFlake | Scheme::Scalable => {
                let mut options = options.clone();
                options.nodes = None;
                Box::new(UlidFlakeGenerator::build(format, &options, clock, PooledEntropy)?)
            }
        })
    }

    /// Returns a hundred nodes that only this lane uses.
    pub fn lane(self, lane: u64) -> Options {
        let first = if self == Scheme::Scalable { lane } else { 100 * lane };
        Options::nodes(first..first + 100)
    }

    pub fn build_lane(self, clock: AnyClock, lane: u64) -> Result<AnyGenerator, Error> {
        self.build_with(clock, &self.lane(lane), false)
    }
}

impl Scheme {
    pub fn has_nodes(self) -> bool {
        matches!(self, Scheme::Snowflake | Scheme::Randflake)
    }

    pub fn trace_note(self) -> &'static str {
        match self {
            Scheme::Snowflake => "100 nodes, a ManualClock; each policy in turn: hold, error, 2 rollback bits",
            Scheme::Randflake => "100 nodes, a ManualClock; each policy in turn: hold, error",
            Scheme::UlidFlake | Scheme::Scalable => "a ManualClock; each policy in turn: hold, error",
        }
    }

    pub fn burst_note(self) -> &'static str {
        match self {
            Scheme::Snowflake | Scheme::Randflake => {
                "100 nodes and a ManualClock, then one node and the system's clock"
            }
            Scheme::UlidFlake | Scheme::Scalable => "a ManualClock, then the system's clock",
        }
    }

    pub fn threads_note(self) -> &'static str {
        match self {
            Scheme::Snowflake | Scheme::Randflake => {
                "one half of the threads shares a generator, the others have one each for the same 100 nodes; then again \
                 with 8 shards; the system's clock"
            }
            Scheme::UlidFlake | Scheme::Scalable => {
                "one half of the threads shares a generator, the others have one each; the system's clock"
            }
        }
    }
}
