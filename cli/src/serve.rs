//! `saiban serve`: loads the configuration of the ID service, and runs it.

use crate::failure::Failure;
use crate::lease::own_store;
use crate::output;
use crate::secret;
use clap::Args;
use saiban_coordination::store::StoreUrl;
use saiban_service::{Config, Loaded, RunError, Service};
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
Without a configuration the service issues IDs of snowflake, uuid-v7, uuid-v4, ulid and objectid on 127.0.0.1:7609, to
all programs of this machine, and keeps leases in a file of this user. docs/service.md describes the whole
configuration. Each key of the file can also be given as a variable, such as SAIBAN_SERVE_LIMITS__MAX_BATCH for
limits.max_batch, or with --set. Flags override variables, and variables override the file.

SIGTERM and SIGINT end the service: it finishes requests in flight, and releases its nodes. SIGHUP reloads the
configuration file, and the files of tokens and certificates that the file and the flags name; flags and variables stay
as they are. Tokens, certificates, trusted proxies, leases.*, log.level and most limits change while the service runs;
for all other keys the log says that a restart is needed. An invalid configuration is refused as a whole, and the old
one stays in use.

Examples:
  saiban serve
  curl -X POST '127.0.0.1:7609/v1/schemes/snowflake/ids?count=3'
  saiban serve --store postgres://db/app --set schemes.orders.scheme=snowflake --set schemes.orders.nodes=4
  saiban serve --config /etc/saiban/saiban.toml --check";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The configuration (TOML); else the environment's SAIBAN_SERVE_CONFIG
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address to listen on instead of the configured ones; may be given several times
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Vec<std::net::SocketAddr>,
    /// The store of leases; else --set store, SAIBAN_SERVE_STORE or SAIBAN_STORE in the
    /// environment, the configuration's store, or a file of this user
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// A network of proxies, such as 10.0.0.0/8, whose forwarded client address is logged for
    /// denied requests; replaces the configured ones; may be given several times
    #[arg(long = "trusted-proxy", value_name = "CIDR")]
    trusted_proxies: Vec<String>,
    /// A key of the configuration, as limits.max_batch=1000; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Check the configuration, print what would be served, and exit. No store is contacted
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let loaded = load(arguments)?;
    if arguments.check {
        loaded.warnings.iter().for_each(|warning| secret::warn(warning));
        let service = Service::open(loaded.config, &loaded.store).map_err(wrong)?;
        return output::report(service.summary().trim_end());
    }
    let again = || load(arguments).map_err(|failure| failure.to_string());
    let listening = |addresses: &[std::net::SocketAddr]| {
        for address in addresses {
            // A closed stdout is no error: then nobody reads the address.
            let _ = output::print(&format!("listening on {address}"));
        }
    };
    saiban_service::run(loaded, again, listening).map_err(|error| match error {
        RunError::Config(error) => wrong(error),
        RunError::Listen(address, error) => Failure::Io { what: format!("listening on {address}"), error },
        RunError::System(error) => Failure::Io { what: "threads or signals".into(), error },
        RunError::Store(scheme, error) => Failure::Store { store: Some(format!("schemes.{scheme}")), error },
    })
}

/// Loads the configuration from the file, the environment and the flags.
fn load(arguments: &Arguments) -> Result<Loaded, Failure> {
    let file = arguments
        .config
        .clone()
        .or_else(|| std::env::var_os("SAIBAN_SERVE_CONFIG").filter(|path| !path.is_empty()).map(PathBuf::from));
    let mut settings = arguments.settings.clone();
    settings.extend(arguments.store.as_ref().map(|url| format!("store={url}")));
    if !arguments.trusted_proxies.is_empty() {
        settings.push(format!("trusted_proxies={}", arguments.trusted_proxies.join(",")));
    }
    let mut config = Config::load(file.as_deref(), variables()?, &settings).map_err(wrong)?;
    if !arguments.listen.is_empty() {
        config.listen.clone_from(&arguments.listen);
    }
    let store = config.store_url().map_err(wrong)?.map_or_else(own_store, Ok)?;
    // The configuration file is itself a secret if it contains a store's URL with a password.
    let secret = config.store.as_deref().filter(|store| StoreUrl::new(store).is_ok_and(|url| has_password(&url)));
    let has_secret = |file: &PathBuf| {
        secret.is_some_and(|secret| std::fs::read_to_string(file).is_ok_and(|text| text.contains(secret)))
    };
    let file = file.filter(has_secret);
    let of_store = StoreUrl::new(&store).map(|url| url.secret_files()).unwrap_or_default();
    let files = config.secret_files().chain(file.as_deref()).chain(of_store.iter().map(PathBuf::as_path));
    let warnings = files.filter_map(secret::exposed).collect();
    Ok(Loaded { config, store, warnings })
}

/// Returns whether a store's URL has a password. Its displayed form replaces the password.
fn has_password(url: &StoreUrl) -> bool {
    url.to_string().contains(":***@")
}

/// Returns saiban's environment variables.
fn variables() -> Result<Vec<(String, String)>, Failure> {
    let is_ours = |name: &str| name.starts_with("SAIBAN_");
    let texts = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok().filter(|name| is_ours(name))?, value)));
    texts
        .map(|(name, value)| match value.into_string() {
            Ok(value) => Ok((name, value)),
            Err(_) => Err(Failure::Arguments(format!("{name} is not text (UTF-8): give another value, or unset it"))),
        })
        .collect()
}

fn wrong(error: saiban_service::ConfigError) -> Failure {
    Failure::Configuration(error.to_string())
}
