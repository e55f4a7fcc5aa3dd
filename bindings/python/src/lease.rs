//! Node leases: nodes that nobody else has, from the store that a fleet has already.

use crate::arguments::{Maybe, flag, maybe_int, maybe_text, scheme, secret, text, wrong_type};
use crate::ending;
use crate::error::{Result, guard};
use crate::layout::maybe_layout;
use crate::lease_status::{LeaseStatus, shown};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyRange, PyTuple, PyType};
use saiban_coordination::{Error, LeaseOptions};

/// Nodes that nobody else has, as long as the store can be reached.
///
/// Lease.acquire takes them from a store, where everybody takes theirs: a range of node ids, for
/// ttl_s seconds. They are renewed in the background after a third of that. A generator that is
/// made with lease= makes IDs of these nodes, and none outside the lease's time. Where the store
/// cannot be reached until that is over IDs stop with LeaseExpiredError, and where it says that the
/// nodes are another's with LeaseLostError; they go on by themselves as soon as there is a new
/// lease, whose nodes may be others.
///
/// A generator that is made with store= acquires a lease of its own, for its own scheme, layout and
/// secret.
///
/// The nodes are given back by release, at the end of `with`, when neither the lease nor a
/// generator of it is there any more, and when the interpreter ends, after all other threads. A
/// program that is killed, or ends by os._exit, holds them until its lease is over.
///
/// In a copy of the process made by fork, such as a worker of gunicorn with --preload, a lease
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

    /// Whether what is asked next may wait for a store.
    pub fn is_copy(&self) -> bool {
        self.lease.is_copy()
    }

    /// Asks something, without the GIL: in a copy of the process made by fork it may acquire a
    /// lease first.
    pub fn ask<A: Send>(&self, py: Python<'_>, ask: impl FnOnce() -> A + Send) -> A {
        let was_copy = self.is_copy();
        let answer = py.detach(ask);
        if was_copy && !self.is_copy() {
            ending::watch(py);
        }
        answer
    }

    /// As Python source, more or less.
    pub fn shown(&self) -> String {
        // What is the parent's tells nothing here, and to ask would acquire.
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
        // Not waited for: that is for the interpreter's end, which has a copy of it.
        self.lease.abandon();
    }
}

#[pymethods]
impl Lease {
    /// Acquires a lease from a store, waiting for it for at most wait_s. Other threads run
    /// meanwhile; Ctrl-C is heard when the wait is over.
    ///
    /// url: the store: sqlite:///path, postgres://, mysql://, redis://, etcd://, zookeeper://, with
    /// user and password as each server's clients have them; saiban://:TOKEN@host, a service
    /// (saiban serve); or memory:NAME, which is in this process alone.
    /// namespace: 1 to 64 of the characters A-Z, a-z, 0-9, _, - and . ; generators whose IDs go
    /// into one column have one.
    /// nodes: how many, next to each other, 1 to 65536. ttl_s: for how many seconds at a time, 1 up
    /// to what the namespace allows; a process that was killed holds its nodes so long.
    /// scheme, layout, secret: what the IDs are, a scheme whose generators take a lease. layout: by
    /// default the scheme's own: of snowflake Layout.TWITTER, of ulid-flake that of scalable IDs;
    /// flake has none. secret: of randflake; the store gets a check number of it only.
    /// create: whether the namespace is made where there is none. An empty store is no proof that
    /// nobody has nodes, so that on a server somebody must say so once, here or by the command
    /// `saiban lease init`; None is True for sqlite: and memory:.
    /// max_ttl_s: the longest lease that a namespace made so allows, 1 to 2592000 (30 days).
    /// max_clock_skew_s: how far this machine's clock may be from the store's.
    /// holder: who it is, for people, up to 120 characters; by default host and process id.
    /// wait_s: how long to wait for a store that cannot be reached, at least a second.
    ///
    /// Raises InvalidArgumentError, UnknownNameError, InvalidSecretError; StoreUnavailableError,
    /// StoreCorruptError, StoreUnsupportedError; NamespaceUnknownError, NamespaceMismatchError
    /// where the namespace is for other IDs, NamespaceFullError, NamespaceQuarantinedError;
    /// ClockSkewError. No message holds the URL's password.
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

    /// The same as acquire, as a coroutine of asyncio: `lease = await
    /// saiban.Lease.acquire_async(url)`. The event loop goes on meanwhile.
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

    /// The nodes of now, which are others after a lease was lost, or ended, and in a copy of the
    /// process made by fork.
    ///
    /// Raises LeaseLostError while there is no lease, StoreUnavailableError where the store is why;
    /// in a copy of the process what acquire raises, and ForkedError for a lease of memory:.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyRange>> {
        guard(|| {
            let grant = self.ask(py, || self.lease.grant())?;
            shown(py, &grant.nodes())
        })
    }

    /// How it is doing.
    ///
    /// Raises in a copy of the process made by fork what acquire raises, and ForkedError for a
    /// lease of memory:.
    fn status(&self, py: Python<'_>) -> Result<LeaseStatus> {
        guard(|| Ok(LeaseStatus::from(self.ask(py, || self.lease.status())?)))
    }

    /// Asks the store for more time now instead of after a third of it, without waiting for the
    /// answer, which status tells.
    ///
    /// Raises what status raises.
    fn renew(&self, py: Python<'_>) -> Result<()> {
        guard(|| Ok(self.ask(py, || self.lease.renew())?))
    }

    /// Gives the nodes back: others may have them at once, and generators of the lease raise
    /// LeaseLostError from now on.
    ///
    /// Waits for the store for at most 5 seconds; other threads run meanwhile. Released again it
    /// does nothing.
    ///
    /// Raises StoreUnavailableError where the store could not be told: the lease ends by itself
    /// then.
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
        // What asyncio has that answers a value when it is awaited.
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

/// The lease that an argument names.
pub fn maybe_lease(value: Maybe<'_, '_>) -> Result<Option<Py<Lease>>> {
    let lease = |value: &Bound<'_, PyAny>| match value.cast::<Lease>() {
        Ok(lease) => Ok(lease.clone().unbind()),
        Err(_) => Err(wrong_type("lease", "a saiban.Lease", value)),
    };
    value.map(lease).transpose()
}
