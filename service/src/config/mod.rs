//! The configuration of the service: a file, then environment variables, then flags.
//!
//! All modules of the service read it; programs load it with [`Config::load`].

mod error;
mod load;

pub use error::ConfigError;

use ipnet::IpNet;
use jiff::Timestamp;
use saiban_coordination::lease::DEFAULT_MAX_TTL_S;
use serde::de;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The configuration of the service. Every key has a default: by default the service listens on
/// loopback, and keeps its leases in a SQLite file.
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
    /// The addresses and ports to listen on. The default is 127.0.0.1:7609, the port of Twitter's
    /// Snowflake.
    #[serde(deserialize_with = "addresses")]
    pub listen: Vec<SocketAddr>,
    /// The URL of the store that holds the leases.
    pub store: Option<String>,
    /// A file that contains the URL of the store, for URLs with a password.
    pub store_file: Option<PathBuf>,
    /// The schemes, by the names that clients use in requests. The default is one scheme for each
    /// format that needs no secret and no layout.
    pub schemes: BTreeMap<String, SchemeConfig>,
    /// Leases of other programs.
    pub leases: LeasesConfig,
    /// TLS, or `None` for plaintext.
    pub tls: Option<TlsConfig>,
    /// Whether the service may listen on other addresses than loopback without TLS, because
    /// something in front of it terminates TLS.
    pub allow_plaintext: bool,
    /// The tokens. Without tokens and without `tls.client_scopes`, every client may do everything,
    /// and the service listens on loopback only.
    pub tokens: Vec<TokenConfig>,
    /// Networks of trusted proxies, such as 10.0.0.0/8. Their headers name the client in logs.
    #[serde(deserialize_with = "networks")]
    pub trusted_proxies: Vec<IpNet>,
    /// Bounds for the work and the memory that clients can cause.
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
    /// Returns the namespace of a scheme's leases.
    pub(crate) fn namespace_of(&self, scheme: &str) -> String {
        let chosen = self.schemes.get(scheme).and_then(|scheme| scheme.namespace.clone());
        chosen.unwrap_or_else(|| scheme.to_owned())
    }

    /// Returns the paths of the files that contain secrets, tokens, keys or the URL of the store.
    pub fn secret_files(&self) -> impl Iterator<Item = &Path> {
        let of_schemes = self.schemes.values().filter_map(|scheme| scheme.secret_file.as_deref());
        let of_tokens = self.tokens.iter().filter_map(|token| token.token_file.as_deref());
        let key = self.tls.as_ref().map(|tls| tls.key_file.as_path());
        of_schemes.chain(of_tokens).chain(key).chain(self.store_file.as_deref())
    }

    /// Returns the URL of the store, or `None` if none is configured.
    ///
    /// # Errors
    /// `store_file` cannot be read.
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

/// The configuration of one scheme.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchemeConfig {
    /// The scheme by its name, such as `snowflake`. A `ulid-flake` is scalable.
    pub scheme: String,
    /// The layout, for schemes that take one: text, the name of a preset, or JSON. The default is
    /// `twitter` for a `snowflake`, and `tsid-1024` for a `tsid`.
    pub layout: Option<String>,
    /// The file with the secret of a Randflake, as `saiban secret` writes it.
    pub secret_file: Option<PathBuf>,
    /// The order of tick IDs: `ascending` (default) or `descending`.
    pub order: Option<String>,
    /// The text before each ID: letters a to z, with underscores between them.
    pub prefix: Option<String>,
    /// The random bytes by which a Ulid-Flake grows within a millisecond: 1 (default) or 2.
    pub entropy_size: Option<i64>,
    /// What to do when the clock steps back: `hold`, `error` or `bits`.
    pub rollback: Option<String>,
    /// How far the clock may jump ahead of the time since boot, in seconds. The default is a day.
    pub max_jump_s: Option<i64>,
    /// The namespace of the lease. The default is the name of the scheme in this configuration.
    pub namespace: Option<String>,
    /// The number of nodes that each instance leases. The default is 1.
    pub nodes: Option<i64>,
    /// The duration of a lease, in seconds. The default is 60. The nodes of a killed instance are
    /// free when its lease ends.
    pub ttl_s: Option<i64>,
    /// The longest lease, in seconds, of a namespace that the service creates. The default is 3600,
    /// or `ttl_s` if that is longer.
    pub max_ttl_s: Option<i64>,
    /// Whether the service creates a namespace that does not exist. The default is `true` with
    /// SQLite, else `false`.
    pub create: Option<bool>,
}

/// Leases of other programs, which use the store URL `saiban://`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeasesConfig {
    /// Whether other programs may lease nodes from the service.
    pub enabled: bool,
    /// Whether the scope `lease` is enough to create a namespace. The default is `true` with
    /// SQLite, else `false`.
    pub create: Option<bool>,
    /// The longest lease of other programs, in seconds. Longer leases require the scope `admin`:
    /// otherwise a holder could claim a long lease, and block the namespace for that time.
    pub max_ttl_s: i64,
}

impl Default for LeasesConfig {
    fn default() -> Self {
        LeasesConfig { enabled: true, create: None, max_ttl_s: DEFAULT_MAX_TTL_S }
    }
}

/// The files for TLS, in PEM format.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsConfig {
    /// The server's certificate and its intermediate certificates.
    pub certificate_file: PathBuf,
    /// The private key of the certificate.
    pub key_file: PathBuf,
    /// Certificates of authorities. With them, each client must have a certificate of one of them
    /// (mutual TLS).
    pub client_ca_file: Option<PathBuf>,
    /// The scopes of a client that has such a certificate and sends no token.
    #[serde(default)]
    pub client_scopes: Vec<String>,
}

/// A token, and what it allows.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenConfig {
    /// The name of the token in logs. Two tokens may have one name, for rotation.
    pub name: String,
    /// A file that contains the token, of 16 characters or more.
    pub token_file: Option<PathBuf>,
    /// The SHA-256 of the token, as 64 hexadecimal digits, instead of `token_file`.
    pub token_sha256: Option<String>,
    /// The scopes: `generate`, `inspect`, `inspect-randflake`, `compose`, `lease`, or `admin`,
    /// which includes all.
    pub scopes: Vec<String>,
    /// The only schemes that the token is for. `None` means all.
    pub schemes: Option<Vec<String>>,
    /// The only namespaces that the token is for. `None` means all, except those of schemes that it
    /// is not for.
    pub namespaces: Option<Vec<String>>,
    /// The time at which the token expires, with its UTC offset, such as 2027-01-01T00:00:00Z.
    /// `None` means never.
    #[serde(default, deserialize_with = "time")]
    pub expires: Option<Timestamp>,
}

/// Deserializes addresses from a list, or from one text with commas between them.
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
            let what = "is not an address with its port: give a number, not a name, as 127.0.0.1:7609 or [::1]:7609";
            de::Error::custom(format!("{text:?} {what}"))
        };
        text.parse().map_err(wrong)
    }

    deserializer.deserialize_any(Addresses)
}

/// Deserializes networks from a list, or from one text with commas between them. An address is a
/// network of one address.
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
            de::Error::custom(format!(
                "{text:?} is not a network: give one as 10.0.0.0/8 or 2001:db8::/32, or an address"
            ))
        })
    };
    match Given::deserialize(deserializer) {
        Ok(Given::One(text)) => text.split(',').map(network).collect(),
        Ok(Given::Some(texts)) => texts.iter().map(|text| network(text)).collect(),
        Err(_) => Err(de::Error::custom("expected networks, as [\"10.0.0.0/8\", \"2001:db8::/32\"]")),
    }
}

/// Deserializes a time from a TOML datetime, or from text.
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
        |_| de::Error::custom(format!("{given:?} is not a time: give one with its offset, as 2027-01-01T00:00:00Z"));
    given.parse().map(Some).map_err(wrong)
}

impl std::fmt::Debug for TokenConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A token that is easy to guess could be found from its hash.
        f.debug_struct("TokenConfig").field("name", &self.name).field("scopes", &self.scopes).finish_non_exhaustive()
    }
}

/// Bounds for the work and the memory that clients can cause.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Open connections.
    pub max_connections: usize,
    /// Requests in flight. Streams may take half of these places. Leases, metrics and the status
    /// page have room for an eighth more.
    pub max_in_flight: usize,
    /// IDs or texts in one request.
    pub max_batch: usize,
    /// The size of a request's body, in bytes.
    pub max_body_bytes: usize,
    /// Streams of one HTTP/2 connection.
    pub max_streams_per_connection: u32,
    /// The time for a request's head to arrive, from its first byte, and for the TLS handshake, in
    /// seconds.
    pub header_timeout_s: u64,
    /// The time for a request's body to arrive, in seconds.
    pub body_timeout_s: u64,
    /// The time for the service to respond, in seconds. It does not apply to streams.
    pub request_timeout_s: u64,
    /// The time that a connection may be without requests, in seconds.
    pub idle_timeout_s: u64,
    /// The time that a client may take without reading what was sent to it, in seconds.
    pub write_timeout_s: u64,
    /// The time that requests in flight may continue when the service stops, in seconds.
    pub shutdown_timeout_s: u64,
    /// The time that a request waits for IDs when a tick is used up or the clock was set back, in
    /// milliseconds.
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
    /// The format: text lines or JSON.
    pub format: LogFormat,
    /// The level: `error`, `warn`, `info` (default), `debug` or `trace`.
    pub level: LogLevel,
}

/// The format of logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Text lines, for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// The least severe level that is logged.
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
