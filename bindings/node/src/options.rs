//! The options of generators.

use crate::integer::{given, maybe_given, range, saturated};
use crate::layout::Layout;
use napi::bindgen_prelude::{BigInt, ClassInstance, Uint8Array};
use napi_derive::napi;
use saiban::{Error, GeneratorSpec, Options, Prefix, Rollback, Scheme, Scope, Secret, TickOrder, UuidVersion};
use std::path::PathBuf;
use std::time::Duration;

/// The longest time that `generate` blocks Node's event loop, by default and except for a
/// generator's first ID.
pub const BLOCKING_WAIT: Duration = Duration::from_millis(5);

/// Core's names for the ends of ranges.
const NODES: [&str; 2] = ["the first of nodes", "the end of nodes"];
const WINDOW: [&str; 2] = ["the window's start", "the window's end"];

/// The options of any generator.
#[napi(object, object_to_js = false)]
pub struct GeneratorOptions {
    /// The node.
    pub node: Option<BigInt>,
    /// A half-open range of nodes.
    pub nodes: Option<Vec<BigInt>>,
    /// The half-open window, in the format's own unit.
    pub window: Option<Vec<BigInt>>,
    /// The time of the last ID known to be used, in the window's unit.
    pub not_before: Option<BigInt>,
    /// The path of the state file.
    pub state: Option<String>,
    /// What happens when the clock steps back: `hold`, `error` or `bits`.
    pub rollback: Option<String>,
    /// How many parts the range of nodes is divided into.
    pub shards: Option<BigInt>,
    /// Which generators of the same nodes share a cursor: `machine` or `process`.
    pub scope: Option<String>,
    /// How far the clock may jump ahead, in seconds.
    pub max_jump_s: Option<BigInt>,
    /// The longest wait, in milliseconds.
    pub max_wait_ms: Option<f64>,
}

impl GeneratorOptions {
    /// Returns how long a generator may wait.
    pub fn waits(&self) -> Result<Waits, Error> {
        let given = match self.max_wait_ms {
            None => None,
            // `as` takes the nearest `u64`.
            Some(ms) if ms >= 0.0 => Some(Duration::from_nanos((ms * 1e6).round() as u64)),
            Some(_) => {
                return Err(Error::InvalidArgument { what: "maxWaitMs is not a wait in milliseconds: give 0 or more" });
            }
        };
        Ok(Waits { given, sleepless: Options::async_wait(given) })
    }

    /// Converts the options for core.
    pub fn to_core(&self, waits: &Waits) -> Result<Options, Error> {
        let mut options = Options::default();
        options.node = maybe_given("node", self.node.as_ref());
        options.nodes = self.nodes.as_deref().map(|pair| range(NODES, pair)).transpose()?;
        options.window = self.window.as_deref().map(|pair| range(WINDOW, pair)).transpose()?;
        options.not_before = maybe_given("not_before", self.not_before.as_ref());
        options.state = self.state.as_ref().map(PathBuf::from);
        options.rollback = self.rollback.as_deref().map(Rollback::from_name).transpose()?;
        options.shards = maybe_given("shards", self.shards.as_ref());
        options.scope = self.scope.as_deref().map(Scope::from_name).transpose()?;
        options.max_jump =
            self.max_jump_s.as_ref().map(|max_jump_s| Options::jump_s(saturated(max_jump_s))).transpose()?;
        options.max_wait = waits.given;
        options.default_max_wait = Some(BLOCKING_WAIT);
        Ok(options)
    }
}

/// The longest waits of a generator.
#[derive(Clone, Copy)]
pub struct Waits {
    /// The wait that the user sets.
    pub given: Option<Duration>,
    /// The wait of `generateAsync`, which waits with a timer.
    pub sleepless: Duration,
}

/// The options that describe the IDs. Core checks which of them a scheme takes.
#[napi(object, object_to_js = false)]
pub struct SpecGiven<'env> {
    /// The version of UUIDs.
    pub version: Option<BigInt>,
    /// The layout.
    pub layout: Option<ClassInstance<'env, Layout>>,
    /// The secret with which IDs are encrypted.
    pub secret: Option<Uint8Array>,
    /// The order of tick IDs: `ascending` or `descending`.
    pub order: Option<String>,
    /// The scalability id.
    pub scalability: Option<BigInt>,
    /// The number of random bytes by which an ID grows.
    pub entropy_size: Option<BigInt>,
    /// The time of tick 0, Unix milliseconds.
    pub epoch_ms: Option<BigInt>,
    /// Whether a forked process may continue with its parent's generator.
    pub allow_collisions: Option<bool>,
    /// The prefix of the canonical text of an ID.
    pub prefix: Option<String>,
}

impl SpecGiven<'_> {
    /// Converts the options for core, for this scheme.
    pub fn to_core(&self, scheme: &str) -> Result<GeneratorSpec, Error> {
        let scheme = match &self.version {
            None => Scheme::from_name(scheme)?,
            Some(version) => UuidVersion::from_number(given("version", version))?.scheme(),
        };
        let mut spec = GeneratorSpec::new(scheme);
        spec.layout = self.layout.as_deref().map(|layout| layout.0);
        spec.secret = self.secret.as_deref().map(Secret::from_slice).transpose()?;
        spec.order = self.order.as_deref().map(TickOrder::from_name).transpose()?;
        spec.scalability = maybe_given("scalability", self.scalability.as_ref());
        spec.entropy_size = maybe_given("entropy_size", self.entropy_size.as_ref());
        spec.epoch_ms = maybe_given("epoch_ms", self.epoch_ms.as_ref());
        spec.allow_collisions = self.allow_collisions.unwrap_or(false);
        spec.prefix = self.prefix.as_deref().map(Prefix::new).transpose()?;
        Ok(spec)
    }
}
