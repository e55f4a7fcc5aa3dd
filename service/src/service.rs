//! What the service is made of, whatever protocol it is asked by.

use crate::auth::{Access, Auth, Scope};
use crate::config::{Config, ConfigError, Limits};
use crate::metrics::Metrics;
use crate::observe::Observed;
use crate::ops::Logged;
use crate::places::Places;
use crate::problem::{Code, Problem};
use crate::scheme::Scheme;
use crate::settings::Settings;
use arc_swap::{ArcSwap, Guard};
use jiff::Timestamp;
use saiban::inspect::MOST_LAYOUTS;
use saiban::{ErrorKind, Layout, Scheme as Family};
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

/// How many calls of others the store is given at a time: they queue here, and not where the service's own leases are renewed.
const MOST_LEASE_CALLS: usize = 8;

/// The service: its schemes, its store, and who may use them.
pub struct Service {
    /// What a reload replaces.
    pub(crate) settings: ArcSwap<Settings>,
    pub(crate) schemes: BTreeMap<String, Scheme>,
    /// For the schemes' own leases, and for who looks: what others ask is not waited for.
    pub(crate) own_store: Arc<dyn Store>,
    /// For leases of others.
    pub(crate) store: Arc<dyn Store>,
    /// How many calls of others the store is given at a time.
    pub(crate) lease_calls: Arc<Semaphore>,
    /// How many calls of others wait for their turn.
    pub(crate) lease_waiting: AtomicUsize,
    pub(crate) store_url: StoreUrl,
    pub(crate) metrics: Metrics,
    pub(crate) logged: Logged,
    pub(crate) started: SystemTime,
    /// Who it is, as holder of its leases.
    pub(crate) holder: String,
    pub(crate) observed: Observed,
    pub(crate) places: Places,
    is_ending: AtomicBool,
}

impl Service {
    /// Checks the configuration, and reads the files that it names: secrets, tokens and certificates. The store is opened, and not asked yet.
    ///
    /// # Errors
    /// What is wrong, where, and what to do.
    pub fn open(config: Config, store: &str) -> Result<Self, ConfigError> {
        let store_url = check_store(store)?;
        let open = || saiban_coordination::store::open(&store_url).map_err(wrong_store);
        let (own_store, store) = (open()?, open()?);
        let settings = Settings::of(config)?;
        let config = &settings.config;
        let metrics = Metrics::new();
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let holder = format!("{host}/{} saiban serve {}", std::process::id(), config.listen[0].port());
        let is_sqlite = store_url.kind() == "sqlite";
        let schemes = schemes(config, is_sqlite, &holder, &metrics)?;
        Ok(Service {
            schemes,
            own_store,
            store,
            lease_calls: Arc::new(Semaphore::new(MOST_LEASE_CALLS)),
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

    /// What would be served, for people.
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
                let _ = write!(text, ", nodes leased in the name space {namespace}");
            }
            text.push('\n');
        }
        for token in &config.tokens {
            let _ = write!(text, "token {}: {}", token.name, token.scopes.join(", "));
            if let Some(expires) = token.expires.filter(|expires| *expires <= Timestamp::now()) {
                let _ = write!(text, " (expired, at {expires}: it lets nobody in)");
            }
            text.push('\n');
        }
        if settings.auth.is_open() {
            text.push_str("no tokens: everybody on this machine may do everything\n");
        }
        text
    }

    /// Has every scheme ask for its nodes, each on a thread of its own until it has some. What waiting does not mend is received.
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

    /// Gives all nodes back, all at once; may take some seconds.
    pub(crate) fn release_all(&self) {
        let leased = self.schemes.values().filter(|scheme| scheme.is_leased());
        let leased: Vec<_> = leased.map(|scheme| (scheme, scheme.let_go())).collect();
        thread::scope(|threads| {
            for (scheme, had_nodes) in leased {
                threads.spawn(move || scheme.release(had_nodes));
            }
        });
    }

    /// From now on it is not ready.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }

    /// The settings at the moment: hold them for one request, and not across a wait.
    pub(crate) fn settings(&self) -> Guard<Arc<Settings>> {
        self.settings.load()
    }

    pub(crate) fn limits(&self) -> Limits {
        self.settings().config.limits
    }

    /// The layouts that inspection believes, by the names of the schemes here: those that the caller may know of.
    pub(crate) fn own_layouts<'s>(&'s self, access: &'s Access) -> impl Iterator<Item = (&'s str, &'s Layout)> {
        let own = self.schemes.values().filter(|scheme| matches!(scheme.family(), Family::Snowflake | Family::Flake));
        let known = own.filter(|scheme| access.check_known(scheme.name()).is_ok());
        known.filter_map(|scheme| Some((scheme.name(), scheme.layout()?))).take(MOST_LAYOUTS)
    }

    /// The scheme of this name, where the caller may do this with it.
    pub(crate) fn scheme(&self, access: &Access, scope: Scope, name: &str) -> Result<&Scheme, Problem> {
        access.check_scheme(scope, name)?;
        self.schemes.get(name).ok_or_else(|| self.unknown(access, name))
    }

    /// No scheme has this name. It tells of those only which the caller may know of.
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

/// Reads a store's URL, and refuses stores that no service can have.
pub(crate) fn check_store(store: &str) -> Result<StoreUrl, ConfigError> {
    let url = StoreUrl::new(store).map_err(wrong_store)?;
    match url.kind() {
        // It would be another one in each instance.
        "memory" => {
            Err(ConfigError::new("store: memory: is in one process alone: give a file (sqlite:ids.db), or a server"))
        }
        "saiban" | "saibans" => {
            Err(ConfigError::new("store: it is a service like this one: give the store that that has"))
        }
        _ => Ok(url),
    }
}

/// Checks and makes all schemes. No store is asked.
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

/// A name space is for one kind of IDs: of two schemes that want it, whichever comes first would have it for ever.
fn check_namespaces<'s>(schemes: impl Iterator<Item = &'s Scheme>) -> Result<(), ConfigError> {
    let mut known: BTreeMap<&str, &Scheme> = BTreeMap::new();
    for scheme in schemes {
        let Some(namespace) = scheme.namespace() else { continue };
        let first = *known.entry(namespace).or_insert(scheme);
        if first.fingerprint() != scheme.fingerprint() {
            return Err(ConfigError::new(format!(
                "schemes.{} and schemes.{} have the name space {namespace:?}, and not the same IDs, which could be equal to each other's: give each \
                 a namespace of its own",
                first.name(),
                scheme.name()
            )));
        }
    }
    Ok(())
}

/// Nothing is open to others by accident.
pub(crate) fn check_open(config: &Config, auth: &Auth) -> Result<(), ConfigError> {
    let Some(address) = config.listen.iter().find(|address| !address.ip().is_loopback()) else { return Ok(()) };
    if auth.is_open() {
        return Err(ConfigError::new(format!(
            "listen: {address} can be reached by others, and without tokens everybody may do everything: give tokens, or listen on 127.0.0.1"
        )));
    }
    if config.tls.is_none() && !config.allow_plaintext {
        return Err(ConfigError::new(format!(
            "listen: {address} can be reached by others, who could read tokens without TLS: give tls, or allow_plaintext = true where \
             something in front of the service has it"
        )));
    }
    Ok(())
}
