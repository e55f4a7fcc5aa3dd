//! Leases of nodes. `waiting.rs` waits for the store.

use crate::error::{Failure, OrThrow, Thrown};
use crate::integer::{Whole, at_most_safe, maybe_given, whole};
use crate::layout::Layout;
use crate::options::SpecGiven;
use crate::waiting::promise;
use crate::written;
use napi::Env;
use napi::bindgen_prelude::{BigInt, Object, Uint8Array};
use napi_derive::napi;
use saiban::{ErrorKind, Scheme, Secret};
use saiban_coordination::{Error, NodesFrom, Status, StoreNodes};
use std::ops::Range;

/// The options of a lease. Core has the defaults of absent options.
#[napi(object, object_to_js = false)]
pub struct LeaseOptions {
    /// The namespace.
    pub namespace: Option<String>,
    /// The number of nodes.
    pub nodes: Option<BigInt>,
    /// The length of the lease, seconds.
    pub ttl_s: Option<BigInt>,
    /// The scheme's name.
    pub scheme: Option<String>,
    /// The secret of a Randflake.
    pub secret: Option<Uint8Array>,
    /// Whether to create the namespace if it does not exist.
    pub create: Option<bool>,
    /// The longest lease of a new namespace, seconds.
    pub max_ttl_s: Option<BigInt>,
    /// How far this machine's clock may be from the store's, seconds.
    pub max_clock_skew_s: Option<BigInt>,
    /// The name of the holder in listings.
    pub holder: Option<String>,
    /// How long to wait for a store that cannot be reached, seconds.
    pub wait_s: Option<BigInt>,
}

impl LeaseOptions {
    /// Converts the options for core.
    fn to_core(&self, layout: Option<&Layout>) -> Result<saiban_coordination::LeaseOptions, saiban::Error> {
        let defaults = saiban_coordination::LeaseOptions::default();
        let number =
            |name: &'static str, given: &Option<BigInt>, usual: i64| maybe_given(name, given.as_ref()).unwrap_or(usual);
        Ok(saiban_coordination::LeaseOptions {
            namespace: self.namespace.clone().unwrap_or(defaults.namespace),
            nodes: number("nodes", &self.nodes, defaults.nodes),
            ttl_s: number("ttl_s", &self.ttl_s, defaults.ttl_s),
            scheme: self.scheme.as_deref().map_or(Ok(defaults.scheme), Scheme::from_name)?,
            layout: layout.map(|layout| layout.0),
            secret: self.secret.as_deref().map(Secret::from_slice).transpose()?,
            create: self.create,
            max_ttl_s: number("max_ttl_s", &self.max_ttl_s, defaults.max_ttl_s),
            max_clock_skew_s: number("max_clock_skew_s", &self.max_clock_skew_s, defaults.max_clock_skew_s),
            holder: self.holder.clone(),
            wait_s: number("wait_s", &self.wait_s, defaults.wait_s),
        })
    }
}

/// The status of a lease; node/src/lease.ts freezes the object.
#[napi(object, object_from_js = false)]
pub struct LeaseStatus {
    /// The state.
    pub state: &'static str,
    /// The nodes, half-open.
    #[napi(ts_type = "Array<number | bigint>")]
    pub nodes: Option<Vec<Whole>>,
    /// When it ends, Unix milliseconds.
    pub end_ms: f64,
    /// The number of leases so far.
    pub grants: f64,
    /// The number of renewals.
    pub renewals: f64,
    /// The error of the last request.
    pub why: Option<String>,
}

impl From<Status> for LeaseStatus {
    fn from(Status { state, nodes, end_ms, grants, renewals, why }: Status) -> Self {
        LeaseStatus {
            state: state.name(),
            nodes: nodes.map(pair),
            end_ms: at_most_safe(end_ms),
            grants: at_most_safe(grants),
            renewals: at_most_safe(renewals),
            why: why.map(|why| why.to_string()),
        }
    }
}

/// A lease.
#[napi]
pub struct Lease(pub(crate) saiban_coordination::Lease);

#[napi]
impl Lease {
    /// The nodes, half-open.
    #[napi(getter, catch_unwind, ts_return_type = "Array<number | bigint>")]
    pub fn nodes(&self, env: Env) -> napi::Result<Vec<Whole>> {
        self.0.grant().map(|grant| pair(grant.nodes())).or_throw(&env)
    }

    /// Returns the status of the lease.
    #[napi(catch_unwind)]
    pub fn status(&self, env: Env) -> napi::Result<LeaseStatus> {
        self.0.status().map(LeaseStatus::from).or_throw(&env)
    }

    /// Requests a renewal now.
    #[napi(catch_unwind)]
    pub fn renew(&self, env: Env) -> napi::Result<()> {
        self.0.renew().or_throw(&env)
    }

    /// Releases the nodes.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn release<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let lease = self.0.clone();
        promise(env, move || lease.release(), |()| ())
    }
}

/// Acquires a lease from the store at this URL.
#[napi(catch_unwind, ts_return_type = "Promise<Lease>")]
pub fn acquire_lease<'env>(
    env: &'env Env,
    url: String,
    options: LeaseOptions,
    layout: Option<&Layout>,
) -> napi::Result<Object<'env>> {
    let options = options.to_core(layout);
    acquired(env, options.map(|options| move || saiban_coordination::Lease::acquire(&url, &options)))
}

/// Acquires the lease of a generator whose options name a store.
#[napi(catch_unwind, ts_return_type = "Promise<Lease>")]
pub fn acquire_own_lease<'env>(
    env: &'env Env,
    scheme: String,
    spec: SpecGiven<'_>,
    store: Option<String>,
    namespace: Option<String>,
    lease: Option<&Lease>,
) -> napi::Result<Object<'env>> {
    let given = || {
        let spec = spec.to_core(&scheme)?;
        let store = StoreNodes::given(store, namespace)?;
        NodesFrom::given(lease.map(|Lease(lease)| lease), store.as_ref())?;
        let store = store.ok_or_else(|| {
            let what = "open acquires a lease: give it the URL of a store, or use the constructor";
            Error::new(ErrorKind::InvalidArgument, what)
        })?;
        Ok::<_, Failure>(move || store.acquire(&spec))
    };
    acquired(env, given())
}

/// Returns a promise of the lease that this function acquires.
fn acquired<'env, Acquire>(env: &'env Env, acquire: Result<Acquire, impl Thrown>) -> napi::Result<Object<'env>>
where
    Acquire: FnOnce() -> Result<saiban_coordination::Lease, Error> + Send + 'static,
{
    // The other thread needs the integers for its message. This call has ended by then.
    let written = written::take();
    let acquire = acquire.or_throw(env)?;
    promise(env, move || acquire().map_err(|error| written::as_written(error, &written)), Lease)
}

/// Returns the two ends of a range.
fn pair(range: Range<i64>) -> Vec<Whole> {
    vec![whole(range.start.into()), whole(range.end.into())]
}
