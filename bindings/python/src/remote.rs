//! IDs that a service makes, which remote generators fetch in blocks in advance.

use crate::arguments::{Maybe, maybe_int, text};
use crate::error::{Result, guard};
use crate::generator::Generator;
use crate::layout::Layout;
use pyo3::prelude::*;
use saiban_coordination::remote::RemoteStatus as Status;
use saiban_coordination::{AnyIssuer, AnyRemote, RemoteOptions};
use std::sync::Arc;

/// Hands out IDs that a service makes (saiban serve), taken in blocks in advance.
///
/// The next block is fetched when half of the current one is used, so a prefetched ID costs no
/// round trip. IDs that are not used within max_age_ms are dropped, and a process that ends loses
/// its prefetched IDs. A forked process uses none of its parent's prefetched IDs: it fetches its
/// own block.
///
/// The scheme decides the type of IDs: int, uuid.UUID or text, as with that scheme's generators.
/// inspect, range and the texts need no service. For Randflake inspect raises InvalidArgumentError,
/// because only the service has the secret. stats covers this generator's IDs.
///
/// url: saiban://:TOKEN@host:7609, or saibans:// for TLS with ca=, cert= and key= (files);
/// token_file= has the token of either. Several hosts, separated by commas, are tried in turn.
/// scheme: the scheme's name in the service.
/// block: the number of IDs that are fetched with one round trip, 1 to 100000, and no more than the
/// service allows.
/// max_age_ms: the maximum age of an ID, counted from its request, 1 to 3600000 milliseconds: an ID
/// holds the time at which the service made it.
/// wait_s: the longest wait for the service if no ID is prefetched, at least 1 second.
///
/// It requests the scheme's description from the service, and waits for it; other threads run
/// meanwhile.
///
/// Raises InvalidArgumentError; UnknownNameError if the service does not have the scheme;
/// StoreUnavailableError if the service does not reply within wait_s, or refuses the token;
/// StoreUnsupportedError for a scheme that this version of saiban does not know. generate raises
/// the errors of the service, and StoreUnavailableError. No message contains the token.
///
/// >>> import saiban
/// >>> try:
/// ...     ids = saiban.RemoteGenerator("saiban://127.0.0.1:7609", scheme="snowflake", wait_s=1)
/// ...     next_id = ids.generate()
/// ... except saiban.StoreUnavailableError as error:
/// ...     next_id = None  # saiban serve does not run here
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct RemoteGenerator(Remote);

enum Remote {
    Narrow(Arc<saiban_coordination::RemoteGenerator<i64>>),
    Wide(Arc<saiban_coordination::RemoteGenerator<u128>>),
}

/// Evaluates an expression with a remote generator of either width.
macro_rules! with {
    ($generator:expr, $ids:ident => $what:expr) => {
        match &$generator.0 {
            Remote::Narrow($ids) => $what,
            Remote::Wide($ids) => $what,
        }
    };
}

#[pymethods]
impl RemoteGenerator {
    #[new]
    #[pyo3(
        signature = (url, *, scheme, block=None, max_age_ms=None, wait_s=None),
        text_signature = "(url, *, scheme, block=1000, max_age_ms=1000, wait_s=10)"
    )]
    fn new<'py>(
        py: Python<'py>,
        url: &Bound<'py, PyAny>,
        scheme: &Bound<'py, PyAny>,
        block: Maybe<'_, 'py>,
        max_age_ms: Maybe<'_, 'py>,
        wait_s: Maybe<'_, 'py>,
    ) -> Result<PyClassInitializer<Self>> {
        guard(|| {
            let (url, scheme) = (text("url", url)?, text("scheme", scheme)?);
            let defaults = RemoteOptions::default();
            let options = RemoteOptions {
                block: maybe_int("block", block)?.unwrap_or(defaults.block),
                max_age_ms: maybe_int("max_age_ms", max_age_ms)?.unwrap_or(defaults.max_age_ms),
                wait_s: maybe_int("wait_s", wait_s)?.unwrap_or(defaults.wait_s),
            };
            let ids = py.detach(|| AnyRemote::open(&url, &scheme, &options))?;
            let repr = format!(
                "saiban.RemoteGenerator(scheme='{scheme}', block={}, max_age_ms={})",
                options.block, options.max_age_ms
            );
            let (remote, ids) = match ids {
                AnyRemote::Narrow(ids) => {
                    let ids = Arc::new(ids);
                    (Remote::Narrow(Arc::clone(&ids)), AnyIssuer::Narrow(ids.issuer()))
                }
                AnyRemote::Wide(ids) => {
                    let ids = Arc::new(ids);
                    (Remote::Wide(Arc::clone(&ids)), AnyIssuer::Wide(ids.issuer()))
                }
            };
            let remote = RemoteGenerator(remote);
            let base = Generator::of_service(ids, with!(remote, ids => ids.longest_wait()), repr);
            Ok(PyClassInitializer::from(base).add_subclass(remote))
        })
    }

    /// The scheme's name in the service.
    #[getter]
    fn name(&self) -> &str {
        with!(self, ids => ids.name())
    }

    /// The layout of its IDs, if the scheme has more than one layout; else None.
    #[getter]
    fn layout(slf: &Bound<'_, Self>) -> Option<Layout> {
        slf.as_super().get().layout()
    }

    /// Returns the generator's status in this process. The service is not contacted.
    fn status(&self) -> Result<RemoteStatus> {
        guard(|| Ok(with!(self, ids => ids.status())?.into()))
    }
}

/// The status of a remote generator in this process; see RemoteGenerator.status.
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RemoteStatus {
    /// The number of prefetched IDs. They are lost when the process ends.
    #[pyo3(get)]
    prefetched: u64,
    /// The number of IDs that were dropped because they became too old.
    #[pyo3(get)]
    dropped: u64,
    /// The number of requests to the service.
    #[pyo3(get)]
    calls: u64,
    /// The error of the last request, or None.
    #[pyo3(get)]
    why: Option<String>,
}

impl From<Status> for RemoteStatus {
    fn from(Status { prefetched, dropped, calls, why }: Status) -> Self {
        RemoteStatus { prefetched, dropped, calls, why: why.map(|why| why.to_string()) }
    }
}

#[pymethods]
impl RemoteStatus {
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let RemoteStatus { prefetched, dropped, calls, why } = slf.get();
        let why = why.as_ref().into_pyobject(slf.py())?.repr()?;
        Ok(format!("saiban.RemoteStatus(prefetched={prefetched}, dropped={dropped}, calls={calls}, why={why})"))
    }
}
