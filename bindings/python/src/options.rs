//! Converts the arguments of generators.

use crate::arguments::{
    Maybe, epoch_ms, flag, int, maybe_int, maybe_prefix, maybe_text, nodes, pair, secret, text, wrong_type,
};
use crate::clock::clock;
use crate::error::Result;
use crate::layout::{Layout, maybe_layout};
use crate::lease::{Lease, maybe_lease};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use saiban::scheme::GeneratorOption;
use saiban::{AnyClock, GeneratorSpec, Options, Rollback, Scheme, Scope, TickOrder, UlidFlakeFormat, UuidVersion};
use saiban_coordination::{AnyIssuer, NodesFrom, StoreNodes};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of all constructors of generators. Arguments that a class does not take are
/// absent.
#[derive(Default)]
pub struct Given<'a, 'py> {
    pub node: Maybe<'a, 'py>,
    pub nodes: Maybe<'a, 'py>,
    pub lease: Maybe<'a, 'py>,
    pub store: Maybe<'a, 'py>,
    pub namespace: Maybe<'a, 'py>,
    pub layout: Maybe<'a, 'py>,
    pub secret: Maybe<'a, 'py>,
    pub version: Maybe<'a, 'py>,
    pub order: Maybe<'a, 'py>,
    pub scalability: Maybe<'a, 'py>,
    pub entropy_size: Maybe<'a, 'py>,
    pub epoch_ms: Maybe<'a, 'py>,
    pub allow_collisions: Maybe<'a, 'py>,
    pub window: Maybe<'a, 'py>,
    pub not_before: Maybe<'a, 'py>,
    pub state: Maybe<'a, 'py>,
    pub rollback: Maybe<'a, 'py>,
    pub shards: Maybe<'a, 'py>,
    pub scope: Maybe<'a, 'py>,
    pub clock: Maybe<'a, 'py>,
    pub max_jump_s: Maybe<'a, 'py>,
    pub max_wait_ms: Maybe<'a, 'py>,
    pub prefix: Maybe<'a, 'py>,
}

/// The converted arguments of a generator.
pub struct Chosen {
    spec: GeneratorSpec,
    options: Options,
    lease: Option<Py<Lease>>,
    clock: AnyClock,
}

impl Given<'_, '_> {
    /// Reads the arguments for a generator of this scheme. If there is a store, also acquires the
    /// lease.
    pub fn read(&self, py: Python<'_>, scheme: Scheme) -> Result<Chosen> {
        let (spec, options, clock) = (self.spec(scheme)?, self.options()?, clock(self.clock)?);
        let lease = self.lease(py, &spec)?;
        Ok(Chosen { spec, options, lease, clock })
    }

    /// Returns the given lease, or acquires the generator's own.
    fn lease(&self, py: Python<'_>, spec: &GeneratorSpec) -> Result<Option<Py<Lease>>> {
        let lease = maybe_lease(self.lease)?;
        let (url, namespace) = (maybe_text("store", self.store)?, maybe_text("namespace", self.namespace)?);
        let store = StoreNodes::given(url, namespace)?;
        match NodesFrom::given(lease.as_ref().map(|lease| lease.get().core()), store.as_ref())? {
            NodesFrom::Options | NodesFrom::Lease(_) => Ok(lease),
            NodesFrom::Store(store) => {
                Ok(Some(Py::new(py, Lease::new(py, &store.namespace, || store.acquire(spec))?)?))
            }
        }
    }

    fn spec(&self, scheme: Scheme) -> Result<GeneratorSpec> {
        let scheme = match maybe_int("version", self.version)? {
            Some(version) => UuidVersion::from_number(version)?.scheme(),
            None => scheme.generated(),
        };
        let mut spec = GeneratorSpec::new(scheme);
        spec.layout = maybe_layout(self.layout)?;
        spec.secret = self.secret.map(|value| secret("secret", value)).transpose()?;
        spec.order = self.order.map(order).transpose()?;
        spec.scalability = maybe_int("scalability", self.scalability)?;
        spec.entropy_size = maybe_int("entropy_size", self.entropy_size)?;
        spec.epoch_ms = self.epoch_ms.map(epoch_ms).transpose()?;
        spec.allow_collisions = flag("allow_collisions", self.allow_collisions)?;
        spec.prefix = maybe_prefix(self.prefix)?;
        Ok(spec)
    }

    fn options(&self) -> Result<Options> {
        let mut options = Options::default();
        options.node = maybe_int("node", self.node)?;
        options.nodes = self.nodes.map(nodes).transpose()?;
        options.window = self.window.map(window).transpose()?;
        options.not_before = maybe_int("not_before", self.not_before)?;
        options.state = self.state.map(|value| path("state", value)).transpose()?;
        options.rollback = self.rollback.map(rollback).transpose()?;
        options.shards = maybe_int("shards", self.shards)?;
        options.scope = self.scope.map(scope).transpose()?;
        options.max_jump = self.max_jump_s.map(max_jump).transpose()?;
        options.max_wait = self.max_wait_ms.map(max_wait).transpose()?;
        Ok(options)
    }
}

impl Chosen {
    /// Returns whether the generator has a state file.
    pub fn has_state(&self) -> bool {
        self.options.state.is_some()
    }

    /// Returns the longest wait of a caller that waits with a timer.
    pub fn longest_async_wait(&self) -> Duration {
        Options::async_wait(self.options.max_wait)
    }

    /// Returns the order of the IDs, if the scheme has orders.
    pub fn order(&self) -> Option<TickOrder> {
        let takes_order = self.spec.scheme.takes(GeneratorOption::Order);
        takes_order.then(|| self.spec.order.unwrap_or(TickOrder::Ascending))
    }

    /// Returns the generator as Python source, but without its secret.
    pub fn repr(&self, py: Python<'_>, class: &str) -> Result<String> {
        let Chosen { spec, options, lease, clock } = self;
        let takes = |option| spec.scheme.takes(option);
        let mut shown = Vec::new();
        shown.extend(options.node.map(|node| format!("node={node}")));
        shown.extend(options.nodes.as_ref().map(|nodes| format!("nodes=range({}, {})", nodes.start, nodes.end)));
        shown.extend(lease.as_ref().map(|lease| format!("lease={}", lease.get().shown())));
        if takes(GeneratorOption::Layout) {
            shown.extend(spec.layout_of_ids()?.map(|layout| format!("layout={}", Layout::from(layout).repr())));
        }
        shown.extend(spec.secret.as_ref().map(|_| "secret=<hidden>".into()));
        shown.extend(spec.scalability.map(|id| format!("scalability={id}")));
        let defaults = UlidFlakeFormat::default();
        if takes(GeneratorOption::EntropySize) {
            shown.push(format!("entropy_size={}", spec.entropy_size.unwrap_or(defaults.entropy_size)));
        }
        if takes(GeneratorOption::EpochMs) {
            shown.push(format!("epoch_ms={}", spec.epoch_ms.unwrap_or(defaults.epoch_ms)));
        }
        shown.extend(version(spec.scheme).map(|version| format!("version={version}")));
        shown.extend(self.order().map(|order| format!("order='{}'", order.name())));
        shown.extend(options.window.as_ref().map(|window| format!("window=({}, {})", window.start, window.end)));
        shown.extend(options.not_before.map(|time| format!("not_before={time}")));
        if let Some(path) = &options.state {
            let Ok(path) = path.as_os_str().into_pyobject(py);
            shown.push(format!("state={}", path.repr()?));
        }
        shown.extend(options.rollback.map(|policy| format!("rollback='{}'", policy.name())));
        shown.extend(options.shards.map(|shards| format!("shards={shards}")));
        shown.extend(options.scope.map(|scope| format!("scope='{}'", scope.name())));
        if let AnyClock::Manual(clock) = clock {
            shown.push(format!("clock=saiban.ManualClock({})", clock.now_ms()));
        }
        shown.extend(options.max_jump.map(|jump| format!("max_jump_s={}", jump.as_secs())));
        shown.extend(options.max_wait.map(|wait| format!("max_wait_ms={}", wait.as_millis())));
        shown.extend(spec.prefix.map(|prefix| format!("prefix='{prefix}'")));
        Ok(format!("saiban.{class}({})", shown.join(", ")))
    }

    /// Opens the generator without the GIL, because it may open a state file or wait for a store.
    /// Also returns its lease.
    pub fn open(self, py: Python<'_>) -> Result<(AnyIssuer, Option<Py<Lease>>)> {
        let Chosen { spec, options, lease, clock } = self;
        let open = |nodes: NodesFrom<'_>| AnyIssuer::open(&spec, options, nodes, clock);
        let ids = match lease.as_ref().map(Py::get) {
            Some(lease) => lease.ask(py, || open(NodesFrom::Lease(lease.core())))?,
            None => py.detach(|| open(NodesFrom::Options))?,
        };
        Ok((ids, lease))
    }
}

/// Returns the version of the UUIDs of this scheme, or `None` for other schemes.
pub fn version(scheme: Scheme) -> Option<u8> {
    UuidVersion::ALL.into_iter().find(|version| version.scheme() == scheme).map(UuidVersion::number)
}

/// Converts `(start, end)`.
fn window(value: &Bound<'_, PyAny>) -> Result<Range<i64>> {
    let (start, end) = pair(value).ok_or_else(|| wrong_type("window", "a pair (start, end)", value))?;
    Ok(int("the window's start", &start)?..int("the window's end", &end)?)
}

/// Converts the path of a file: text, or an object that `os.fspath` accepts.
fn path(name: &str, value: &Bound<'_, PyAny>) -> Result<PathBuf> {
    value.extract().map_err(|error: PyErr| match error.is_instance_of::<PyTypeError>(value.py()) {
        true => wrong_type(name, "a path (str or os.PathLike)", value),
        false => error.into(),
    })
}

fn rollback(value: &Bound<'_, PyAny>) -> Result<Rollback> {
    Ok(Rollback::from_name(&text("rollback", value)?)?)
}

fn scope(value: &Bound<'_, PyAny>) -> Result<Scope> {
    Ok(Scope::from_name(&text("scope", value)?)?)
}

fn max_jump(value: &Bound<'_, PyAny>) -> Result<Duration> {
    Ok(Options::jump_s(int("max_jump_s", value)?)?)
}

fn max_wait(value: &Bound<'_, PyAny>) -> Result<Duration> {
    Ok(Options::wait_ms(int("max_wait_ms", value)?)?)
}

fn order(value: &Bound<'_, PyAny>) -> Result<TickOrder> {
    Ok(TickOrder::from_name(&text("order", value)?)?)
}
