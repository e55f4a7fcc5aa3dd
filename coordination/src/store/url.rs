//! The URLs that name stores.

use super::Store;
use crate::Error;
use saiban::ErrorKind;
use std::fmt;
use std::sync::Arc;

/// The URL of a store: `sqlite:///path`, `postgres://…`, `mysql://…`, `redis://…`, `etcd://…`, `zookeeper://…`. TLS and credentials are
/// given as each server's clients do.
///
/// Its `Debug` and `Display` leave the password out.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl(url::Url);

impl StoreUrl {
    /// Reads a URL.
    ///
    /// # Errors
    /// `InvalidArgument` for what is no URL, or names no kind of store that this build has. The message names no password.
    pub fn new(text: &str) -> Result<Self, Error> {
        let url =
            url::Url::parse(text).map_err(|error| invalid(&format!("the store's URL cannot be read ({error})")))?;
        if kinds().any(|kind| kind == url.scheme()) {
            return Ok(StoreUrl(url));
        }
        Err(invalid(&format!("{:?} is no kind of store that is known here", url.scheme())))
    }

    /// The kind of store: `sqlite`, `postgres`, …
    #[must_use]
    pub fn kind(&self) -> &str {
        self.0.scheme()
    }

    /// The whole URL, password included, for the server's client.
    pub(super) fn secret(&self) -> &url::Url {
        &self.0
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.clone();
        // Neither can fail where there was a password.
        if shown.password().is_some() {
            let _ = shown.set_password(Some("***"));
        }
        shown.set_query(None);
        fmt::Display::fmt(&shown, f)
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreUrl({self})")
    }
}

/// The kinds of stores that this build has.
fn kinds() -> impl Iterator<Item = &'static str> {
    let all = [
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
    ];
    all.into_iter().filter_map(|(kind, is_there)| is_there.then_some(kind))
}

fn invalid(what: &str) -> Error {
    let kinds: Vec<_> = kinds().map(|kind| format!("{kind}://")).collect();
    Error::new(ErrorKind::InvalidArgument, format!("{what}: give a URL that begins with {}", kinds.join(", ")))
}

/// Opens a store. No server is called before the first wish.
///
/// # Errors
/// `InvalidArgument` for a URL that the server's client cannot read.
pub fn open(url: &StoreUrl) -> Result<Arc<dyn Store>, Error> {
    match url.kind() {
        // One arm a kind; each store's module makes it.
        #[cfg(feature = "redis")]
        "redis" | "rediss" => Ok(Arc::new(super::redis::RedisStore::new(url)?)),
        kind => Err(invalid(&format!("{kind:?} is not built yet, {}", url.secret().scheme()))),
    }
}
