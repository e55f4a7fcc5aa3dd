//! The URLs that name stores. Passwords in them never appear in messages.

use crate::Error;
use saiban::ErrorKind;
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

/// The URL of a store.
///
/// The kinds are:
/// - `sqlite:///path`, or `sqlite:path` relative to the current directory;
/// - `postgres://…`, `mysql://…`, `redis://…`, `etcd://…` and `zookeeper://…`;
/// - `saiban://…`, a service (`saiban serve`), which asks its own store;
/// - `memory:NAME`, a store in this process.
///
/// TLS and credentials are written as for the other clients of each server. `Debug` and `Display`
/// omit the password.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl {
    url: url::Url,
    /// The directory that a relative path refers to: the current directory when the URL was read.
    /// It stays valid if the process, or a child of it, changes its current directory.
    folder: Option<PathBuf>,
}

impl StoreUrl {
    /// Parses a URL.
    ///
    /// # Errors
    /// `InvalidArgument` for a text that is not a URL, or that names a kind of store which this
    /// build lacks. The message contains no password.
    pub fn new(text: &str) -> Result<Self, Error> {
        // A relative path must not be parsed as a host, and must not be normalized.
        let path = text.strip_prefix("sqlite://").filter(|path| !path.starts_with('/'));
        let relative = path.map(|path| format!("sqlite:{path}"));
        let text = &one_host(relative.as_deref().unwrap_or(text));
        let url = url::Url::parse(text).map_err(unread)?;
        if kinds().any(|kind| kind == url.scheme()) {
            check_form(&url)?;
            let is_relative = url.scheme() == "sqlite" && !url.path().starts_with('/');
            let folder = is_relative.then(std::env::current_dir).transpose();
            let folder = folder.map_err(|error| invalid(&format!("the program's folder cannot be found ({error})")))?;
            return Ok(StoreUrl { url, folder });
        }
        // Without slashes the scheme is any text before the first colon, perhaps a user name: not
        // shown.
        let kind = if url.has_authority() { format!("{:?}", url.scheme()) } else { "what the URL begins with".into() };
        Err(unknown_kind(&kind))
    }

    /// Returns the kind of store: `sqlite`, `postgres`, …
    #[must_use]
    pub fn kind(&self) -> &str {
        self.url.scheme()
    }

    /// Returns the files with tokens and private keys that the URL names.
    ///
    /// ```
    /// # #[cfg(feature = "coordinator")] {
    /// use saiban_coordination::store::StoreUrl;
    /// let url = StoreUrl::new("saiban://ids.internal:7609?token_file=/etc/shop/token")?;
    /// assert_eq!(url.secret_files(), [std::path::Path::new("/etc/shop/token")]);
    /// # }
    /// # Ok::<(), saiban_coordination::Error>(())
    /// ```
    #[must_use]
    pub fn secret_files(&self) -> Vec<PathBuf> {
        const NAMES: [&str; 4] = ["token_file", "key", "sslkey", "ssl-key"];
        let files = self.url.query_pairs().filter(|(name, _)| NAMES.contains(&&**name));
        files.map(|(_, path)| PathBuf::from(&*path)).collect()
    }

    /// Returns the whole URL, password included, for the server's client.
    pub(super) fn secret(&self) -> &url::Url {
        &self.url
    }

    /// Returns a text that identifies the URL, password included.
    pub(crate) fn key(&self) -> String {
        format!("{} {:?}", self.url, self.folder)
    }

    /// Returns a text that identifies the server, without the password. It includes the user,
    /// because PostgreSQL's default database has the name of the user.
    pub(super) fn key_of_server(&self) -> String {
        let mut url = self.url.clone();
        // Cannot fail for a URL that has a password.
        let _ = url.set_password(None);
        url.set_query(None);
        let options = self.url.query_pairs().filter(|(name, _)| name != "password");
        format!("{url} {:?} {:?}", options.collect::<Vec<_>>(), self.folder)
    }

    /// Resolves a relative path against the current directory at the time when the URL was read.
    pub(super) fn absolute(&self, path: &Path) -> PathBuf {
        self.folder.as_ref().map_or_else(|| path.to_owned(), |folder| folder.join(path))
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.url.clone();
        // These setters cannot fail for a URL that has a user or a password. Outside databases a
        // user without a password may be a secret, so it is hidden too. A user with an encoded
        // colon includes a password.
        let is_database = matches!(self.kind(), "postgres" | "postgresql" | "mysql" | "mariadb");
        if shown.password().is_some() {
            let _ = shown.set_password(Some("***"));
        } else if !shown.username().is_empty() && !is_database {
            let _ = shown.set_username("***");
        }
        if shown.username().to_ascii_lowercase().contains("%3a") {
            let _ = shown.set_username("***");
        }
        shown.set_query(None);
        shown.set_fragment(None);
        f.write_str(&with_hosts(shown.as_str()))
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreUrl({self})")
    }
}

/// The advice on how to write a password that contains characters with a meaning in URLs.
const ENCODED: &str = "write # / ? @ in a user or password as %23 %2F %3F %40";

/// Rejects a server's URL without an authority, and one that may contain part of a password after
/// its host. The message shows nothing of the URL.
fn check_form(url: &url::Url) -> Result<(), Error> {
    let kind = url.scheme();
    if matches!(kind, "memory" | "sqlite") {
        return Ok(());
    }
    let has_at = url.path().contains('@') || url.query().is_some_and(|query| query.contains('@'));
    if url.has_authority() && url.fragment().is_none() && !has_at {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!(
            "the store's URL is not of the form {kind}://[user:password@]host…, or has a # or an @ after its host: \
             {ENCODED}"
        ),
    ))
}

fn unread(error: url::ParseError) -> Error {
    match error {
        url::ParseError::RelativeUrlWithoutBase => invalid(&format!("the store's URL cannot be read ({error})")),
        // A slash in a password ends the host, so the beginning of the password is parsed as a
        // port.
        url::ParseError::InvalidPort => Error::new(
            ErrorKind::InvalidArgument,
            format!("the store's URL has a port that is not a number from 0 to 65535: give another one; and {ENCODED}"),
        ),
        _ => Error::new(
            ErrorKind::InvalidArgument,
            format!("the store's URL cannot be read ({error}): check its host; and {ENCODED}"),
        ),
    }
}

/// Returns the name of a parameter for messages. A name with an `@` may be part of a password, and
/// is not shown.
pub(super) fn parameter(name: &str) -> String {
    if name.contains('@') { "(not shown: it has an @)".into() } else { format!("{name:?}") }
}

/// Returns the text with its list of hosts encoded as one host, because URLs allow only one.
fn one_host(text: &str) -> Cow<'_, str> {
    let clusters = ["etcd:", "etcds:", "zookeeper:", "zookeepers:", "saiban:", "saibans:"];
    let is_cluster = clusters.iter().any(|kind| text.starts_with(kind));
    let Some((kind, rest)) = text.split_once("://").filter(|_| is_cluster) else { return text.into() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (login, hosts) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    if !hosts.contains(',') {
        return text.into();
    }
    let hosts = HOST_MARKS.iter().fold(hosts.to_owned(), |hosts, (mark, code)| hosts.replace(*mark, code));
    format!("{kind}://{login}{hosts}{path}").into()
}

/// Reverses the encoding of [`one_host`].
fn with_hosts(text: &str) -> String {
    let (head, path) = text.split_at(text.find("://").map_or(0, |at| at + 3));
    let (authority, path) = path.split_at(path.find('/').unwrap_or(path.len()));
    let (login, hosts) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let hosts = HOST_MARKS.iter().fold(hosts.to_owned(), |hosts, (mark, code)| hosts.replace(code, &mark.to_string()));
    format!("{head}{login}{hosts}{path}")
}

/// Characters of a list of hosts that are not allowed in a URL's host, and their encoding.
const HOST_MARKS: [(char, &str); 3] = [(':', "%3A"), ('[', "%5B"), (']', "%5D")];

/// Returns the kinds of stores that this build has.
fn kinds() -> impl Iterator<Item = &'static str> {
    let all = [
        ("memory", true),
        ("sqlite", cfg!(feature = "sqlite")),
        ("postgres", cfg!(feature = "postgres")),
        ("postgresql", cfg!(feature = "postgres")),
        ("mysql", cfg!(feature = "mysql")),
        ("mariadb", cfg!(feature = "mysql")),
        ("redis", cfg!(feature = "redis")),
        ("rediss", cfg!(feature = "redis")),
        ("etcd", cfg!(feature = "etcd")),
        ("etcds", cfg!(feature = "etcd")),
        ("zookeeper", cfg!(feature = "zookeeper")),
        ("zookeepers", cfg!(feature = "zookeeper")),
        ("saiban", cfg!(feature = "coordinator")),
        ("saibans", cfg!(feature = "coordinator")),
    ];
    all.into_iter().filter_map(|(kind, is_there)| is_there.then_some(kind))
}

/// Returns the error for a kind of store that this build does not have.
pub(super) fn unknown_kind(kind: &str) -> Error {
    invalid(&format!("{kind} is not a kind of store that saiban knows"))
}

fn invalid(what: &str) -> Error {
    let kinds: Vec<_> = kinds().map(|kind| format!("{kind}:")).collect();
    Error::new(ErrorKind::InvalidArgument, format!("{what}: give a URL that begins with {}", kinds.join(", ")))
}
