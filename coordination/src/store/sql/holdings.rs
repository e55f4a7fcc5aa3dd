//! What live processes of this machine hold from a file of SQLite: so that a new process finds out,
//! before its first lease or number, that the file was deleted, replaced or restored while they
//! live.
//!
//! Each process that holds something has a mark: a file in the folder `.NAME-saiban-holders` beside
//! the store, locked (`flock`) for as long as the process lives. The kernel releases the lock
//! however the process ends, and the next process to look removes what is left. A mark holds what
//! its process has seen of the store. What is in the store can only be newer: a store that is
//! behind a mark has lost leases or numbers, whether its file is another one or the same with older
//! contents.
//!
//! A mark that cannot be written keeps nobody from leasing: then the loss is noticed at the next
//! renewal, as on other stores.

use crate::lease::SlotKey;
use crate::lease::protocol::Seen;
use saiban::process;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A lease that a process holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldLease {
    pub(super) namespace: String,
    pub(super) seen: Seen,
    /// The holder, for people.
    pub(super) holder: String,
}

/// The numbers that a process has taken of a counter, or of one of its days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldNumbers {
    pub(super) counter: String,
    pub(super) day: Option<i32>,
    /// The number after the last one that it has taken.
    pub(super) next: i64,
}

/// What one process holds, the newest last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) process: u32,
    pub(super) leases: Vec<HeldLease>,
    pub(super) numbers: Vec<HeldNumbers>,
}

/// What this process holds from a file, and how to find out what others do.
pub(super) struct Holdings {
    path: PathBuf,
    own: Mutex<Own>,
}

struct Own {
    generation: u32,
    held: Held,
    mark: Option<here::Mark>,
}

impl Own {
    fn new() -> Self {
        let held = Held { process: std::process::id(), ..Held::default() };
        Own { generation: process::watched_generation(), held, mark: None }
    }
}

/// The first line of a mark, with the version of its form, and the last one, which a mark that is
/// being written lacks.
const FIRST_LINE: &str = "saiban-holder 1";
const LAST_LINE: &str = "end";

impl Held {
    /// Leases that a restored store must know, or has lost something: of each name space the
    /// newest, and older ones that end later.
    fn witnesses(&self) -> impl Iterator<Item = &HeldLease> {
        let is_covered = |index: usize, lease: &HeldLease| {
            self.leases[index + 1..]
                .iter()
                .any(|newer| newer.namespace == lease.namespace && newer.seen.end_us >= lease.seen.end_us)
        };
        self.leases.iter().enumerate().filter(move |(index, lease)| !is_covered(*index, lease)).map(|(_, lease)| lease)
    }

    fn write(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nprocess {}\n", self.process);
        for HeldLease { namespace, seen: Seen { incarnation, key, end_us }, holder } in self.witnesses() {
            let SlotKey { nodes, fence, token } = key;
            let holder = holder.replace(char::is_control, " ");
            let (start, end) = (nodes.start, nodes.end);
            // Writing to a text cannot fail.
            let _ = writeln!(text, "lease {namespace} {incarnation} {start} {end} {fence} {token} {end_us} {holder}");
        }
        for HeldNumbers { counter, day, next } in &self.numbers {
            let day = day.map_or_else(|| "-".into(), |day| day.to_string());
            let _ = writeln!(text, "numbers {counter} {day} {next}");
        }
        text + LAST_LINE + "\n"
    }

    /// `None` for a mark that is not whole yet, or that another version of saiban has written.
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST_LINE) || lines.next_back() != Some(LAST_LINE) {
            return None;
        }
        let mut held = Held::default();
        for line in lines {
            match line.splitn(9, ' ').collect::<Vec<_>>()[..] {
                ["process", id] => held.process = id.parse().ok()?,
                ["lease", namespace, incarnation, start, end, fence, token, end_us, holder] => {
                    let key = SlotKey {
                        nodes: start.parse().ok()?..end.parse().ok()?,
                        fence: fence.parse().ok()?,
                        token: token.parse().ok()?,
                    };
                    let seen = Seen { incarnation: incarnation.parse().ok()?, key, end_us: end_us.parse().ok()? };
                    held.leases.push(HeldLease { namespace: namespace.into(), seen, holder: holder.into() });
                }
                ["numbers", counter, day, next] => {
                    let day = if day == "-" { None } else { Some(day.parse().ok()?) };
                    held.numbers.push(HeldNumbers { counter: counter.into(), day, next: next.parse().ok()? });
                }
                _ => return None,
            }
        }
        Some(held)
    }
}

impl Holdings {
    /// Of the file at this path, which may not be there yet.
    pub(super) fn of(path: PathBuf) -> Self {
        Holdings { path, own: Mutex::new(Own::new()) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Notes a lease as the store has granted or renewed it.
    pub(super) fn hold_lease(&self, namespace: &str, seen: &Seen, holder: Option<&str>, now_us: i64) {
        self.change(|held| {
            // What is over keeps no ID from anybody.
            held.leases.retain(|lease| lease.seen.end_us > now_us || lease.seen.key == seen.key);
            let before = remove(held, namespace, &seen.key);
            let holder = holder.map(str::to_owned).or_else(|| before.map(|lease| lease.holder)).unwrap_or_default();
            held.leases.push(HeldLease { namespace: namespace.into(), seen: seen.clone(), holder });
            true
        });
    }

    /// Notes that this process uses a lease no more.
    pub(super) fn end_lease(&self, namespace: &str, key: &SlotKey) {
        self.change(|held| remove(held, namespace, key).is_some());
    }

    /// Notes the numbers that this process has taken.
    pub(super) fn hold_numbers(&self, counter: &str, day: Option<i32>, next: i64) {
        self.change(|held| {
            // Of a counter that counts days only the newest is taken from.
            held.numbers.retain(|numbers| numbers.counter != counter);
            held.numbers.push(HeldNumbers { counter: counter.into(), day, next });
            true
        });
    }

    /// What each live process has in its mark, this one among them.
    pub(super) fn live(&self) -> Vec<Held> {
        here::texts(&folder_of(&self.path)).iter().filter_map(|text| Held::read(text)).collect()
    }

    /// Changes what this process holds, and its mark where `change` says that it did.
    fn change(&self, change: impl FnOnce(&mut Held) -> bool) {
        // A child finds the lock free.
        let _no_fork = process::no_fork();
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if own.generation != process::generation() {
            // The mark is the parent's. Closing this process's copy of it leaves its lock alone.
            *own = Own::new();
        }
        if !change(&mut own.held) {
            return;
        }
        let folder = folder_of(&self.path);
        let is_empty = own.held.leases.is_empty() && own.held.numbers.is_empty();
        let mark = (!is_empty).then(|| here::Mark::new(&folder, &self.path, &own.held.write())).transpose();
        // The new one is whole before the old one goes. Where it cannot be written the old one stays:
        // what it says is true, only older.
        if let Ok(mark) = mark
            && let Some(old) = std::mem::replace(&mut own.mark, mark)
        {
            old.remove(&folder);
        }
    }
}

impl Drop for Holdings {
    fn drop(&mut self) {
        let own = self.own.get_mut().unwrap_or_else(PoisonError::into_inner);
        if own.generation == process::generation()
            && let Some(mark) = own.mark.take()
        {
            mark.remove(&folder_of(&self.path));
        }
    }
}

fn remove(held: &mut Held, namespace: &str, key: &SlotKey) -> Option<HeldLease> {
    let index = held.leases.iter().position(|lease| lease.namespace == namespace && lease.seen.key == *key)?;
    Some(held.leases.remove(index))
}

/// The folder of the marks of a store, which is the same whatever links lead to it.
fn folder_of(path: &Path) -> PathBuf {
    let real = real_path(path);
    let mut name = OsString::from(".");
    name.push(real.file_name().unwrap_or_default());
    name.push("-saiban-holders");
    real.with_file_name(name)
}

/// The path without links, of a file that may not be there.
pub(super) fn real_path(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // More links than any system follows are a circle.
    for _ in 0..64 {
        if let Ok(real) = fs::canonicalize(&path) {
            return real;
        }
        let Some((folder, name)) = path.parent().zip(path.file_name()) else { break };
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        let real = folder.join(name);
        match fs::read_link(&real) {
            Ok(target) => path = folder.join(target),
            Err(_) => return real,
        }
    }
    path
}

#[cfg(all(unix, not(target_os = "solaris")))]
mod here {
    use crate::store::draw;
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
    use std::io::{self, Read, Write};
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    /// How often to try again where other processes change the marks meanwhile.
    const TRIES: usize = 64;

    /// The longest mark that is read, bytes: that of some ten thousand counters.
    const LONGEST: u64 = 1 << 20;

    /// A mark of this process. It is the kernel that unlocks it.
    pub(super) struct Mark {
        path: PathBuf,
        _locked: File,
    }

    impl Mark {
        /// Writes a mark that those who may use the store may read.
        pub(super) fn new(folder: &Path, store: &Path, text: &str) -> io::Result<Self> {
            // A store that is gone had the mode that its folder of marks has.
            let like = fs::metadata(store).or_else(|_| fs::metadata(folder))?;
            let mode = like.permissions().mode() & 0o666;
            for _ in 0..TRIES {
                make_folder(folder, mode)?;
                let path = folder.join(format!("{:016x}", draw().map_err(io::Error::other)?));
                let mut file = match OpenOptions::new().read(true).write(true).create_new(true).mode(mode).open(&path) {
                    // Its last mark was removed meanwhile.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    file => file?,
                };
                match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                    Ok(()) if file.metadata()?.nlink() > 0 => {}
                    // Another process took it for one that is left over.
                    Ok(()) | Err(Errno::WOULDBLOCK) => continue,
                    Err(error) => {
                        fs::remove_file(&path)?;
                        return Err(error.into());
                    }
                }
                // Whatever the umask is.
                file.set_permissions(Permissions::from_mode(mode))?;
                file.write_all(text.as_bytes())?;
                return Ok(Mark { path, _locked: file });
            }
            Err(io::ErrorKind::ResourceBusy.into())
        }

        pub(super) fn remove(self, folder: &Path) {
            // Left over it is removed by the next process to look. The folder goes with its last
            // mark.
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_dir(folder);
        }
    }

    /// Makes the folder, for those who may use the store: who may read and write that may list and
    /// change this.
    fn make_folder(folder: &Path, mode: u32) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(folder) {
            Ok(()) => fs::set_permissions(folder, Permissions::from_mode(mode | (mode & 0o444) >> 2)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The marks of live processes. Those of others are removed.
    pub(super) fn texts(folder: &Path) -> Vec<String> {
        for _ in 0..TRIES {
            if let Some(texts) = try_texts(folder) {
                return texts;
            }
        }
        Vec::new()
    }

    /// `None` where a mark went while the folder was listed: the one in its place may not be in the
    /// list.
    fn try_texts(folder: &Path) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        let Ok(entries) = fs::read_dir(folder) else { return Some(texts) };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            let file = match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
                Err(_) => continue,
                Ok(file) => file,
            };
            // Shared, so that two who look at once do not take each other for its process.
            match flock(&file, FlockOperation::NonBlockingLockShared) {
                Ok(()) if file.metadata().is_ok_and(|found| found.nlink() > 0) => {
                    let _ = fs::remove_file(&path);
                    let _ = fs::remove_dir(folder);
                }
                Ok(()) => return None,
                Err(Errno::WOULDBLOCK) => {
                    let mut text = String::new();
                    if file.take(LONGEST).read_to_string(&mut text).is_ok() {
                        texts.push(text);
                    }
                }
                Err(_) => {}
            }
        }
        Some(texts)
    }
}

#[cfg(not(all(unix, not(target_os = "solaris"))))]
mod here {
    use std::io;
    use std::path::Path;

    /// Systems without `flock` have none.
    pub(super) enum Mark {}

    impl Mark {
        pub(super) fn new(_: &Path, _: &Path, _: &str) -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(super) fn remove(self, _: &Path) {
            match self {}
        }
    }

    pub(super) fn texts(_: &Path) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn lease(namespace: &str, node: i64, end_us: i64) -> (String, Seen) {
        let key = SlotKey { nodes: node..node + 1, fence: 3, token: 7 };
        (namespace.into(), Seen { incarnation: 9, key, end_us })
    }

    #[test]
    fn a_mark_has_what_its_process_holds_and_goes_with_the_last_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ids.db");
        fs::write(&path, "").expect("a file");
        let (one, other) = (Holdings::of(path.clone()), Holdings::of(path.clone()));
        let leases =
            [lease("orders", 1, 500), lease("orders", 2, 900), lease("orders", 3, 800), lease("users", 1, 100)];
        for (namespace, seen) in &leases {
            one.hold_lease(namespace, seen, Some("web 1/17"), 0);
        }
        one.hold_numbers("invoices", Some(20_000), 41);
        let live = other.live();
        assert_eq!(live.len(), 1);
        assert_eq!(live[0].process, std::process::id());
        // The first is older than the second, which ends later.
        let seen: Vec<_> = live[0].leases.iter().map(|lease| (lease.namespace.clone(), lease.seen.clone())).collect();
        assert_eq!(seen, leases[1..]);
        assert!(live[0].leases.iter().all(|lease| lease.holder == "web 1/17"));
        let numbers = HeldNumbers { counter: "invoices".into(), day: Some(20_000), next: 41 };
        assert_eq!(live[0].numbers, [numbers]);
        // Also where the store is gone meanwhile.
        fs::remove_file(&path).expect("deleted");
        for (namespace, seen) in &leases[1..] {
            one.end_lease(namespace, &seen.key);
        }
        assert_eq!(other.live()[0].leases[0].seen, leases[0].1);
        drop(one);
        assert_eq!(other.live(), []);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn marks_are_found_through_links_also_when_the_file_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("ids.db"), folder.path().join("link.db"));
        fs::write(&path, "").expect("a file");
        std::os::unix::fs::symlink("ids.db", &link).expect("a link");
        let (one, other) = (Holdings::of(path.clone()), Holdings::of(link));
        let (namespace, seen) = lease("orders", 1, 500);
        one.hold_lease(&namespace, &seen, None, 0);
        assert_eq!(other.live().len(), 1);
        fs::remove_file(&path).expect("deleted");
        assert_eq!(other.live().len(), 1);
    }
}
