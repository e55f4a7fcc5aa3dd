//! Every store with counters keeps their guarantees: in memory, in a file, and on real servers.

mod counting;
mod servers;

/// Makes the tests of a store, in a separate module.
macro_rules! store {
    ($kind:ident, $open:expr) => {
        mod $kind {
            use super::counting::{self, Subject};
            use saiban_coordination::store::{Store, StoreUrl, open};
            use std::sync::Arc;

            async fn subject() -> Subject {
                let url: String = $open;
                let another =
                    move || -> Arc<dyn Store> { open(&StoreUrl::new(&url).expect("a URL")).expect("a store") };
                Subject { store: another(), another: Box::new(another) }
            }

            counting::promises!(subject);
        }
    };
}

mod shared {
    use super::servers::Server;
    use std::sync::LazyLock;

    pub static POSTGRES: LazyLock<Server> = LazyLock::new(|| Server::start("postgres"));
    pub static MYSQL: LazyLock<Server> = LazyLock::new(|| Server::start("mysql"));
    pub static REDIS: LazyLock<Server> = LazyLock::new(|| Server::start("redis"));

    /// Returns the URL of a file in a folder that lasts as long as the tests.
    pub fn file() -> String {
        static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("sqlite://{}/counters-{number}.db", FOLDER.path().display())
    }
}

store!(memory, "memory:counters".into());
store!(sqlite, super::shared::file());
store!(postgres, super::shared::POSTGRES.url().into());
store!(mysql, super::shared::MYSQL.url().into());
store!(redis, super::shared::REDIS.url().into());
