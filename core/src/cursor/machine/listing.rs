//! Lists what the cursor files hold, and clears what no process uses: see [`crate::nodes`].

use super::file::{self, CursorFile, NotOpened, keep, lock_table, unavailable};
use super::folder::{Folder, FolderPath, Refusal};
use super::hold::Hold;
use super::memory::{ByteLock, PLACES, Place};
use crate::bits::low_32;
use crate::clock::{Clock, SystemClock};
use crate::cursor::words::reached;
use crate::cursor::{IdSpace, NodeRange};
use crate::error::{CursorFileProblem, Error};
use crate::process;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::Ordering;
use std::fs::{self, File};
use std::io;
use std::path::Path;

pub(crate) fn list() -> Result<Vec<IdSpace>, Error> {
    let folder_path = {
        let _no_fork = process::no_fork();
        FolderPath::of_process()
    };
    let entries = match fs::read_dir(&folder_path.path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| unavailable(kept(&folder_path.path), error).into_error())?,
    };
    let folder = open_folder(folder_path)?;
    let holders = holders();
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let times = names.into_iter().filter_map(|name| time_of(&name).map(|time| (name, time)));
    times.filter_map(|(name, time)| space(&folder, folder_path, &name, time, &holders).transpose()).collect()
}

/// Returns a copy of a path for messages. The caller does not hold `no_fork`.
fn kept(path: &Path) -> &'static str {
    let _no_fork = process::no_fork();
    keep(&path.to_string_lossy())
}

fn open_folder(path: &FolderPath) -> Result<Folder, Error> {
    let shown = || kept(&path.path);
    Folder::open(path).map_err(|refusal| match refusal {
        Refusal::Nowhere => Error::NoMachineScope,
        Refusal::Os(error) => unavailable(shown(), error).into_error(),
        Refusal::NotPrivate => Error::CursorFolderNotPrivate { path: shown() },
    })
}

/// Parses the name of a file. Returns the length of a tick, in nanoseconds, and the epoch, in Unix
/// milliseconds; `None` for the file of another program.
fn time_of(name: &str) -> Option<(u64, i64)> {
    let (_format, time) = name.split_once('-')?;
    let (tick_ns, rest) = time.split_once("ns-epoch")?;
    let (epoch_ms, _shift) = rest.split_once("ms-shift")?;
    Some((tick_ns.parse().ok()?, epoch_ms.parse().ok()?))
}

/// Returns the ID space of a file; `None` if it is not a regular file, or was deleted meanwhile.
fn space(
    folder: &Folder,
    folder_path: &FolderPath,
    name: &str,
    (tick_ns, epoch_ms): (u64, i64),
    holders: &[Holder],
) -> Result<Option<IdSpace>, Error> {
    let path = kept(&folder_path.path.join(name));
    let mut space = IdSpace { path: path.to_string(), tick_ns, epoch_ms, ranges: Vec::new(), problem: None };
    let failed = |error: io::Error| unavailable(path, error).into_error();
    let file = match folder.existing(name) {
        Ok(file) => file,
        // A folder, a symbolic link or a socket, or deleted meanwhile.
        Err(error) if matches!(error.raw_os_error(), Some(libc::EISDIR | libc::ELOOP | libc::ENXIO | libc::ENOENT)) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(error)),
    };
    match file::is_complete(&file, path).map_err(NotOpened::into_error) {
        Ok(true) => {}
        Ok(false) => return Ok(Some(space)),
        Err(Error::CursorFileMismatch { problem, .. }) => {
            space.problem = Some(problem);
            return Ok(Some(space));
        }
        Err(error) => return Err(error),
    }
    let found = mapped(&file, path)?;
    let inode = inode_of(&rustix::fs::fstat(&file).map_err(|error| failed(error.into()))?);
    for (index, place) in taken(found) {
        let Some(range) = place.range() else { continue };
        let free_tick = reached(place.words.state.load(Ordering::Relaxed)).div_ceil(1 << range.bits);
        let after_ms = u128::from(free_tick) * u128::from(tick_ns) / 1_000_000;
        let is_open = ByteLock::Place(index).is_held_by_another(&file).map_err(failed)?;
        space.ranges.push(NodeRange {
            nodes: range.ids.nodes(),
            rollback: range.ids.rollback(),
            is_leased: range.namespace != 0,
            is_open,
            processes: holders
                .iter()
                .filter(|holder| (holder.inode, holder.index) == (inode, index))
                .map(|holder| holder.process)
                .collect(),
            free_from_ms: epoch_ms.saturating_add(i64::try_from(after_ms).unwrap_or(i64::MAX)),
        });
    }
    space.ranges.sort_by_key(|range| (range.nodes.start, range.nodes.end, range.rollback, range.is_leased));
    Ok(Some(space))
}

fn mapped(file: &File, path: &'static str) -> Result<&'static CursorFile, Error> {
    let now_ns = SystemClock.now_ns()?;
    let _no_fork = process::no_fork();
    file::known_or_mapped(file, path, now_ns).map_err(NotOpened::into_error)
}

fn taken(file: &'static CursorFile) -> impl Iterator<Item = (usize, &'static Place)> {
    let count = usize::try_from(file.table().header.places.load(Ordering::Relaxed)).unwrap_or(PLACES).min(PLACES);
    file.table().places[..count].iter().enumerate()
}

/// A process that has a range of a file open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Holder {
    inode: (u64, u64),
    index: usize,
    process: u32,
}

#[allow(clippy::unnecessary_cast, reason = "systems have both in different widths")]
fn inode_of(found: &rustix::fs::Stat) -> (u64, u64) {
    (found.st_dev as u64, found.st_ino as u64)
}

/// Returns the processes that have ranges open. It reads `/proc`, so it finds only processes whose
/// open files the system shows to this one.
fn holders() -> Vec<Holder> {
    let mut holders = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        for open in fs::read_dir(entry.path().join("fdinfo")).into_iter().flatten().flatten() {
            let places: Vec<_> =
                fs::read_to_string(open.path()).unwrap_or_default().lines().filter_map(place_of_lock).collect();
            if places.is_empty() {
                continue;
            }
            if let Ok(found) = rustix::fs::stat(entry.path().join("fd").join(open.file_name())) {
                let inode = inode_of(&found);
                holders.extend(places.into_iter().map(|index| Holder { inode, index, process }));
            }
        }
    }
    holders.sort_unstable();
    holders.dedup();
    holders
}

/// Returns the place whose lock a line of `/proc/PROCESS/fdinfo/FILE` shows. Example:
///
/// `lock: 1: OFDLCK ADVISORY READ -1 00:1b:13 256 256`
fn place_of_lock(line: &str) -> Option<usize> {
    let mut words = line.strip_prefix("lock:")?.split_whitespace().rev();
    let byte: u64 = words.nth(1)?.parse().ok()?;
    ByteLock::place_at(byte)
}

pub(crate) fn clear(path: &str, nodes: Option<Range<u64>>) -> Result<usize, Error> {
    Hold::wait_while_busy(|| clear_once(path, nodes.as_ref())).map_err(NotOpened::into_error)
}

fn clear_once(path: &str, nodes: Option<&Range<u64>>) -> Result<usize, NotOpened> {
    let shown = kept(Path::new(path));
    let failed = |error: io::Error| unavailable(shown, error);
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).filter(|name| time_of(name).is_some());
    let name = name.ok_or_else(|| failed(io::Error::from_raw_os_error(libc::ENOENT)))?;
    // Check first, because opening the folder would create it.
    fs::metadata(path).map_err(failed)?;
    let parent = Path::new(path).parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = open_folder(&FolderPath::named(parent.unwrap_or(Path::new("."))))?;
    let file = folder.existing(name).map_err(failed)?;
    lock_table(&file, shown)?;
    if !file::is_complete(&file, shown)? {
        return Err(Error::CursorFileMismatch { path: shown, problem: CursorFileProblem::Damaged }.into());
    }
    // A mapping keeps its open file, with that file's locks, for the life of the process. So map an
    // open file without locks.
    let to_map = folder.existing(name).map_err(failed)?;
    let inode = |file: &File| rustix::fs::fstat(file).map(|found| inode_of(&found));
    if !folder.has(name, &file).map_err(failed)? || inode(&file) != inode(&to_map) {
        // Deleted, and perhaps made again, since it was locked.
        return Err(NotOpened::Busy(shown));
    }
    let found = mapped(&to_map, shown)?;
    let mut places = Vec::new();
    for (index, place) in taken(found) {
        let Some(range) = place.range() else { continue };
        let of = range.ids.nodes();
        if nodes.is_some_and(|nodes| of.start >= nodes.end || nodes.start >= of.end) {
            continue;
        }
        if ByteLock::Place(index).is_held_by_another(&file).map_err(failed)? {
            let process = low_32(place.process.load(Ordering::Relaxed));
            return Err(Error::NodeInUseByProcess { first: of.start, end: of.end, process, path: shown }.into());
        }
        places.push(place);
    }
    let header = &found.table().header;
    // Set first, so that the next opener of these nodes begins after all that was issued by now.
    header.made_ns.store(SystemClock.now_ns()?, Ordering::Relaxed);
    if nodes.is_none() {
        header.floor_tick.store(0, Ordering::Relaxed);
    }
    places.iter().for_each(|place| place.is_taken.store(0, Ordering::Release));
    Ok(places.len())
}
