//! The URLs that name stores.

use super::Store;
use crate::Error;
use saiban::ErrorKind;
use std::borrow::Cow;
use std::fmt;
#[cfg(feature = "sqlite")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

/// The URL of a store: `sqlite:///path` (or `sqlite:path`, from the program's folder), `postgres://…`, `mysql://…`, `redis://…`, `etcd://…`, `zookeeper://…`; `saiban://…`, a service (`saiban serve`) that
/// asks its own store; `memory:NAME` is in this process alone. TLS and credentials are
/// given as each server's clients do.
///
/// Its `Debug` and `Display` leave the password out.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl {
    url: url::Url,
    /// Where a relative path begins: the program's folder when the URL was read, which a program, or a copy of it, may leave.
    folder: Option<PathBuf>,
}

impl StoreUrl {
    /// Reads a URL.
    ///
    /// # Errors
    /// `InvalidArgument` for what is no URL, or names no kind of store that this build has. The message names no password.
    pub fn new(text: &str) -> Result<Self, Error> {
        // A path that is no absolute one is not to be read as a host, nor to be tidied up.
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
        // Without slashes it is whatever stands before the first colon.
        let kind = if url.has_authority() { format!("{:?}", url.scheme()) } else { "what the URL begins with".into() };
        Err(invalid(&format!("{kind} is no kind of store that is known here")))
    }

    /// The kind of store: `sqlite`, `postgres`, …
    #[must_use]
    pub fn kind(&self) -> &str {
        self.url.scheme()
    }

    /// The files with tokens and private keys that the URL names.
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

    /// The whole URL, password included, for the server's client.
    pub(super) fn secret(&self) -> &url::Url {
        &self.url
    }

    /// What tells it from all others, password included.
    pub(crate) fn key(&self) -> String {
        format!("{} {:?}", self.url, self.folder)
    }

    /// What tells the store from all others, without the password. The user stays: PostgreSQL's may name the database. A SQLite file is
    /// one store, however its path is written.
    pub(crate) fn key_of_store(&self) -> String {
        #[cfg(feature = "sqlite")]
        if self.kind() == "sqlite"
            && let Some(path) = super::sql::path_of(self)
        {
            return format!("sqlite {}", path.display());
        }
        let mut url = self.url.clone();
        // It cannot fail where there was a password.
        let _ = url.set_password(None);
        url.set_query(None);
        let options = self.url.query_pairs().filter(|(name, _)| name != "password");
        format!("{url} {:?} {:?}", options.collect::<Vec<_>>(), self.folder)
    }

    /// This path, which is relative to what it was when the URL was read.
    #[cfg(feature = "sqlite")]
    pub(super) fn absolute(&self, path: &Path) -> PathBuf {
        self.folder.as_ref().map_or_else(|| path.to_owned(), |folder| folder.join(path))
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.url.clone();
        // Neither can fail where there was a user or a password. A user alone is one in databases only; one with a colon has a password.
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

/// How a password is written that would end a URL's host, or begin another part of it.
const ENCODED: &str = "write # / ? @ in a user or password as %23 %2F %3F %40";

/// Refuses what is no URL of a server, or may have a piece of a password where there should be none. Nothing of it is shown.
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
            "the store's URL is not of the form {kind}://[user:password@]host…, or has a # or an @ after its host: {ENCODED}"
        ),
    ))
}

fn unread(error: url::ParseError) -> Error {
    match error {
        url::ParseError::RelativeUrlWithoutBase => invalid(&format!("the store's URL cannot be read ({error})")),
        // A password is taken for one where it has a slash.
        url::ParseError::InvalidPort => Error::new(
            ErrorKind::InvalidArgument,
            format!("the store's URL has a port that is no number from 0 to 65535: give another; and {ENCODED}"),
        ),
        _ => Error::new(
            ErrorKind::InvalidArgument,
            format!("the store's URL cannot be read ({error}): look at its host; and {ENCODED}"),
        ),
    }
}

/// The name of a parameter, for messages. What has an `@` may be a piece of a password.
#[cfg(any(
    feature = "sqlite",
    feature = "postgres",
    feature = "mysql",
    feature = "etcd",
    feature = "zookeeper",
    feature = "coordinator"
))]
pub(super) fn parameter(name: &str) -> String {
    if name.contains('@') { "(not shown: it has an @)".into() } else { format!("{name:?}") }
}

/// The text with its list of hosts written as one, which URLs have no place for otherwise.
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

/// What `one_host` made, as it was.
fn with_hosts(text: &str) -> String {
    let (head, path) = text.split_at(text.find("://").map_or(0, |at| at + 3));
    let (authority, path) = path.split_at(path.find('/').unwrap_or(path.len()));
    let (login, hosts) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let hosts = HOST_MARKS.iter().fold(hosts.to_owned(), |hosts, (mark, code)| hosts.replace(code, &mark.to_string()));
    format!("{head}{login}{hosts}{path}")
}

/// What ends a host in a URL, and how it is written in one.
const HOST_MARKS: [(char, &str); 3] = [(':', "%3A"), ('[', "%5B"), (']', "%5D")];

/// The kinds of stores that this build has.
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

fn invalid(what: &str) -> Error {
    let kinds: Vec<_> = kinds().map(|kind| format!("{kind}:")).collect();
    Error::new(ErrorKind::InvalidArgument, format!("{what}: give a URL that begins with {}", kinds.join(", ")))
}

/// Opens a store. No server is called before the first wish.
///
/// # Errors
/// `InvalidArgument` for a URL that the server's client cannot read.
pub fn open(url: &StoreUrl) -> Result<Arc<dyn Store>, Error> {
    match url.kind() {
        // One arm a kind; each store's module makes it.
        "memory" => {
            // A name after two slashes, where other URLs have a host, is one too.
            let text = url.secret().as_str();
            Ok(super::memory::named(text.trim_start_matches("memory:").trim_start_matches('/')))
        }
        #[cfg(feature = "sqlite")]
        "sqlite" => super::sql::open(url),
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => super::sql::open(url),
        #[cfg(feature = "mysql")]
        "mysql" | "mariadb" => super::sql::open(url),
        #[cfg(feature = "redis")]
        "redis" | "rediss" => Ok(Arc::new(super::redis::RedisStore::new(url)?)),
        #[cfg(feature = "etcd")]
        "etcd" | "etcds" => Ok(Arc::new(super::etcd::open(url)?)),
        #[cfg(feature = "zookeeper")]
        "zookeeper" | "zookeepers" => Ok(Arc::new(super::zookeeper::open(url)?)),
        #[cfg(feature = "coordinator")]
        "saiban" | "saibans" => Ok(Arc::new(super::coordinator::Coordinator::open(url)?)),
        kind => Err(invalid(&format!("{kind:?} is not built yet, {}", url.secret().scheme()))),
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_sqlite_is_one_store_however_its_path_is_written() {
        let folder = tempfile::tempdir_in(".").expect("a folder");
        let name = folder.path().file_name().and_then(|name| name.to_str()).expect("a name");
        let absolute = folder.path().canonicalize().expect("a path");
        std::fs::create_dir(absolute.join("inner")).expect("a folder");
        let key = |text: &str| StoreUrl::new(text).expect("a URL").key_of_store();
        let wanted = key(&format!("sqlite://{}/ids.db", absolute.display()));
        // Before the file is there, and after.
        for _ in 0..2 {
            for text in [
                format!("sqlite:{name}/ids.db"),
                format!("sqlite:./{name}/ids%2Edb?mode=rw"),
                format!("sqlite:{name}/inner/../ids.db"),
            ] {
                assert_eq!(key(&text), wanted, "{text}");
            }
            assert_ne!(key(&format!("sqlite:{name}/other.db")), wanted);
            std::fs::write(absolute.join("ids.db"), "").expect("a file");
        }
    }
}
