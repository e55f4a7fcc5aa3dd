//! Leases and numbers that live processes of this machine hold from a SQLite file. A new process
//! compares them with the file before its first lease or number, and so detects that the file was
//! deleted, replaced or restored.
//!
//! Each holder writes a mark: a file in the folder `.NAME-saiban-holders` beside the store, locked
//! with `flock` while the process lives. The kernel releases the lock however the process ends, and
//! the next reader removes the mark.
//!
//! A process writes its mark after it has committed the transaction that the mark records. So a
//! store that is read after the marks is at least as new as they are. If it is older than a mark,
//! it has lost leases or numbers.
//!
//! A process that cannot write its mark still gets its lease. The loss is then detected at the next
//! renewal, as on other stores.

use crate::lease::SlotKey;
use crate::lease::protocol::LastSeen;
use saiban::process;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A lease that a process holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldLease {
    pub(super) namespace: String,
    pub(super) seen: LastSeen,
    /// The name of the holder, for messages.
    pub(super) holder: String,
}

/// The numbers that a process has taken from a counter, or from one of its days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldNumbers {
    pub(super) counter: String,
    pub(super) day: Option<i32>,
    /// The number after the last one that the process has taken.
    pub(super) next: i64,
}

/// The leases and numbers of one process, the newest last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) process: u32,
    pub(super) leases: Vec<HeldLease>,
    pub(super) numbers: Vec<HeldNumbers>,
}

/// The leases and numbers that this process holds from a file, and access to the marks of all
/// processes.
pub(super) struct Holdings {
    path: PathBuf,
    /// The process generation, and what that process holds. A forked child replaces both: in
    /// its copy of the inner lock, a thread of the parent may hold the lock forever.
    own: Mutex<(u32, Arc<Mutex<Own>>)>,
}

struct Own {
    held: Held,
    mark: Option<here::Mark>,
}

impl Own {
    fn new() -> Arc<Mutex<Self>> {
        let held = Held { process: std::process::id(), ..Held::default() };
        Arc::new(Mutex::new(Own { held, mark: None }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first line of a mark, which has the format's version, and the last line, which an incomplete
/// mark lacks.
const FIRST_LINE: &str = "saiban-holder 1";
const LAST_LINE: &str = "end";

impl Held {
    /// Returns the leases to record in a mark: the newest of each namespace, and older ones that
    /// end later. A store that has these leases has lost none.
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
        for HeldLease { namespace, seen: LastSeen { incarnation, key, end_us }, holder } in self.witnesses() {
            let SlotKey { nodes, fence, token } = key;
            let holder = holder.replace(char::is_control, " ");
            let (start, end) = (nodes.start, nodes.end);
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "lease {namespace} {incarnation} {start} {end} {fence} {token} {end_us} {holder}");
        }
        for HeldNumbers { counter, day, next } in &self.numbers {
            let day = day.map_or_else(|| "-".into(), |day| day.to_string());
            let _ = writeln!(text, "numbers {counter} {day} {next}");
        }
        text + LAST_LINE + "\n"
    }

    /// Parses a mark. Returns `None` for an incomplete one, or another format version.
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
                    let seen = LastSeen { incarnation: incarnation.parse().ok()?, key, end_us: end_us.parse().ok()? };
                    let holder = match holder {
                        "" => format!("process {}", held.process),
                        name => name.into(),
                    };
                    held.leases.push(HeldLease { namespace: namespace.into(), seen, holder });
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
    /// Makes an empty record for the file at this path, which need not exist.
    pub(super) fn of(path: PathBuf) -> Self {
        Holdings { path, own: Mutex::new((process::watched_generation(), Own::new())) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Records a lease that the store has granted or renewed.
    pub(super) fn hold_lease(&self, namespace: &str, seen: &LastSeen, holder: Option<&str>, now_us: i64) {
        self.change(|held| {
            // A lease that has ended does not conflict with a new one.
            held.leases.retain(|lease| lease.seen.end_us > now_us || lease.seen.key == seen.key);
            let before = remove(held, namespace, &seen.key);
            let holder = holder.map(str::to_owned).or_else(|| before.map(|lease| lease.holder)).unwrap_or_default();
            held.leases.push(HeldLease { namespace: namespace.into(), seen: seen.clone(), holder });
            true
        });
    }

    /// Removes a lease that this process has stopped using.
    pub(super) fn end_lease(&self, namespace: &str, key: &SlotKey) {
        self.change(|held| remove(held, namespace, key).is_some());
    }

    /// Records the numbers that this process has taken. For a counter that counts days, only the
    /// newest day is kept.
    pub(super) fn hold_numbers(&self, counter: &str, day: Option<i32>, next: i64) {
        self.change(|held| {
            // Concurrent calls that took blocks may arrive here in any order.
            let known = held.numbers.iter().position(|numbers| numbers.counter == counter);
            if let Some(known) = known.map(|index| &held.numbers[index])
                && (known.day, known.next) >= (day, next)
            {
                return false;
            }
            held.numbers.retain(|numbers| numbers.counter != counter);
            held.numbers.push(HeldNumbers { counter: counter.into(), day, next });
            true
        });
    }

    /// Returns the marks of all live processes, including this one's.
    pub(super) fn live(&self) -> Vec<Held> {
        here::texts(&folder_of(&self.path)).iter().filter_map(|text| Held::read(text)).collect()
    }

    /// Returns what this process holds.
    fn own(&self) -> Arc<Mutex<Own>> {
        // No thread forks while the outer lock is held, so a child finds it free. The inner lock is
        // held while files are written, and a fork does not wait for that.
        let _no_fork = process::no_fork();
        let mut own = lock(&self.own);
        if own.0 != process::generation() {
            // The mark is the parent's. Closing the child's copy of the file does not release the
            // parent's lock.
            *own = (process::generation(), Own::new());
        }
        Arc::clone(&own.1)
    }

    /// Changes what this process holds. Writes its mark if `change` returns true.
    fn change(&self, change: impl FnOnce(&mut Held) -> bool) {
        let own = self.own();
        let mut own = lock(&own);
        if !change(&mut own.held) {
            return;
        }
        let folder = folder_of(&self.path);
        let is_empty = own.held.leases.is_empty() && own.held.numbers.is_empty();
        let text = own.held.write();
        let mark = (!is_empty).then(|| here::Mark::new(&folder, &self.path, &text)).transpose();
        // The new mark is complete before the old one is removed. If the new one cannot be written,
        // the old one stays: its content is older, but still true.
        if let Ok(mark) = mark
            && let Some(old) = std::mem::replace(&mut own.mark, mark)
        {
            old.remove(&folder);
        }
    }
}

impl Drop for Holdings {
    fn drop(&mut self) {
        let (generation, own) = self.own.get_mut().unwrap_or_else(PoisonError::into_inner);
        if *generation == process::generation()
            && let Some(mark) = lock(own).mark.take()
        {
            mark.remove(&folder_of(&self.path));
        }
    }
}

fn remove(held: &mut Held, namespace: &str, key: &SlotKey) -> Option<HeldLease> {
    let index = held.leases.iter().position(|lease| lease.namespace == namespace && lease.seen.key == *key)?;
    Some(held.leases.remove(index))
}

/// Returns the folder of a store's marks. All symbolic links to the store lead to one folder.
fn folder_of(path: &Path) -> PathBuf {
    let real = real_path(path);
    let mut name = OsString::from(".");
    name.push(real.file_name().unwrap_or_default());
    name.push("-saiban-holders");
    real.with_file_name(name)
}

/// Resolves symbolic links in a path. The file need not exist.
pub(super) fn real_path(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // No system follows more links than this: they form a cycle.
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
    use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
    use std::io::{self, Read, Write};
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, chown, fchown};
    use std::path::{Path, PathBuf};

    /// The maximum number of tries while other processes add and remove marks.
    const TRIES: usize = 64;

    /// The maximum length of a mark, bytes: enough for some ten thousand counters.
    const LONGEST: u64 = 1 << 20;

    /// A mark of this process. The kernel releases its lock when the process ends.
    pub(super) struct Mark {
        path: PathBuf,
        _locked: File,
    }

    impl Mark {
        /// Writes a mark that every user of the store can read.
        pub(super) fn new(folder: &Path, store: &Path, text: &str) -> io::Result<Self> {
            // If the store no longer exists, the folder of marks still has its owner and mode.
            let like = fs::metadata(store).or_else(|_| fs::metadata(folder))?;
            let mode = like.permissions().mode() & 0o666;
            for _ in 0..TRIES {
                make_folder(folder, &like)?;
                let path = folder.join(format!("{:016x}", draw().map_err(io::Error::other)?));
                let mut file = match OpenOptions::new().read(true).write(true).create_new(true).mode(mode).open(&path) {
                    // Another process removed the folder together with its last mark.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    file => file?,
                };
                match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                    Ok(()) if file.metadata()?.nlink() > 0 => {}
                    // A reader locked the new file first, and took it for the mark of an ended
                    // process.
                    Ok(()) | Err(Errno::WOULDBLOCK) => continue,
                    Err(error) => {
                        fs::remove_file(&path)?;
                        return Err(error.into());
                    }
                }
                own(&like, |user, group| fchown(&file, user, group));
                // The umask may have restricted the mode.
                file.set_permissions(Permissions::from_mode(mode))?;
                file.write_all(text.as_bytes())?;
                return Ok(Mark { path, _locked: file });
            }
            Err(io::ErrorKind::ResourceBusy.into())
        }

        pub(super) fn remove(self, folder: &Path) {
            // If this fails, the next reader removes the mark. The folder is removed only if it is
            // empty.
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_dir(folder);
        }
    }

    /// Makes the folder. Users who may read the store may list the folder. Users who may write the
    /// store may add marks.
    fn make_folder(folder: &Path, like: &Metadata) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(folder) {
            Ok(()) => {
                own(like, |user, group| chown(folder, user, group));
                let mode = like.permissions().mode() & 0o666;
                fs::set_permissions(folder, Permissions::from_mode(mode | (mode & 0o444) >> 2))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Gives a file to the store's owner and group, as far as this user may. Other users of a
    /// shared store must be able to read the file.
    fn own(like: &Metadata, give: impl Fn(Option<u32>, Option<u32>) -> io::Result<()>) {
        // Unprivileged users can only give files to their own groups, which may be enough, or not
        // necessary.
        let _ = give(Some(like.uid()), Some(like.gid())).or_else(|_| give(None, Some(like.gid())));
    }

    /// Returns the marks of live processes, and removes those of ended ones.
    pub(super) fn texts(folder: &Path) -> Vec<String> {
        let mut texts = Vec::new();
        for _ in 0..TRIES {
            texts.clear();
            if read(folder, &mut texts) {
                break;
            }
        }
        texts
    }

    /// Reads the marks once. Returns false if some may be missing: a mark that was removed during
    /// the read may have been replaced by one that was not listed.
    fn read(folder: &Path, texts: &mut Vec<String>) -> bool {
        let mut is_complete = true;
        let Ok(entries) = fs::read_dir(folder) else { return true };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            let file = match File::open(&path) {
                Err(error) => {
                    is_complete &= error.kind() != io::ErrorKind::NotFound;
                    continue;
                }
                Ok(file) => file,
            };
            // With a shared lock, two readers do not take each other for the holder.
            match flock(&file, FlockOperation::NonBlockingLockShared) {
                Ok(()) if file.metadata().is_ok_and(|found| found.nlink() > 0) => {
                    let _ = fs::remove_file(&path);
                }
                Ok(()) => is_complete = false,
                Err(Errno::WOULDBLOCK) => {
                    let mut text = String::new();
                    if file.take(LONGEST).read_to_string(&mut text).is_ok() {
                        texts.push(text);
                    }
                }
                Err(_) => {}
            }
        }
        // Fails unless the folder is empty. It is empty if a process ended before it wrote its
        // first mark.
        let _ = fs::remove_dir(folder);
        is_complete
    }
}

#[cfg(not(all(unix, not(target_os = "solaris"))))]
mod here {
    use std::io;
    use std::path::Path;

    /// Systems without `flock` have no marks.
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

    fn lease(namespace: &str, node: i64, end_us: i64) -> (String, LastSeen) {
        let key = SlotKey { nodes: node..node + 1, fence: 3, token: 7 };
        (namespace.into(), LastSeen { incarnation: 9, key, end_us })
    }

    #[test]
    fn a_mark_lists_what_its_process_holds_and_is_removed_with_the_last_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ids.db");
        fs::write(&path, "").expect("a file");
        let (one, other) = (Holdings::of(path.clone()), Holdings::of(path.clone()));
        let leases =
            [lease("orders", 1, 500), lease("orders", 2, 900), lease("orders", 3, 800), lease("users", 1, 100)];
        for (namespace, seen) in &leases {
            one.hold_lease(namespace, seen, Some("web 1/17"), 0);
        }
        for (day, next) in [(20_000, 41), (20_000, 21), (19_999, 500)] {
            one.hold_numbers("invoices", Some(day), next);
        }
        let live = other.live();
        assert_eq!(live.len(), 1);
        assert_eq!(live[0].process, std::process::id());
        // The first lease is not recorded: the second one is newer, and ends later.
        let seen: Vec<_> = live[0].leases.iter().map(|lease| (lease.namespace.clone(), lease.seen.clone())).collect();
        assert_eq!(seen, leases[1..]);
        assert!(live[0].leases.iter().all(|lease| lease.holder == "web 1/17"));
        let numbers = HeldNumbers { counter: "invoices".into(), day: Some(20_000), next: 41 };
        assert_eq!(live[0].numbers, [numbers]);
        // Marks also work after the store was deleted.
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
        // A holder without a name is shown by its process id.
        assert_eq!(other.live()[0].leases[0].holder, format!("process {}", std::process::id()));
        fs::remove_file(&path).expect("deleted");
        assert_eq!(other.live().len(), 1);
    }
}
