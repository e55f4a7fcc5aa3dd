//! Node leases: exclusive nodes, from the store that a fleet already runs.

use crate::arguments::{Maybe, flag, maybe_int, maybe_text, scheme, secret, text, wrong_type};
use crate::ending;
use crate::error::{Result, guard};
use crate::layout::maybe_layout;
use crate::lease_status::{LeaseStatus, shown};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyRange, PyTuple, PyType};
use saiban_coordination::{Error, LeaseOptions};

/// A lease of nodes: no other holder has them while the lease lasts.
///
/// Lease.acquire takes a range of nodes from a store that all processes share, for ttl_s seconds,
/// and renews it in the background after a third of that time. A generator with lease= makes IDs of
/// these nodes, and only within the lease's time. If the store cannot be reached until the lease
/// ends, generators raise LeaseExpiredError; if another holder has the nodes, LeaseLostError. They
/// continue by themselves with a new lease, which may have different nodes.
///
/// A generator that is made with store= acquires a lease of its own, for its own scheme, layout and
/// secret.
///
/// The nodes are released by release, at the end of `with`, when the lease and all its generators
/// are gone, and when the interpreter ends, after all other threads. A program that is killed, or
/// ends with os._exit, holds them until its lease ends.
///
/// In a forked process, such as a worker of gunicorn with --preload, a lease
/// acquires nodes of its own when it is first used there, which may take wait_s; the parent keeps
/// its own. A lease of memory: cannot, and raises ForkedError.
///
/// One lease may be used by many threads and generators at once, all of its scheme and layout:
/// others raise NamespaceMismatchError.
///
/// >>> import saiban
/// >>> with saiban.Lease.acquire("memory:example", nodes=4) as lease:
/// ...     ids = saiban.Snowflake(lease=lease)
/// ...     ids.inspect(ids.generate()).node in lease.nodes
/// True
#[pyclass(frozen, module = "saiban")]
pub struct Lease {
    lease: saiban_coordination::Lease,
    namespace: String,
}

impl Lease {
    /// Acquires a lease of this namespace, without the GIL.
    pub fn new(
        py: Python<'_>,
        namespace: &str,
        acquire: impl FnOnce() -> std::result::Result<saiban_coordination::Lease, Error> + Send,
    ) -> Result<Self> {
        let lease = py.detach(acquire)?;
        ending::remember(py, &lease);
        Ok(Lease { lease, namespace: namespace.into() })
    }

    pub fn core(&self) -> &saiban_coordination::Lease {
        &self.lease
    }

    /// Returns whether this is the parent's lease in a forked process, so that the next call may
    /// wait for a store.
    pub fn is_copy(&self) -> bool {
        self.lease.is_copy()
    }

    /// Calls a function without the GIL, because in a forked process it may first acquire a lease.
    pub fn ask<A: Send>(&self, py: Python<'_>, ask: impl FnOnce() -> A + Send) -> A {
        let was_copy = self.is_copy();
        let answer = py.detach(ask);
        if was_copy && !self.is_copy() {
            ending::watch(py);
        }
        answer
    }

    /// Returns the lease as text for `repr`.
    pub fn shown(&self) -> String {
        // In a forked process the parent's lease has no status, and a call would acquire a lease.
        let status = if self.is_copy() { None } else { self.lease.status().ok() };
        let nodes = match status.and_then(|status| status.nodes) {
            Some(nodes) => format!("range({}, {})", nodes.start, nodes.end),
            None => "None".into(),
        };
        format!("saiban.Lease(namespace='{}', nodes={nodes})", self.namespace)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // Do not wait for the store. The interpreter's end has a copy of the lease, and waits.
        self.lease.abandon();
    }
}

#[pymethods]
impl Lease {
    /// Acquires a lease from a store, waiting for it for at most wait_s. Other threads run
    /// meanwhile; Ctrl-C takes effect after the wait.
    ///
    /// url: the store: sqlite:///path, postgres://, mysql://, redis://, etcd://, zookeeper://, with
    /// user and password in the usual form of each server; saiban://:TOKEN@host, a service (saiban
    /// serve); or memory:NAME, which is in this process alone.
    /// namespace: 1 to 64 of the characters A-Z, a-z, 0-9, _, - and . ; generators whose IDs go
    /// into one column must use the same namespace.
    /// nodes: the number of adjacent nodes, 1 to 65536. ttl_s: the length of the lease in seconds,
    /// 1 up to the namespace's maximum; a killed process holds its nodes that long.
    /// scheme, layout, secret: the IDs of the lease. scheme: one whose generators take a lease.
    /// layout: by default the scheme's own (snowflake: Layout.TWITTER, ulid-flake: scalable IDs);
    /// flake has no default. secret: for randflake; the store gets only a check number of it.
    /// create: whether to create the namespace if it does not exist. An empty store may mean that
    /// data was lost, so on a server you create it once, with this argument or the command `saiban
    /// lease init`; None is True for sqlite: and memory:.
    /// max_ttl_s: the longest lease that a new namespace allows, 1 to 2592000 (30 days).
    /// max_clock_skew_s: how far this machine's clock may be from the store's.
    /// holder: the name of this program in listings, up to 120 characters; by default host and
    /// process id.
    /// wait_s: how long to wait for a store that cannot be reached, at least a second.
    ///
    /// Raises InvalidArgumentError, UnknownNameError, InvalidSecretError; StoreUnavailableError,
    /// StoreCorruptError, StoreUnsupportedError; NamespaceUnknownError, NamespaceMismatchError
    /// where the namespace is for other IDs, NamespaceFullError, NamespaceQuarantinedError;
    /// ClockSkewError. No message contains the URL's password.
    ///
    /// >>> import saiban
    /// >>> lease = saiban.Lease.acquire("memory:example", namespace="orders", nodes=4, ttl_s=60)
    /// >>> len(lease.nodes)
    /// 4
    /// >>> lease.release()
    #[classmethod]
    #[pyo3(
        signature = (url, *, namespace=None, nodes=None, ttl_s=None, scheme=None, layout=None, secret=None, create=None, max_ttl_s=None, max_clock_skew_s=None, holder=None, wait_s=None),
        text_signature = "($cls, url, *, namespace='default', nodes=1, ttl_s=600, scheme='snowflake', layout=None, \
                          secret=None, create=None, max_ttl_s=3600, max_clock_skew_s=10, holder=None, wait_s=10)"
    )]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn acquire<'py>(
        class: &Bound<'py, PyType>,
        url: &Bound<'py, PyAny>,
        namespace: Maybe<'_, 'py>,
        nodes: Maybe<'_, 'py>,
        ttl_s: Maybe<'_, 'py>,
        scheme: Maybe<'_, 'py>,
        layout: Maybe<'_, 'py>,
        secret: Maybe<'_, 'py>,
        create: Maybe<'_, 'py>,
        max_ttl_s: Maybe<'_, 'py>,
        max_clock_skew_s: Maybe<'_, 'py>,
        holder: Maybe<'_, 'py>,
        wait_s: Maybe<'_, 'py>,
    ) -> Result<Self> {
        guard(|| {
            let url = text("url", url)?;
            let defaults = LeaseOptions::default();
            let options = LeaseOptions {
                namespace: maybe_text("namespace", namespace)?.unwrap_or(defaults.namespace),
                nodes: maybe_int("nodes", nodes)?.unwrap_or(defaults.nodes),
                ttl_s: maybe_int("ttl_s", ttl_s)?.unwrap_or(defaults.ttl_s),
                scheme: self::scheme(scheme)?.unwrap_or(defaults.scheme),
                layout: maybe_layout(layout)?,
                secret: secret.map(|value| self::secret("secret", value)).transpose()?,
                create: create.map(|value| flag("create", Some(value))).transpose()?,
                max_ttl_s: maybe_int("max_ttl_s", max_ttl_s)?.unwrap_or(defaults.max_ttl_s),
                max_clock_skew_s: maybe_int("max_clock_skew_s", max_clock_skew_s)?.unwrap_or(defaults.max_clock_skew_s),
                holder: maybe_text("holder", holder)?,
                wait_s: maybe_int("wait_s", wait_s)?.unwrap_or(defaults.wait_s),
            };
            Lease::new(class.py(), &options.namespace, || saiban_coordination::Lease::acquire(&url, &options))
        })
    }

    /// Like acquire, as an asyncio coroutine: `lease = await
    /// saiban.Lease.acquire_async(url)`. It does not block the event loop.
    ///
    /// >>> import asyncio, saiban
    /// >>> async def main():
    /// ...     async with await saiban.Lease.acquire_async("memory:example") as lease:
    /// ...         return saiban.Snowflake(lease=lease).generate()
    /// >>> asyncio.run(main()) > 0
    /// True
    #[classmethod]
    #[pyo3(
        signature = (url, **options),
        text_signature = "($cls, url, *, namespace='default', nodes=1, ttl_s=600, scheme='snowflake', layout=None, \
                          secret=None, create=None, max_ttl_s=3600, max_clock_skew_s=10, holder=None, wait_s=10)"
    )]
    fn acquire_async<'py>(
        class: &Bound<'py, PyType>,
        url: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arguments = PyTuple::new(class.py(), [&class.getattr("acquire")?, url])?;
        class.py().import("asyncio")?.getattr("to_thread")?.call(arguments, options)
    }

    /// The current nodes, half-open. They can change if the lease was lost or has expired, and in a
    /// forked process.
    ///
    /// Raises LeaseLostError while there is no lease, StoreUnavailableError if the store is the
    /// reason; in a forked process what acquire raises, and ForkedError for a lease of memory:.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyRange>> {
        guard(|| {
            let grant = self.ask(py, || self.lease.grant())?;
            shown(py, &grant.nodes())
        })
    }

    /// Returns the status of the lease. The store is not contacted, except in a forked process,
    /// which first acquires its own lease.
    ///
    /// Raises in a forked process what acquire raises, and ForkedError for a lease of memory:.
    fn status(&self, py: Python<'_>) -> Result<LeaseStatus> {
        guard(|| Ok(LeaseStatus::from(self.ask(py, || self.lease.status())?)))
    }

    /// Requests a renewal now instead of after a third of the time. It does not wait for the reply:
    /// see status.
    ///
    /// Raises what status raises.
    fn renew(&self, py: Python<'_>) -> Result<()> {
        guard(|| Ok(self.ask(py, || self.lease.renew())?))
    }

    /// Closes every generator of the lease and releases its nodes, which other holders may get at
    /// once. Generators of the lease then raise LeaseLostError.
    ///
    /// It waits for the store for at most 5 seconds; other threads run meanwhile. A second call
    /// does nothing.
    ///
    /// Raises StoreUnavailableError if the store does not reply: the lease then expires.
    fn release(&self, py: Python<'_>) -> Result<()> {
        guard(|| Ok(py.detach(|| self.lease.release())?))
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyTuple>) -> Result<()> {
        self.release(py)
    }

    fn __aenter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        // The asyncio object that returns a value when it is awaited.
        slf.py().import("asyncio")?.call_method1("sleep", (0, slf))
    }

    #[pyo3(signature = (*_error))]
    fn __aexit__<'py>(slf: &Bound<'py, Self>, _error: &Bound<'_, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asyncio")?.call_method1("to_thread", (slf.getattr("release")?,))
    }

    fn __repr__(&self) -> String {
        self.shown()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a lease cannot be pickled or copied, because two holders would use its nodes: acquire one where it is \
             needed",
        ))
    }
}

/// Returns the lease of an argument.
pub fn maybe_lease(value: Maybe<'_, '_>) -> Result<Option<Py<Lease>>> {
    let lease = |value: &Bound<'_, PyAny>| match value.cast::<Lease>() {
        Ok(lease) => Ok(lease.clone().unbind()),
        Err(_) => Err(wrong_type("lease", "a saiban.Lease", value)),
    };
    value.map(lease).transpose()
}
