//! The state of the service that all protocols share: schemes, stores, settings and metrics.

use crate::auth::{Access, Scope};
use crate::config::{Config, ConfigError, Limits};
use crate::metrics::Metrics;
use crate::observed::Observed;
use crate::ops::Logged;
use crate::places::Places;
use crate::problem::{Code, Problem};
use crate::scheme::Scheme;
use crate::settings::Settings;
use arc_swap::{ArcSwap, Guard};
use jiff::Timestamp;
use saiban::inspect::MAX_LAYOUTS;
use saiban::scheme::GeneratorOption;
use saiban::{ErrorKind, Layout};
use saiban_coordination::Error;
use saiban_coordination::store::{Store, StoreUrl};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::SystemTime;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The maximum number of calls of other programs that the store gets at a time. The others queue
/// here, so that they do not delay the renewal of the service's own leases.
const MAX_LEASE_CALLS: usize = 8;

/// The service: its schemes, its store and its settings.
pub struct Service {
    /// The settings, which a reload replaces.
    pub(crate) settings: ArcSwap<Settings>,
    pub(crate) schemes: BTreeMap<String, Scheme>,
    /// The store for the leases of the schemes and for the status page. It does not wait for calls
    /// of other programs.
    pub(crate) own_store: Arc<dyn Store>,
    /// The store for leases of other programs.
    pub(crate) store: Arc<dyn Store>,
    /// Permits for calls of other programs to the store.
    pub(crate) lease_calls: Arc<Semaphore>,
    /// The number of calls of other programs that wait for a permit.
    pub(crate) lease_waiting: AtomicUsize,
    pub(crate) store_url: StoreUrl,
    pub(crate) metrics: Metrics,
    pub(crate) logged: Logged,
    pub(crate) started: SystemTime,
    /// The name of this instance as holder of its leases.
    pub(crate) holder: String,
    pub(crate) observed: Observed,
    pub(crate) places: Places,
    is_ending: AtomicBool,
}

impl Service {
    /// Checks the configuration, and reads the files that it names: secrets, tokens and
    /// certificates. It opens the store, but does not contact it.
    ///
    /// # Errors
    /// The first error in the configuration: its place, what is wrong, and what to do.
    pub fn open(config: Config, store: &str) -> Result<Self, ConfigError> {
        let store_url = check_store(store)?;
        let open = || saiban_coordination::store::open(&store_url).map_err(wrong_store);
        let (own_store, store) = (open()?, open()?);
        let settings = Settings::of(config)?;
        let config = &settings.config;
        let metrics = Metrics::new();
        let process = saiban_coordination::lease::this_process();
        let holder = format!("{process} saiban serve {}", config.listen[0].port());
        let is_sqlite = store_url.kind() == "sqlite";
        let schemes = schemes(config, is_sqlite, &holder, &metrics)?;
        Ok(Service {
            schemes,
            own_store,
            store,
            lease_calls: Arc::new(Semaphore::new(MAX_LEASE_CALLS)),
            lease_waiting: AtomicUsize::new(0),
            store_url,
            metrics,
            logged: Logged::new(),
            started: SystemTime::now(),
            holder,
            observed: Observed::default(),
            places: Places::default(),
            is_ending: AtomicBool::new(false),
            settings: ArcSwap::from_pointee(settings),
        })
    }

    /// Describes what would be served, for `--check`.
    #[must_use]
    pub fn summary(&self) -> String {
        let settings = self.settings();
        let config = &settings.config;
        let mut text = format!("store {}\n", self.store_url);
        for address in &config.listen {
            let kind = if config.tls.is_some() { "TLS" } else { "plaintext" };
            let _ = writeln!(text, "listen {address} ({kind})");
        }
        for scheme in self.schemes.values() {
            let _ = write!(text, "scheme {}: {}", scheme.name(), scheme.family());
            if let Some(layout) = scheme.layout() {
                let _ = write!(text, ", layout {layout}");
            }
            if let Some(namespace) = scheme.namespace() {
                let _ = write!(text, ", nodes leased in the namespace {namespace}");
            }
            text.push('\n');
        }
        for token in &config.tokens {
            let _ = write!(text, "token {}: {}", token.name, token.scopes.join(", "));
            if let Some(expires) = token.expires.filter(|expires| *expires <= Timestamp::now()) {
                let _ = write!(text, " (expired at {expires}: it is refused)");
            }
            text.push('\n');
        }
        if settings.auth.is_open() {
            text.push_str("no tokens: every program of this machine may do everything\n");
        }
        text
    }

    /// Starts a thread for each scheme that acquires its lease, and retries until it succeeds. The
    /// channel receives errors that waiting does not solve, with the name of the scheme.
    pub(crate) fn lease_all(self: &Arc<Self>) -> UnboundedReceiver<(String, Error)> {
        let (failed, received) = unbounded_channel();
        for name in self.schemes.iter().filter(|(_, scheme)| scheme.is_leased()).map(|(name, _)| name) {
            let (service, own, sender) = (Arc::clone(self), name.clone(), failed.clone());
            let lease = move || {
                let (store, limit) = (&service.own_store, service.limits().max_wait());
                if let Err(error) = service.schemes[&own].lease(store, limit, &|| service.is_ending()) {
                    let _ = sender.send((own, error));
                }
            };
            if let Err(error) = thread::Builder::new().name("saiban-acquire".into()).spawn(lease) {
                let what = format!("no thread could be started: {error}");
                let _ = failed.send((name.clone(), Error::new(ErrorKind::StoreUnavailable, what)));
            }
        }
        received
    }

    /// Releases the nodes of all schemes, in parallel. It may take some seconds.
    pub(crate) fn release_all(&self) {
        let leased = self.schemes.values().filter(|scheme| scheme.is_leased());
        let leased: Vec<_> = leased.map(|scheme| (scheme, scheme.abandon())).collect();
        thread::scope(|threads| {
            for (scheme, had_nodes) in leased {
                threads.spawn(move || scheme.release(had_nodes));
            }
        });
    }

    /// Marks the service as ending, so that it is no longer ready.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }

    /// Returns the current settings. Hold the guard for one request, and not across an `await`.
    pub(crate) fn settings(&self) -> Guard<Arc<Settings>> {
        self.settings.load()
    }

    pub(crate) fn limits(&self) -> Limits {
        self.settings().config.limits
    }

    /// Returns the layouts that inspection should try, by the names of their schemes. Only those
    /// appear that the caller may know.
    pub(crate) fn own_layouts<'s>(&'s self, access: &'s Access) -> impl Iterator<Item = (&'s str, &'s Layout)> {
        let own = self.schemes.values().filter(|scheme| scheme.family().takes(GeneratorOption::Layout));
        let known = own.filter(|scheme| access.check_known(scheme.name()).is_ok());
        known.filter_map(|scheme| Some((scheme.name(), scheme.layout()?))).take(MAX_LAYOUTS)
    }

    /// Returns the scheme `name`, if the caller has the scope for it.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`, or `UNKNOWN_NAME`.
    pub(crate) fn scheme(&self, access: &Access, scope: Scope, name: &str) -> Result<&Scheme, Problem> {
        access.check_scheme(scope, name)?;
        self.schemes.get(name).ok_or_else(|| self.unknown(access, name))
    }

    /// Returns the error for an unknown scheme. It names only schemes that the caller may know.
    pub(crate) fn unknown(&self, access: &Access, name: &str) -> Problem {
        let known = self.schemes.keys().filter(|known| access.check_known(known).is_ok());
        let known = known.map(String::as_str).collect::<Vec<_>>().join(", ");
        let name: String = name.chars().take(64).collect();
        let what = format!("no scheme is named {name:?} here: give one of {known}");
        Problem::new(Code::UnknownScheme, what)
    }
}

fn wrong_store(error: Error) -> ConfigError {
    ConfigError::new(format!("store: {error}"))
}

/// Parses the URL of a store, and refuses stores that a service cannot use.
pub(crate) fn check_store(store: &str) -> Result<StoreUrl, ConfigError> {
    let url = StoreUrl::new(store).map_err(wrong_store)?;
    match url.kind() {
        // Each instance would have a store of its own.
        "memory" => Err(ConfigError::new(
            "store: a memory: store belongs to one process: give a file (sqlite:ids.db), or a server",
        )),
        "saiban" | "saibans" => Err(ConfigError::new("store: it is another saiban serve: give the store that it uses")),
        _ => Ok(url),
    }
}

/// Checks the configuration of all schemes, and builds them. It does not contact the store.
pub(crate) fn schemes(
    config: &Config,
    is_sqlite: bool,
    holder: &str,
    metrics: &Metrics,
) -> Result<BTreeMap<String, Scheme>, ConfigError> {
    let mut schemes = BTreeMap::new();
    for (name, of) in &config.schemes {
        schemes.insert(name.clone(), Scheme::of(name, of, is_sqlite, holder, metrics)?);
    }
    check_namespaces(schemes.values())?;
    Ok(schemes)
}

/// Refuses two schemes with one namespace but different IDs. A namespace is for IDs of one kind,
/// and would keep the kind of the scheme that comes first.
fn check_namespaces<'s>(schemes: impl Iterator<Item = &'s Scheme>) -> Result<(), ConfigError> {
    let mut known: BTreeMap<&str, &Scheme> = BTreeMap::new();
    for scheme in schemes {
        let Some(namespace) = scheme.namespace() else { continue };
        let first = *known.entry(namespace).or_insert(scheme);
        if first.fingerprint() != scheme.fingerprint() {
            return Err(ConfigError::new(format!(
                "schemes.{} and schemes.{} have the namespace {namespace:?}, and different IDs, which could be \
                 equal: give each a separate namespace",
                first.name(),
                scheme.name()
            )));
        }
    }
    Ok(())
}
