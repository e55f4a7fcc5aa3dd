//! Merges the file, the environment and the flags into one [`Config`], and checks it.

use super::error::ConfigError;
use super::{Config, Limits, SchemeConfig, TokenConfig};
use std::collections::BTreeMap;
use std::path::Path;
use toml::de::{self, Deserializer};
use toml::{Table, Value};

/// The prefix of environment variables: `SAIBAN_SERVE_LIMITS__MAX_BATCH` sets `limits.max_batch`.
const PREFIX: &str = "SAIBAN_SERVE_";

/// The variable that names the configuration file. It sets no key.
const FILE: &str = "SAIBAN_SERVE_CONFIG";

/// The store of all saiban commands. `SAIBAN_SERVE_STORE` overrides it for the service.
const STORE: &str = "SAIBAN_STORE";

/// Alternative keys for the store. Setting one removes the value of the other from an earlier
/// source.
const STORES: [&str; 2] = ["store", "store_file"];

/// The schemes that are served if none are configured. They need neither a secret nor a layout.
const USUAL: [&str; 5] = ["snowflake", "uuid-v7", "uuid-v4", "ulid", "objectid"];

/// The longest lease that any namespace allows: 30 days.
const MAX_TTL_S: i64 = 30 * 86_400;

/// The variable or flag that set a key, by key. Keys that the file set are not listed.
type Origins = BTreeMap<String, String>;

/// The table of the file, with the values of later sources merged into it.
struct Layers {
    table: Table,
    /// The text of each value that the file did not set, by key.
    texts: BTreeMap<String, String>,
    origins: Origins,
}

impl Layers {
    /// Merges the values of one source, which override earlier ones. Each entry is the key, the
    /// text of the value, and the variable or flag.
    fn put(&mut self, values: Vec<(String, String, String)>) -> Result<(), ConfigError> {
        if values.iter().any(|(key, ..)| STORES.contains(&&**key)) {
            STORES.iter().for_each(|key| self.take_back(key));
        }
        for (key, text, origin) in values {
            self.forget(&key);
            set(&mut self.table, &key, read(&text), &origin)?;
            self.texts.insert(key.clone(), text);
            self.origins.insert(key, origin);
        }
        Ok(())
    }

    fn take_back(&mut self, key: &str) {
        self.table.remove(key);
        self.forget(key);
    }

    /// Forgets the text and origin of this key, and of the keys below it.
    fn forget(&mut self, key: &str) {
        self.texts.retain(|known, _| !is_within(known, key));
        self.origins.retain(|known, _| !is_within(known, key));
    }
}

impl Config {
    /// Loads the configuration from a file (TOML), the environment and flags.
    ///
    /// Later sources override earlier ones: the file, `SAIBAN_STORE`, the other variables, and
    /// `settings`, which are `KEY=VALUE`. Dots separate the parts of a key; in variables, two
    /// underscores do. A value is parsed as TOML, or else taken as text. Empty variables count as
    /// not set.
    ///
    /// # Errors
    /// A file that cannot be read, an unknown key, or an invalid value. The message names its
    /// place, and contains no value that may be secret.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
        settings: &[String],
    ) -> Result<Self, ConfigError> {
        let table = file.map_or_else(|| Ok(Table::new()), read_file)?;
        let mut layers = Layers { table, texts: BTreeMap::new(), origins: Origins::new() };
        let (mut stores, mut variables) = (Vec::new(), Vec::new());
        for (name, value) in environment.into_iter().filter(|(name, value)| name != FILE && !value.is_empty()) {
            if name == STORE {
                stores.push(("store".into(), value, name));
            } else if let Some(key) = name.strip_prefix(PREFIX).filter(|key| !is_of_kubernetes(key)) {
                variables.push((key.to_ascii_lowercase().replace("__", "."), value, name));
            }
        }
        layers.put(stores)?;
        variables.sort();
        layers.put(variables)?;
        let mut flags = Vec::with_capacity(settings.len());
        for setting in settings {
            let (key, value) = setting
                .split_once('=')
                .ok_or_else(|| ConfigError::new("a setting has no =: give KEY=VALUE, as limits.max_batch=1000"))?;
            flags.push((key.trim().to_owned(), value.trim().to_owned(), format!("--set {}", key.trim())));
        }
        layers.put(flags)?;
        let Layers { table, texts, origins } = layers;
        let mut config = from_table(table, texts, &origins)?;
        if config.schemes.is_empty() {
            let defaults =
                USUAL.map(|name| (name.to_owned(), SchemeConfig { scheme: name.into(), ..SchemeConfig::default() }));
            config.schemes.extend(defaults);
        }
        config.check().map_err(|(key, what)| match origin(&origins, &key) {
            Some(origin) => ConfigError::new(format!("{origin}: {what}")),
            None => ConfigError::new(what),
        })?;
        Ok(config)
    }

    /// Checks each value without its context. The error is the key, and what is wrong with it.
    fn check(&self) -> Result<(), (String, String)> {
        if self.listen.is_empty() {
            return Err(("listen".into(), "listen names no address: give one or more, as 127.0.0.1:7609".into()));
        }
        if self.store.is_some() && self.store_file.is_some() {
            return Err(("store".into(), "store and store_file are both given: give one of them".into()));
        }
        for (name, scheme) in &self.schemes {
            let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.');
            if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) || is_step(name) {
                let what = format!(
                    "{name:?} cannot name a scheme: give 1 to 64 of the characters A-Z, a-z, 0-9, _, - and ., and \
                     neither . nor .."
                );
                return Err((format!("schemes.{name}"), what));
            }
            if let Some(namespace) = scheme.namespace.as_deref().filter(|namespace| is_step(namespace)) {
                let what = format!("schemes.{name}: {namespace:?} cannot name a namespace: give another, as {name}");
                return Err((format!("schemes.{name}.namespace"), what));
            }
        }
        for token in &self.tokens {
            token.check(self.schemes.keys()).map_err(|what| ("tokens".into(), what))?;
        }
        if !(1..=MAX_TTL_S).contains(&self.leases.max_ttl_s) {
            let max_ttl_s = self.leases.max_ttl_s;
            let what = format!("leases.max_ttl_s is {max_ttl_s}: give 1 to {MAX_TTL_S} seconds");
            return Err(("leases.max_ttl_s".into(), what));
        }
        self.limits.check()
    }
}

impl TokenConfig {
    fn check<'n>(&self, mut schemes: impl Iterator<Item = &'n String> + Clone) -> Result<(), String> {
        if self.name.trim().is_empty() {
            return Err("a token of tokens has no name: give it one, which logs show in its place".into());
        }
        let is_unknown = |scheme: &&String| !schemes.clone().any(|known| known == *scheme);
        let Some(unknown) = self.schemes.iter().flatten().find(is_unknown) else { return Ok(()) };
        let mut known = schemes.next().cloned().unwrap_or_default();
        schemes.for_each(|scheme| known.extend([", ", scheme]));
        Err(format!(
            "the token of {:?} is for the scheme {unknown:?}, which is not configured: give some of {known}",
            self.name
        ))
    }
}

/// Returns whether the name is a dot segment of a path. Clients resolve such segments, and could
/// not request the name.
fn is_step(name: &str) -> bool {
    matches!(name, "." | "..")
}

/// Returns whether Kubernetes may have set the variable. It does so in every container if a
/// Kubernetes service is named `saiban-serve`.
fn is_of_kubernetes(key: &str) -> bool {
    key == "PORT" || key.starts_with("PORT_") || key.starts_with("SERVICE_")
}

/// Reads the table of a file. The file is checked as a configuration by itself, so that errors name
/// line and column.
fn read_file(path: &Path) -> Result<Table, ConfigError> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| ConfigError::new(format!("the configuration {shown} cannot be read: {error}")))?;
    let wrong = |error: &de::Error, at: &str| {
        let place = error.span().map(|span| place(&text, span.start)).unwrap_or_default();
        ConfigError::new(format!("{shown}{place}{at}: {}", without_value(error.message())))
    };
    let deserializer = Deserializer::parse(&text).map_err(|error| wrong(&error, ""))?;
    let _: Config =
        serde_path_to_error::deserialize(deserializer).map_err(|error| wrong(error.inner(), &at(error.path())))?;
    text.parse().map_err(|error| wrong(&error, ""))
}

/// Converts a table to a configuration. A value of the wrong type is tried again as its text, so
/// that a namespace may be named 2024.
fn from_table(mut table: Table, mut texts: BTreeMap<String, String>, origins: &Origins) -> Result<Config, ConfigError> {
    let mut first = None;
    loop {
        let error = match serde_path_to_error::deserialize(Value::Table(table.clone())) {
            Ok(config) => return Ok(config),
            Err(error) => error,
        };
        let key = error.path().to_string();
        let what = without_value(error.inner().message());
        let said = match origin(origins, &key) {
            Some(origin) if origins.get(&key) == Some(origin) => format!("{origin}: {what}"),
            Some(origin) => format!("{origin}{}: {what}", at(error.path())),
            None => format!("the configuration{}: {what}", at(error.path())),
        };
        match (texts.remove(&key), origins.get(&key)) {
            (Some(text), Some(origin)) => {
                set(&mut table, &key, Value::String(text), origin)?;
                first = Some((key, said));
            }
            // The error of the parsed value is more helpful than that of its text.
            _ => {
                return Err(ConfigError::new(
                    first.filter(|(before, _)| *before == key).map_or(said, |(_, said)| said),
                ));
            }
        }
    }
}

/// Returns the variable or flag that set this key, a key that contains it, or a key below it.
fn origin<'o>(origins: &'o Origins, key: &str) -> Option<&'o String> {
    let outer = origins.iter().find(|(known, _)| is_within(key, known));
    outer.or_else(|| origins.iter().find(|(known, _)| is_within(known, key))).map(|(_, origin)| origin)
}

/// Returns whether `inner` equals `outer`, or is a key below it.
fn is_within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Returns the key for an error message.
fn at(path: &serde_path_to_error::Path) -> String {
    if path.iter().next().is_none() { String::new() } else { format!(", at {path}") }
}

/// Returns line and column for an error message.
fn place(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!(", line {line}, column {column}")
}

/// Removes the value from a type error of serde, because it may be secret.
fn without_value(message: &str) -> String {
    let value = message.find(['"', '`']).filter(|_| message.starts_with("invalid type: "));
    match (value, message.rfind(", expected ")) {
        (Some(value), Some(expected)) if value < expected => {
            let form = &message[expected..];
            // Names of Rust types are of no use to operators.
            let is_number = [", expected usize", ", expected u64", ", expected u32", ", expected i64"].contains(&form);
            let form = match form {
                _ if is_number => ", expected a whole number",
                _ if form.starts_with(", expected struct ") => {
                    ", expected a table: give its keys, as log.level or schemes.orders.scheme (in a variable \
                     SCHEMES__ORDERS__SCHEME)"
                }
                form => form,
            };
            format!("{}{form}", message[..value].trim_end())
        }
        _ => message.to_owned(),
    }
}

impl Limits {
    fn check(&self) -> Result<(), (String, String)> {
        let within = |name: &str, value: u64, least: u64, most: u64| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            let key = format!("limits.{name}");
            let what = format!("{key} is {value}: give {least} to {most}");
            Err((key, what))
        };
        within("max_connections", self.max_connections as u64, 1, 1_000_000)?;
        within("max_in_flight", self.max_in_flight as u64, 1, 1_000_000)?;
        within("max_batch", self.max_batch as u64, 1, 1_000_000)?;
        within("max_body_bytes", self.max_body_bytes as u64, 1_024, 16 << 20)?;
        within("max_streams_per_connection", self.max_streams_per_connection.into(), 1, 100_000)?;
        const DAY_S: u64 = 86_400;
        within("header_timeout_s", self.header_timeout_s, 1, DAY_S)?;
        within("body_timeout_s", self.body_timeout_s, 1, DAY_S)?;
        within("request_timeout_s", self.request_timeout_s, 1, DAY_S)?;
        within("idle_timeout_s", self.idle_timeout_s, 1, 30 * DAY_S)?;
        within("write_timeout_s", self.write_timeout_s, 1, DAY_S)?;
        within("shutdown_timeout_s", self.shutdown_timeout_s, 0, DAY_S)?;
        within("max_wait_ms", self.max_wait_ms, 0, 60_000)
    }
}

/// Sets a key, and creates the tables that contain it.
fn set(table: &mut Table, key: &str, value: Value, origin: &str) -> Result<(), ConfigError> {
    let (last, folders) = key.rsplit_once('.').map_or((key, ""), |(folders, last)| (last, folders));
    let mut place = table;
    for folder in folders.split('.').filter(|folder| !folder.is_empty()) {
        let next = place.entry(folder).or_insert_with(|| Value::Table(Table::new()));
        place = next
            .as_table_mut()
            .ok_or_else(|| ConfigError::new(format!("{origin}: {folder} is no table: it has no keys of its own")))?;
    }
    if last.is_empty() {
        return Err(ConfigError::new(format!("{origin}: it names no key, as limits.max_batch does")));
    }
    place.insert(last.to_owned(), value);
    Ok(())
}

/// Parses a value as TOML, or else takes it as text.
fn read(value: &str) -> Value {
    value.parse().unwrap_or_else(|_| Value::String(value.into()))
}

#[cfg(test)]
mod tests;
