//! What an operator configures: a file, the environment and flags, each over the one before.

mod load;

pub use load::ConfigError;

use ipnet::IpNet;
use jiff::Timestamp;
use saiban_coordination::lease::DEFAULT_MAX_TTL_S;
use serde::de;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Everything that can be configured. All of it has defaults, with which the service answers on loopback, from a file of SQLite's.
///
/// ```
/// use saiban_service::Config;
/// let config = Config::load(None, [], &["schemes.orders.scheme=snowflake".into()])?;
/// assert_eq!(config.listen, ["127.0.0.1:7609".parse().unwrap()]);
/// assert!(config.schemes.contains_key("orders"));
/// # Ok::<(), saiban_service::ConfigError>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Addresses and ports; by default 127.0.0.1:7609, the port of Twitter's snowflake.
    #[serde(deserialize_with = "addresses")]
    pub listen: Vec<SocketAddr>,
    /// The store's URL.
    pub store: Option<String>,
    /// A file that holds it, for one with a password.
    pub store_file: Option<PathBuf>,
    /// The schemes by the names that requests give; by default one of each that needs no secret.
    pub schemes: BTreeMap<String, SchemeConfig>,
    /// Leases for others.
    pub leases: LeasesConfig,
    /// TLS.
    pub tls: Option<TlsConfig>,
    /// Whether to listen elsewhere than on loopback without TLS: where something in front of the service has it.
    pub allow_plaintext: bool,
    /// Who may do what. Without any, all that reach it may do all, and it listens on loopback only.
    pub tokens: Vec<TokenConfig>,
    /// Networks of the proxies that are believed which client they forward for, as 10.0.0.0/8.
    #[serde(deserialize_with = "networks")]
    pub trusted_proxies: Vec<IpNet>,
    /// What bounds the work and the memory that others can cause.
    pub limits: Limits,
    /// Logs.
    pub log: LogConfig,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: vec![SocketAddr::from(([127, 0, 0, 1], 7609))],
            store: None,
            store_file: None,
            schemes: BTreeMap::new(),
            leases: LeasesConfig::default(),
            tls: None,
            allow_plaintext: false,
            tokens: Vec::new(),
            trusted_proxies: Vec::new(),
            limits: Limits::default(),
            log: LogConfig::default(),
        }
    }
}

impl Config {
    /// The name space of a scheme's leases.
    pub(crate) fn namespace_of(&self, scheme: &str) -> String {
        let chosen = self.schemes.get(scheme).and_then(|scheme| scheme.namespace.clone());
        chosen.unwrap_or_else(|| scheme.to_owned())
    }

    /// The files that hold secrets, tokens and keys.
    pub fn secret_files(&self) -> impl Iterator<Item = &Path> {
        let of_schemes = self.schemes.values().filter_map(|scheme| scheme.secret_file.as_deref());
        let of_tokens = self.tokens.iter().filter_map(|token| token.token_file.as_deref());
        let key = self.tls.as_ref().map(|tls| tls.key_file.as_path());
        of_schemes.chain(of_tokens).chain(key).chain(self.store_file.as_deref())
    }

    /// The store's URL, where one is configured.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn store_url(&self) -> Result<Option<String>, ConfigError> {
        match &self.store_file {
            None => Ok(self.store.clone()),
            Some(path) => {
                let read = std::fs::read_to_string(path);
                let wrong =
                    |error| ConfigError::new(format!("store_file cannot be read from {}: {error}", path.display()));
                Ok(Some(read.map_err(wrong)?.trim().to_owned()))
            }
        }
    }
}

/// A scheme whose IDs are made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchemeConfig {
    /// The family: snowflake, randflake, ulid-flake (scalable), flake, ulid, uuid-v1, uuid-v4, uuid-v7, objectid or tick-id.
    pub scheme: String,
    /// Of a snowflake (twitter by default) or a flake: its text, a preset's name, or JSON.
    pub layout: Option<String>,
    /// A randflake's secret, as `saiban secret` writes it.
    pub secret_file: Option<PathBuf>,
    /// Of a tick ID: ascending (by default) or descending.
    pub order: Option<String>,
    /// Of a Ulid-Flake: random bytes by which IDs grow within a millisecond, 1 (by default) or 2.
    pub entropy_size: Option<i64>,
    /// What happens when the clock steps back: hold, error or bits.
    pub rollback: Option<String>,
    /// How far the clock may jump ahead of the time since boot, seconds; a day by default.
    pub max_jump_s: Option<i64>,
    /// The lease's name space; by default the scheme's name here.
    pub namespace: Option<String>,
    /// How many nodes each instance leases; 1 by default.
    pub nodes: Option<i64>,
    /// For how long at a time, seconds; 60 by default. A killed instance's nodes are another's after that.
    pub ttl_s: Option<i64>,
    /// The longest lease of a name space that is made here, seconds; an hour by default.
    pub max_ttl_s: Option<i64>,
    /// Whether the name space is made where it is not; by default only over SQLite.
    pub create: Option<bool>,
}

/// Leases for others: the store `saiban://`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeasesConfig {
    /// Whether others may lease nodes here.
    pub enabled: bool,
    /// Whether who may lease may also make a name space; by default only over SQLite.
    pub create: Option<bool>,
    /// The longest lease for others, seconds. Nobody but an admin is believed that a lease lasts longer: else a holder could say so, and
    /// nothing would be granted for as long.
    pub max_ttl_s: i64,
}

impl Default for LeasesConfig {
    fn default() -> Self {
        LeasesConfig { enabled: true, create: None, max_ttl_s: DEFAULT_MAX_TTL_S }
    }
}

/// TLS, in files of the form PEM.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsConfig {
    /// The certificate, and those between it and its authority.
    pub certificate_file: PathBuf,
    /// Its private key.
    pub key_file: PathBuf,
    /// Authorities: clients must have a certificate of one of them.
    pub client_ca_file: Option<PathBuf>,
    /// What a client with such a certificate, and no token, may do.
    #[serde(default)]
    pub client_scopes: Vec<String>,
}

/// Who may do what.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenConfig {
    /// Whose it is, for logs and metrics.
    pub name: String,
    /// A file that holds the token: 16 characters or more.
    pub token_file: Option<PathBuf>,
    /// Or its SHA-256, 64 hexadecimal digits.
    pub token_sha256: Option<String>,
    /// generate, inspect, inspect-randflake, compose, lease, admin (which has all).
    pub scopes: Vec<String>,
    /// Only these schemes; all where left out.
    pub schemes: Option<Vec<String>>,
    /// Only leases of these name spaces; where left out all but those of schemes that it is not for.
    pub namespaces: Option<Vec<String>>,
    /// Until when it is good: a time with its offset, as 2027-01-01T00:00:00Z.
    #[serde(default, deserialize_with = "time")]
    pub expires: Option<Timestamp>,
}

/// Addresses, or one text with commas between them.
fn addresses<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SocketAddr>, D::Error> {
    struct Addresses;

    impl<'de> de::Visitor<'de> for Addresses {
        type Value = Vec<SocketAddr>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("addresses with their ports, as [\"127.0.0.1:7609\"]")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            text.split(',').map(|one| address(one.trim())).collect()
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut texts: A) -> Result<Self::Value, A::Error> {
            let mut addresses = Vec::new();
            while let Some(text) = texts.next_element::<String>()? {
                addresses.push(address(&text)?);
            }
            Ok(addresses)
        }
    }

    fn address<E: de::Error>(text: &str) -> Result<SocketAddr, E> {
        let wrong = |_| {
            let what = "is no address with its port: give a number and not a name, as 127.0.0.1:7609 or [::1]:7609";
            de::Error::custom(format!("{text:?} {what}"))
        };
        text.parse().map_err(wrong)
    }

    deserializer.deserialize_any(Addresses)
}

/// Networks, or one text with commas between them. An address is the network of itself alone.
fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(String),
        Some(Vec<String>),
    }

    let network = |text: &str| {
        let text = text.trim();
        let of_address = || text.parse::<IpAddr>().ok().map(IpNet::from);
        text.parse().ok().or_else(of_address).ok_or_else(|| {
            de::Error::custom(format!("{text:?} is no network: give one as 10.0.0.0/8 or 2001:db8::/32, or an address"))
        })
    };
    match Given::deserialize(deserializer) {
        Ok(Given::One(text)) => text.split(',').map(network).collect(),
        Ok(Given::Some(texts)) => texts.iter().map(|text| network(text)).collect(),
        Err(_) => Err(de::Error::custom("expected networks, as [\"10.0.0.0/8\", \"2001:db8::/32\"]")),
    }
}

/// A time as TOML has it, or as text.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Time(toml::value::Datetime),
        Text(String),
    }

    let given = match Given::deserialize(deserializer)? {
        Given::Time(time) => time.to_string(),
        Given::Text(text) => text,
    };
    let wrong =
        |_| de::Error::custom(format!("{given:?} is no time: give one with its offset, as 2027-01-01T00:00:00Z"));
    given.parse().map(Some).map_err(wrong)
}

impl std::fmt::Debug for TokenConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Of a token that is easy to guess the hash tells all.
        f.debug_struct("TokenConfig").field("name", &self.name).field("scopes", &self.scopes).finish_non_exhaustive()
    }
}

/// What bounds the work and the memory that others can cause.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Connections at a time.
    pub max_connections: usize,
    /// Requests at a time; streams may be half of them, and leases and who looks have an eighth more.
    pub max_in_flight: usize,
    /// IDs, or texts, in one request.
    pub max_batch: usize,
    /// Bytes of a request's body.
    pub max_body_bytes: usize,
    /// Streams of one connection of HTTP/2.
    pub max_streams_per_connection: u32,
    /// For how long a request's head may take to arrive, from its first byte, seconds; and TLS to be agreed on.
    pub header_timeout_s: u64,
    /// For how long its body may.
    pub body_timeout_s: u64,
    /// For how long an answer may take to be made; streams are not bounded.
    pub request_timeout_s: u64,
    /// For how long a connection may be without a request.
    pub idle_timeout_s: u64,
    /// For how long a client may not read what it is sent.
    pub write_timeout_s: u64,
    /// For how long requests in flight may go on once the service is told to end.
    pub shutdown_timeout_s: u64,
    /// For how long a request waits for IDs where a tick is used up, or the clock was set back, milliseconds.
    pub max_wait_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_connections: 16_384,
            max_in_flight: 1_024,
            max_batch: 10_000,
            max_body_bytes: 65_536,
            max_streams_per_connection: 128,
            header_timeout_s: 10,
            body_timeout_s: 10,
            request_timeout_s: 10,
            idle_timeout_s: 300,
            write_timeout_s: 30,
            shutdown_timeout_s: 10,
            max_wait_ms: 2_000,
        }
    }
}

impl Limits {
    pub(crate) fn header_timeout(&self) -> Duration {
        Duration::from_secs(self.header_timeout_s)
    }

    pub(crate) fn body_timeout(&self) -> Duration {
        Duration::from_secs(self.body_timeout_s)
    }

    pub(crate) fn request_timeout(&self) -> Duration {
        Duration::from_secs(self.request_timeout_s)
    }

    pub(crate) fn idle_timeout(&self) -> Duration {
        Duration::from_secs(self.idle_timeout_s)
    }

    pub(crate) fn write_timeout(&self) -> Duration {
        Duration::from_secs(self.write_timeout_s)
    }

    pub(crate) fn shutdown_timeout(&self) -> Duration {
        Duration::from_secs(self.shutdown_timeout_s)
    }

    pub(crate) fn max_wait(&self) -> Duration {
        Duration::from_millis(self.max_wait_ms)
    }
}

/// Logs, on stderr.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// Lines for people, or JSON.
    pub format: LogFormat,
    /// error, warn, info (by default), debug or trace.
    pub level: LogLevel,
}

/// The form of logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// A JSON object a line.
    Json,
}

/// What is logged: this, and all that is graver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each says what it is")]
pub enum LogLevel {
    Error,
    Warn,
    #[default]
    Info,
    Debug,
    Trace,
}
