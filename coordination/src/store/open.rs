//! Opens the store that a URL names, and computes the key that identifies it.

use super::url::unknown_kind;
use super::{Store, StoreUrl};
use crate::Error;
use std::sync::Arc;

/// Opens a store. Connects to no server before the first request.
///
/// # Errors
/// `InvalidArgument` for a URL that the server's client cannot read.
pub fn open(url: &StoreUrl) -> Result<Arc<dyn Store>, Error> {
    match url.kind() {
        "memory" => {
            // `memory://NAME` names the store of `memory:NAME`.
            let text = url.secret().as_str();
            Ok(super::memory::named(text.trim_start_matches("memory:").trim_start_matches('/')))
        }
        #[cfg(any(feature = "sqlite", feature = "postgres", feature = "mysql"))]
        "sqlite" | "postgres" | "postgresql" | "mysql" | "mariadb" => super::sql::open(url),
        #[cfg(feature = "redis")]
        "redis" | "rediss" => Ok(Arc::new(super::redis::RedisStore::new(url)?)),
        #[cfg(feature = "etcd")]
        "etcd" | "etcds" => Ok(Arc::new(super::etcd::open(url)?)),
        #[cfg(feature = "zookeeper")]
        "zookeeper" | "zookeepers" => Ok(Arc::new(super::zookeeper::open(url)?)),
        #[cfg(feature = "coordinator")]
        "saiban" | "saibans" => Ok(Arc::new(super::coordinator::Coordinator::open(url)?)),
        kind => Err(unknown_kind(kind)),
    }
}

/// Returns a text that identifies the store, without the password. A SQLite file has one key,
/// however its path is written.
pub(crate) fn key_of_store(url: &StoreUrl) -> String {
    #[cfg(feature = "sqlite")]
    if url.kind() == "sqlite"
        && let Some(path) = super::sql::path_of(url)
    {
        return format!("sqlite {}", path.display());
    }
    url.key_of_server()
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
        let key = |text: &str| key_of_store(&StoreUrl::new(text).expect("a URL"));
        let wanted = key(&format!("sqlite://{}/ids.db", absolute.display()));
        // Once before the file exists, and once after.
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
