//! Leases and numbers that live processes of this machine hold from a SQLite file. A new process
//! compares them with the file before its first lease or number, and so detects that the file was
//! deleted, replaced or restored.
//!
//! Each holder writes a mark: a file in the folder `.NAME-saiban-holders` beside the store, locked
//! with `flock` while the process lives. The kernel releases the lock however the process ends, and
//! the next reader removes the mark. A mark is written after the transaction that it records was
//! committed. So the store is never older than a mark that was read before the store was: a store
//! that is has lost leases or numbers.
//!
//! A process that cannot write its mark gets its lease all the same. The loss is then detected at
//! its next renewal, as on other stores.

use crate::lease::SlotKey;
use crate::lease::protocol::Seen;
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
    pub(super) seen: Seen,
    /// The holder, for messages.
    pub(super) holder: String,
}

/// The numbers that a process has taken from a counter, or from one of its days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldNumbers {
    pub(super) counter: String,
    pub(super) day: Option<i32>,
    /// The number after the last one that it has taken.
    pub(super) next: i64,
}

/// What one process holds, newest last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) process: u32,
    pub(super) leases: Vec<HeldLease>,
    pub(super) numbers: Vec<HeldNumbers>,
}

/// What this process holds from a file, and the marks of all processes that hold from it.
pub(super) struct Holdings {
    path: PathBuf,
    /// Of the process generation beside it. A child made by fork begins with a new one: its copy of
    /// the inner lock may be held for ever, by a thread of the parent.
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

/// The first line of a mark, with the format's version, and the last line, which an incomplete mark
/// lacks.
const FIRST_LINE: &str = "saiban-holder 1";
const LAST_LINE: &str = "end";

impl Held {
    /// The leases that a mark records: of each namespace the newest, and older ones that end later.
    /// A store that knows these has lost none.
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

    /// `None` for a mark that is incomplete, or of another version's format.
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
    /// Of the file at this path, which need not exist.
    #[cfg(feature = "sqlite")]
    pub(super) fn of(path: PathBuf) -> Self {
        Holdings { path, own: Mutex::new((process::watched_generation(), Own::new())) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Records a lease that the store has granted or renewed.
    pub(super) fn hold_lease(&self, namespace: &str, seen: &Seen, holder: Option<&str>, now_us: i64) {
        self.change(|held| {
            // An ended lease conflicts with no new one.
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

    /// Records the numbers that this process has taken: of a counter that counts days, those of the
    /// newest day.
    pub(super) fn hold_numbers(&self, counter: &str, day: Option<i32>, next: i64) {
        self.change(|held| {
            // Calls that took blocks at the same time may arrive here in any order.
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

    /// The marks of all live processes, including this one's.
    pub(super) fn live(&self) -> Vec<Held> {
        here::texts(&folder_of(&self.path)).iter().filter_map(|text| Held::read(text)).collect()
    }

    /// What this process holds.
    fn own(&self) -> Arc<Mutex<Own>> {
        // A child finds this lock free. The inner one is held while files are written, which a fork
        // does not wait for.
        let _no_fork = process::no_fork();
        let mut own = lock(&self.own);
        if own.0 != process::generation() {
            // The mark is the parent's. Closing this process's copy of it leaves its lock alone.
            *own = (process::generation(), Own::new());
        }
        Arc::clone(&own.1)
    }

    /// Changes what this process holds. Writes its mark where `change` returns true.
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
        // The new mark is complete before the old one is removed. If it cannot be written the old
        // one stays: what it records is true, only older.
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

/// The folder of the marks of a store. Links to the store lead to one folder.
fn folder_of(path: &Path) -> PathBuf {
    let real = real_path(path);
    let mut name = OsString::from(".");
    name.push(real.file_name().unwrap_or_default());
    name.push("-saiban-holders");
    real.with_file_name(name)
}

/// The path of a file without symbolic links. The file need not exist.
pub(super) fn real_path(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // More links than any system follows: they form a cycle.
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

    /// How often to try again while other processes add and remove marks.
    const TRIES: usize = 64;

    /// The longest mark that is read, bytes: that of some ten thousand counters.
    const LONGEST: u64 = 1 << 20;

    /// A mark of this process. The kernel unlocks it.
    pub(super) struct Mark {
        path: PathBuf,
        _locked: File,
    }

    impl Mark {
        /// Writes a mark that every user of the store may read.
        pub(super) fn new(folder: &Path, store: &Path, text: &str) -> io::Result<Self> {
            // The folder of marks has the owner and the mode of a store that is gone.
            let like = fs::metadata(store).or_else(|_| fs::metadata(folder))?;
            let mode = like.permissions().mode() & 0o666;
            for _ in 0..TRIES {
                make_folder(folder, &like)?;
                let path = folder.join(format!("{:016x}", draw().map_err(io::Error::other)?));
                let mut file = match OpenOptions::new().read(true).write(true).create_new(true).mode(mode).open(&path) {
                    // The folder was removed with its last mark.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    file => file?,
                };
                match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                    Ok(()) if file.metadata()?.nlink() > 0 => {}
                    // Another process took it for the mark of a dead one.
                    Ok(()) | Err(Errno::WOULDBLOCK) => continue,
                    Err(error) => {
                        fs::remove_file(&path)?;
                        return Err(error.into());
                    }
                }
                own(&like, |user, group| fchown(&file, user, group));
                // Whatever the umask is.
                file.set_permissions(Permissions::from_mode(mode))?;
                file.write_all(text.as_bytes())?;
                return Ok(Mark { path, _locked: file });
            }
            Err(io::ErrorKind::ResourceBusy.into())
        }

        pub(super) fn remove(self, folder: &Path) {
            // The next reader removes what cannot be removed here. The folder is removed when it is
            // empty.
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_dir(folder);
        }
    }

    /// Makes the folder. Users who may read the store may list it, those who may write the store may
    /// add marks.
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

    /// Gives a file to the store's owner and group as far as this user may: other users of a shared
    /// store must read it.
    fn own(like: &Metadata, give: impl Fn(Option<u32>, Option<u32>) -> io::Result<()>) {
        // A user may give files to its own groups only, which may be enough or not needed at all.
        let _ = give(Some(like.uid()), Some(like.gid())).or_else(|_| give(None, Some(like.gid())));
    }

    /// The marks of live processes. Marks of ended processes are removed.
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

    /// Whether these are all: a mark that was removed meanwhile may have been replaced by one that
    /// was not listed.
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
            // Shared, so that two readers do not take each other for the holder.
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
        // Fails unless it is empty: a process may have ended before it wrote its first mark.
        let _ = fs::remove_dir(folder);
        is_complete
    }
}

#[cfg(not(all(unix, not(target_os = "solaris"))))]
mod here {
    use std::io;
    use std::path::Path;

    /// There are no marks on systems without `flock`.
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
        for (day, next) in [(20_000, 41), (20_000, 21), (19_999, 500)] {
            one.hold_numbers("invoices", Some(day), next);
        }
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
        // Without a name the process is named by its ID.
        assert_eq!(other.live()[0].leases[0].holder, format!("process {}", std::process::id()));
        fs::remove_file(&path).expect("deleted");
        assert_eq!(other.live().len(), 1);
    }
}
