//! Shows what is in the files, and clears what nobody uses.

use super::file::{self, CursorFile, NotOpened, keep, lock_table, unavailable};
use super::folder::{Folder, FolderPath, Refusal};
use super::memory::{ByteLock, PLACES, Place};
use crate::bits::low_32;
use crate::clock::{Clock, SystemClock};
use crate::cursor::shared::reached;
use crate::error::{CursorFileProblem, Error};
use crate::nodes::{IdSpace, NodeRange};
use crate::process;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::Ordering;
use std::fs::{self, File};
use std::path::Path;

pub(crate) fn list() -> Result<Vec<IdSpace>, Error> {
    let _no_fork = process::no_fork();
    let folder_path = FolderPath::of_process();
    let Ok(entries) = fs::read_dir(&folder_path.path) else { return Ok(Vec::new()) };
    let folder = open_folder(folder_path)?;
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let times = names.into_iter().filter_map(|name| time_of(&name).map(|time| (name, time)));
    times.map(|(name, time)| space(&folder, folder_path, &name, time)).collect()
}

fn open_folder(path: &FolderPath) -> Result<Folder, Error> {
    let shown = || keep(&path.path.to_string_lossy());
    Folder::open(path).map_err(|refusal| match refusal {
        Refusal::Nowhere => Error::NoMachineScope,
        Refusal::Os(error) => unavailable(shown(), error).into_error(),
        Refusal::NotPrivate => Error::CursorFolderNotPrivate { path: shown() },
    })
}

/// The length of a tick, nanoseconds, and the epoch, Unix milliseconds, of a file's name; `None` for another program's file.
fn time_of(name: &str) -> Option<(u64, i64)> {
    let (_format, time) = name.split_once('-')?;
    let (tick_ns, rest) = time.split_once("ns-epoch")?;
    let (epoch_ms, _shift) = rest.split_once("ms-shift")?;
    Some((tick_ns.parse().ok()?, epoch_ms.parse().ok()?))
}

fn space(
    folder: &Folder,
    folder_path: &FolderPath,
    name: &str,
    (tick_ns, epoch_ms): (u64, i64),
) -> Result<IdSpace, Error> {
    let path = keep(&folder_path.path.join(name).to_string_lossy());
    let mut space = IdSpace { path: path.to_string(), tick_ns, epoch_ms, ranges: Vec::new(), problem: None };
    let failed = |error: std::io::Error| unavailable(path, error).into_error();
    let file = folder.existing(name).map_err(failed)?;
    match file::is_complete(&file, path).map_err(NotOpened::into_error) {
        Ok(true) => {}
        Ok(false) => return Ok(space),
        Err(Error::CursorFileMismatch { problem, .. }) => {
            space.problem = Some(problem);
            return Ok(space);
        }
        Err(error) => return Err(error),
    }
    let found = mapped(&file, path)?;
    let holders = holders(&file);
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
            processes: holders.iter().filter(|(_, of)| *of == index).map(|(process, _)| *process).collect(),
            free_from_ms: epoch_ms.saturating_add(i64::try_from(after_ms).unwrap_or(i64::MAX)),
        });
    }
    space.ranges.sort_by_key(|range| (range.nodes.start, range.nodes.end, range.rollback, range.is_leased));
    Ok(space)
}

fn mapped(file: &File, path: &'static str) -> Result<&'static CursorFile, Error> {
    let now_ns = SystemClock.now_ns()?;
    file::known_or_mapped(file, path, now_ns).map_err(NotOpened::into_error)
}

fn taken(file: &'static CursorFile) -> impl Iterator<Item = (usize, &'static Place)> {
    let count = usize::try_from(file.table().header.places.load(Ordering::Relaxed)).unwrap_or(PLACES).min(PLACES);
    file.table().places[..count].iter().enumerate()
}

/// The processes that have ranges of a file open, with the indexes of these: whose open files the system shows, each with its locks.
fn holders(file: &File) -> Vec<(u32, usize)> {
    let is_same = |path: &Path| {
        let (Ok(found), Ok(ours)) = (rustix::fs::stat(path), rustix::fs::fstat(file)) else { return false };
        (found.st_dev, found.st_ino) == (ours.st_dev, ours.st_ino)
    };
    let mut holders = Vec::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        for open in fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten() {
            if is_same(&open.path()) {
                let info = fs::read_to_string(process.path().join("fdinfo").join(open.file_name()));
                holders.extend(info.unwrap_or_default().lines().filter_map(place_of_lock).map(|index| (id, index)));
            }
        }
    }
    holders.sort_unstable();
    holders.dedup();
    holders
}

/// The place whose lock a line of `/proc/PROCESS/fdinfo/FILE` tells: `lock: 1: OFDLCK ADVISORY READ -1 00:1b:13 256 256`.
fn place_of_lock(line: &str) -> Option<usize> {
    let mut words = line.strip_prefix("lock:")?.split_whitespace().rev();
    let byte: u64 = words.nth(1)?.parse().ok()?;
    ByteLock::place_at(byte)
}

pub(crate) fn clear(path: &str, nodes: Option<Range<u64>>) -> Result<usize, Error> {
    let shown = keep(path);
    let failed = |error: std::io::Error| unavailable(shown, error).into_error();
    let not_found = || failed(rustix::io::Errno::NOENT.into());
    let (parent, name) = (Path::new(path).parent(), Path::new(path).file_name().and_then(|name| name.to_str()));
    let (Some(parent), Some(name)) = (parent, name.filter(|name| time_of(name).is_some())) else {
        return Err(not_found());
    };
    let _no_fork = process::no_fork();
    // Not to be made by this.
    fs::metadata(path).map_err(failed)?;
    let folder = open_folder(&FolderPath::named(parent))?;
    let file = folder.existing(name).map_err(failed)?;
    lock_table(&file, shown).map_err(NotOpened::into_error)?;
    if !file::is_complete(&file, shown).map_err(NotOpened::into_error)? {
        return Err(Error::CursorFileMismatch { path: shown, problem: CursorFileProblem::Damaged });
    }
    // A mapping keeps its open file, and the locks of that, for good: so it gets one without locks.
    let found = mapped(&folder.existing(name).map_err(failed)?, shown)?;
    let mut places = Vec::new();
    for (index, place) in taken(found) {
        let Some(range) = place.range() else { continue };
        let of = range.ids.nodes();
        if nodes.as_ref().is_some_and(|nodes| of.start >= nodes.end || nodes.start >= of.end) {
            continue;
        }
        if ByteLock::Place(index).is_held_by_another(&file).map_err(failed)? {
            let process = low_32(place.process.load(Ordering::Relaxed));
            return Err(Error::NodeInUseByProcess { first: of.start, end: of.end, process, path: shown });
        }
        places.push(place);
    }
    let header = &found.table().header;
    // First: whoever opens these nodes next begins after what was issued by now.
    header.made_ns.store(SystemClock.now_ns()?, Ordering::Relaxed);
    if nodes.is_none() {
        header.floor_tick.store(0, Ordering::Relaxed);
    }
    places.iter().for_each(|place| place.is_taken.store(0, Ordering::Release));
    Ok(places.len())
}
