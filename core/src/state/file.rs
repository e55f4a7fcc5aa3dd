//! The state file on disk: its real path, its creation and its writes.
//!
//! Only the registry opens files here, after it has locked them.

use super::os;
use super::record::{Owner, Record};
use super::slots::{Disk, FILE, Slots, new_file, newest};
use crate::error::StateProblem;
use crate::layout::Layout;
use alloc::vec::Vec;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The reason why a state file cannot be opened.
#[derive(Debug)]
pub(super) enum Refusal {
    /// An error of the operating system.
    Os(io::Error),
    /// The file is damaged, empty, or belongs to another generator.
    Problem(StateProblem),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::Os(error)
    }
}

/// The location of a state file: real path, lock file, and the ids of both.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) lock: PathBuf,
    /// The id of the file, if it exists.
    id: Option<os::FileId>,
    /// The id of the lock file, if it exists.
    lock_id: Option<os::FileId>,
}

impl Place {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let file = real_path(path)?;
        let metadata = fs::metadata(&file).ok();
        match &metadata {
            Some(found) if found.is_dir() => return Err(os::is_a_folder()),
            Some(found) if !found.is_file() => return Err(os::is_no_file()),
            _ => {}
        }
        let lock = beside(&file, ".lock");
        let lock_id = fs::metadata(&lock).ok().and_then(|found| os::id(&found));
        Ok(Place { id: metadata.and_then(|found| os::id(&found)), file, lock, lock_id })
    }

    /// Returns the location with the present ids of its files.
    pub(super) fn again(&self) -> io::Result<Self> {
        Place::of(&self.file)
    }

    /// Returns whether both places are one file, or share a lock file.
    pub(super) fn is(&self, other: &Place) -> bool {
        let same = |ours: Option<os::FileId>, theirs| ours.is_some() && ours == theirs;
        self.file == other.file || same(self.id, other.id) || same(self.lock_id, other.lock_id)
    }
}

/// Returns the path with `ending` appended.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Returns the path without links. The file itself may not exist yet.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    loop {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            answer => return answer,
        }
        let name = path.file_name().ok_or_else(os::is_no_file)?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => fs::canonicalize(folder)?,
            _ => fs::canonicalize(".")?,
        };
        let real = folder.join(name);
        match fs::read_link(&real) {
            // A link to a file that does not exist yet: create the target, and keep the link.
            // Circular links do not get here, because `canonicalize` fails for them with another
            // error.
            Ok(target) => path = folder.join(target),
            Err(_) => return Ok(real),
        }
    }
}

/// A file of slots, and the path at which it must still be.
#[derive(Debug)]
pub(super) struct DataFile {
    pub(super) file: File,
    pub(super) path: PathBuf,
}

impl Disk for DataFile {
    fn write(&mut self, offset: usize, bytes: &[u8]) -> io::Result<()> {
        // A file that was removed or replaced is not read again, so nothing may be saved in it.
        if os::id(&fs::metadata(&self.path)?) != os::id(&self.file.metadata()?) {
            return Err(os::is_replaced());
        }
        self.file.seek(SeekFrom::Start(offset as u64))?;
        self.file.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Opens the file, or creates it. Returns its slots, and the tick below which ticks may have been
/// used: 0 for a new file.
///
/// The caller must hold the lock.
///
/// # Errors
/// `Refusal::Problem` if the file is empty, damaged or of another owner; `Refusal::Os` otherwise.
pub(super) fn open(path: &Path, owner: &Owner, layout: &Layout) -> Result<(Slots<DataFile>, u64), Refusal> {
    let (file, bytes) = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => {
            let mut bytes = Vec::new();
            (&file).take(FILE as u64 + 1).read_to_end(&mut bytes)?;
            // saiban never leaves an empty file: this one was truncated, and its content is lost.
            if bytes.is_empty() {
                return Err(Refusal::Problem(StateProblem::Empty));
            }
            (file, bytes)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(path, owner, layout)?,
        Err(error) => return Err(error.into()),
    };
    let found = newest(&bytes).map_err(Refusal::Problem)?;
    found.record.owner.check(owner).map_err(Refusal::Problem)?;
    let end = found.record.end;
    Ok((Slots::open(DataFile { file, path: path.into() }, *layout, found)?, end))
}

/// Creates a file under a temporary name, and renames it when it is complete and on disk. A partly
/// written file is never visible at `path`.
fn create(path: &Path, owner: &Owner, layout: &Layout) -> io::Result<(File, Vec<u8>)> {
    let bytes = new_file(&Record { owner: owner.clone(), end: 0, counter: 1 }, layout).concat();
    let new = beside(path, ".saiban-new");
    let made = (|| {
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = os::private(OpenOptions::new().read(true).write(true).create_new(true)).open(&new)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        Ok(file)
    })();
    let file = made.inspect_err(|_| {
        // The rest of the file does no harm, but takes space on a disk that may be full.
        let _ = fs::remove_file(&new);
    })?;
    os::sync_folder(path.parent().unwrap_or(path))?;
    Ok((file, bytes))
}
