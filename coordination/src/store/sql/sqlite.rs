//! SQLite: a file that the processes of one machine share. The time is the machine's, read while
//! the file is locked.
//!
//! - A transaction that writes begins with `BEGIN IMMEDIATE`, which locks the file for writing. So
//!   no decision is based on outdated records.
//! - The journal is SQLite's default one, a file that is deleted at each commit, not the WAL. So a
//!   copy of the database file is a complete copy of all leases.
//! - `synchronous=EXTRA` also syncs the folder after that deletion. Otherwise a journal that
//!   reappears after a power failure would roll back a lease. A file in WAL mode stays in it, and
//!   is synced at each commit.
//! - A connection lasts for one call. So the next call notices that the file was deleted or
//!   restored, and no child made by fork inherits a connection. A fork waits for a call in
//!   progress, for at most 500 ms.
//! - The file should have no other purpose. A process that has a file open with two copies of
//!   SQLite loses its locks on the file when one of them closes it.

use super::dialect::{Dialect, Server};
use super::failure::{Failure, Trouble};
use super::session::{Row, Session, Value, session_with_values};
use crate::Error;
use crate::store::StoreUrl;
use async_trait::async_trait;
use saiban::ErrorKind;
use saiban::process::{self, NotUndivided, Undivided};
use sqlx::ConnectOptions;
use sqlx::error::DatabaseError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteSynchronous};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

pub(super) static DIALECT: Dialect = Dialect {
    begin: "BEGIN IMMEDIATE",
    begin_reading: "BEGIN",
    lock: "",
    now: None,
    make_tables: concat!("BEGIN IMMEDIATE;\n", include_str!("schema/leases.sqlite.sql"), "COMMIT;"),
    make_counters: concat!("BEGIN IMMEDIATE;\n", include_str!("schema/counters.sqlite.sql"), "COMMIT;"),
    quick: None,
    quick_counter: None,
    judge,
    // SQLite allows one writer at a time. Waiting here is first come, first served.
    connections: 1,
    keeps: false,
};

/// How long to wait for locks of other connections: less than the limit of a whole call.
const BUSY: Duration = Duration::from_secs(8);

/// Returns the absolute path of the file that a URL names, with symbolic links resolved. The file
/// need not exist. Returns `None` for a URL that names no file.
pub(in crate::store) fn path_of(url: &StoreUrl) -> Option<PathBuf> {
    let path = File::new(url).ok()?.path;
    let resolved = path.canonicalize().ok();
    resolved.or_else(|| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))).or(Some(path))
}

/// A database file, and how to open it.
#[derive(Debug)]
pub(super) struct File {
    path: PathBuf,
    options: SqliteConnectOptions,
    may_create: bool,
}

impl File {
    pub(super) fn new(url: &StoreUrl) -> Result<Self, Error> {
        let invalid = |what: &str| Error::new(ErrorKind::InvalidArgument, format!("the store's URL {url} {what}"));
        let secret = url.secret();
        let mode = secret.query_pairs().try_fold(None, |_, (key, value)| match (&*key, &*value) {
            ("mode", "ro" | "rw" | "rwc") => Ok(Some(value.into_owned())),
            ("mode", "memory") => Err(in_memory(&invalid)),
            ("mode", _) => Err(invalid(&format!("has mode={value}: give ro, rw or rwc"))),
            _ => Err(invalid(&format!(
                "has a parameter {} that is not known: give mode=ro, rw or rwc",
                crate::store::url::parameter(&key)
            ))),
        })?;
        if secret.fragment().is_some() {
            return Err(invalid("has a '#': write it as %23 where it belongs to the file's name"));
        }
        let options = SqliteConnectOptions::from_url(secret)
            .map_err(|error| invalid(&format!("cannot be read ({error}): give sqlite:///path or sqlite:path")))?;
        let path = options.get_filename();
        if secret.path().trim_start_matches('/') == ":memory:" {
            return Err(in_memory(&invalid));
        }
        if path.as_os_str().is_empty()
            || path.to_str().is_none_or(|path| path.starts_with("file:") || path.ends_with('/'))
        {
            return Err(invalid("names no file: give sqlite:///path or sqlite:path"));
        }
        // A relative path would name another file after a change of the current directory.
        let path = url.absolute(path);
        let options = options
            .filename(&path)
            .read_only(mode.as_deref() == Some("ro"))
            .create_if_missing(false)
            .synchronous(SqliteSynchronous::Extra)
            // macOS flushes the disk's cache only with F_FULLFSYNC.
            .pragma("fullfsync", "1")
            .busy_timeout(BUSY);
        let may_create = matches!(mode.as_deref(), None | Some("rwc"));
        Ok(File { path, options, may_create })
    }
}

fn in_memory(invalid: &dyn Fn(&str) -> Error) -> Error {
    invalid("names a database in memory, which no other process sees: give a file, or use the memory store")
}

struct SqliteSession(SqliteConnection);

session_with_values!(SqliteSession);

/// A connection for which forks of the process wait, for at most 500 ms. In a child the
/// connection's locks, and SQLite's internal ones, would be held forever by a thread that the child
/// lacks.
struct Whole(Option<(SqliteSession, Undivided)>);

impl Whole {
    /// Closes the connection on a task of its own. The caller may have been cancelled while the
    /// client's thread still runs a statement.
    fn end(&mut self) -> Option<JoinHandle<()>> {
        let (session, undivided) = self.0.take()?;
        Handle::try_current().ok().map(|runtime| {
            runtime.spawn(async move {
                Box::new(session).close().await;
                drop(undivided);
            })
        })
    }

    fn session(&mut self) -> Result<&mut SqliteSession, sqlx::Error> {
        self.0.as_mut().map(|(session, _)| session).ok_or(sqlx::Error::WorkerCrashed)
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        self.end();
    }
}

#[async_trait]
impl Session for Whole {
    async fn rows(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, sqlx::Error> {
        self.session()?.rows(sql, values).await
    }

    async fn run(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, sqlx::Error> {
        self.session()?.run(sql, values).await
    }

    async fn close(mut self: Box<Self>) {
        if let Some(ended) = self.end() {
            // Only a panic of the client makes the task fail, and its details do not matter here.
            let _ = ended.await;
        }
    }
}

/// Waits until no thread is forking. Forks then wait until the returned value is dropped, for at
/// most 500 ms.
///
/// # Errors
/// `Forked` if the process was forked nevertheless while its parent used SQLite.
async fn undivided() -> Result<Undivided, Failure> {
    loop {
        match process::try_undivided() {
            Ok(undivided) => return Ok(undivided),
            Err(NotUndivided::Forking) => tokio::time::sleep(Duration::from_millis(1)).await,
            Err(NotUndivided::Divided) => {
                let text = "this process was forked while a thread of its parent was at work in SQLite for more than \
                            500 ms, so SQLite's locks may be held here for ever: fork again, or fork before the \
                            first lease or number is asked for";
                return Err(Failure::Said(Error::new(ErrorKind::Forked, text)));
            }
        }
    }
}

#[async_trait]
impl Server for File {
    async fn connect(&self, create: bool) -> Result<Box<dyn Session>, Failure> {
        let create = create && self.may_create;
        let is_there = self.path.exists();
        if !is_there && !create {
            return Err(self.missing());
        }
        refuse_network(&self.path, is_there)?;
        if !is_there {
            make_private(&self.path);
        }
        let options = self.options.clone().create_if_missing(create);
        let undivided = undivided().await?;
        // Opens on a task of its own, so that a cancelled call still closes the connection
        // properly.
        let opened = tokio::spawn(async move {
            let connection = options.connect().await?;
            Ok(Whole(Some((SqliteSession(connection), undivided))))
        });
        let whole = opened.await.unwrap_or(Err(sqlx::Error::WorkerCrashed)).map_err(|error| self.cannot_open(error))?;
        Ok(Box::new(whole))
    }
}

/// Makes an empty file with the mode 0600, which SQLite gives to its journals too. On a file system
/// without hard links SQLite makes the file, with the mode that the mount gives to all.
///
/// The file is made under a temporary name. It is linked to its own name after it was closed,
/// because a process that closes a file loses all its locks on that file.
#[cfg(unix)]
fn make_private(path: &Path) {
    use std::fs::{self, OpenOptions};
    use std::os::unix::fs::OpenOptionsExt;
    // A symbolic link may point to a file that does not exist yet.
    let path = &super::holdings::real_path(path);
    let (Some(name), Ok(number)) = (path.file_name(), crate::store::draw()) else { return };
    let mut new_name = std::ffi::OsString::from(".");
    new_name.push(name);
    new_name.push(format!("-saiban-new-{number:016x}"));
    let new = path.with_file_name(new_name);
    if OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).is_ok() {
        // Fails if another process has already made the file, which then stays.
        let _ = fs::hard_link(&new, path);
        let _ = fs::remove_file(&new);
    }
}

#[cfg(not(unix))]
fn make_private(_: &Path) {}

impl File {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the failure for a missing file: there is no namespace. If the folder does not exist
    /// either, the path is probably wrong, so the error names it.
    fn missing(&self) -> Failure {
        let Some(folder) = self.path.parent().filter(|folder| !folder.is_dir()) else { return Failure::Missing };
        Failure::Said(Error::new(
            ErrorKind::NamespaceUnknown,
            format!(
                "neither the file {} nor its folder {} exists, so nothing can be stored: check the path, or create \
                 the folder first",
                self.path.display(),
                folder.display()
            ),
        ))
    }

    fn cannot_open(&self, error: sqlx::Error) -> Failure {
        const CANTOPEN: i32 = 14;
        let code = error.as_database_error().map(code);
        if code.map(|code| code & 0xff) != Some(CANTOPEN) {
            return Failure::Sql(error);
        }
        let why = match self.path.parent() {
            _ if self.path.is_dir() => "it is a folder: name a file".to_owned(),
            Some(folder) if !folder.is_dir() => format!("make its folder {} first", folder.display()),
            _ => "check that this user may read and write the file and its folder".to_owned(),
        };
        let file = self.path.display();
        let error = Error::new(ErrorKind::StoreUnavailable, format!("the file {file} cannot be opened: {why}"));
        Failure::Said(error.permanent())
    }
}

/// Rejects a file on a network file system, as far as the system shows it: locks there are
/// unreliable.
#[cfg(target_os = "linux")]
fn refuse_network(path: &Path, is_there: bool) -> Result<(), Failure> {
    let place = if is_there { path } else { path.parent().unwrap_or(path) };
    // If this fails, opening the file returns a better error.
    let Ok(kind) = rustix::fs::statfs(place).map(|status| status.f_type) else { return Ok(()) };
    // The number has 32 bits. The field is wider on most systems, and signed on some.
    match u32::try_from(i128::from(kind) & 0xffff_ffff).ok().and_then(network) {
        Some(kind) => Err(Failure::Said(Error::new(
            ErrorKind::StoreUnsupported,
            format!(
                "{} is on a network file system ({kind}), whose locks are not reliable: put the file on a local \
                 disk, or use a server as the store (postgres://, mysql://, redis://, etcd://, zookeeper://)",
                path.display()
            ),
        ))),
        None => Ok(()),
    }
}

/// Other systems cannot show whether a file system is on a network.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn refuse_network(_: &Path, _: bool) -> Result<(), Failure> {
    Ok(())
}

/// Returns the name of a network file system by its number (Linux, `statfs(2)`, `linux/magic.h`).
#[cfg(target_os = "linux")]
fn network(kind: u32) -> Option<&'static str> {
    Some(match kind {
        0x6969 => "NFS",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "SMB",
        0x0102_1997 => "9p",
        0x00c3_6400 => "Ceph",
        0x5346_414f | 0x6b41_4653 => "AFS",
        0x7375_7245 => "Coda",
        0x564c => "NCP",
        0x0bd0_0bd0 => "Lustre",
        _ => return None,
    })
}

fn code(error: &(impl DatabaseError + ?Sized)) -> i32 {
    error.code().and_then(|code| code.parse().ok()).unwrap_or(0)
}

/// Classifies errors by primary result code: <https://www.sqlite.org/rescode.html>.
fn judge(error: &dyn DatabaseError) -> Trouble {
    // Read-only because the file was moved or deleted while it was open.
    const READONLY_DBMOVED: i32 = 1032;
    let message = error.message();
    match code(error) {
        READONLY_DBMOVED => Trouble::Again,
        code => match code & 0xff {
            1 if message.starts_with("no such table") => Trouble::MissingTable,
            1 if message.contains("no such column") || message.contains("has no column") => Trouble::Foreign,
            5 | 6 => Trouble::Busy,
            // PERM, AUTH
            3 | 23 => Trouble::Denied,
            8 => Trouble::ReadOnly,
            13 => Trouble::Full,
            11 | 26 => Trouble::Damaged,
            _ => Trouble::Refused,
        },
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::network;

    #[test]
    fn network_file_systems_are_recognised_by_their_numbers() {
        assert_eq!(network(0x6969), Some("NFS"));
        assert_eq!(network(0xff53_4d42), Some("SMB"));
        // ext4, tmpfs, overlayfs, XFS, btrfs.
        for local in [0xef53, 0x0102_1994, 0x794c_7630, 0x5846_5342, 0x9123_683e] {
            assert_eq!(network(local), None, "{local:x}");
        }
    }
}
