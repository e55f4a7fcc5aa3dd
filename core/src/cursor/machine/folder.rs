//! The folder of a user's cursor files: where it is, and who may use it.

use alloc::boxed::Box;
use alloc::format;
use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;
use std::env;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The environment variable that names another folder, which users or containers may share on
/// purpose.
const VARIABLE: &str = "SAIBAN_RUN_DIR";

/// The path of the folder.
#[derive(Clone, Debug)]
pub(super) struct FolderPath {
    pub(super) path: PathBuf,
    /// Whether the user named the path.
    is_named: bool,
}

impl FolderPath {
    /// Returns the folder of this process.
    ///
    /// It is determined once: a process that changes its working folder, its environment or its
    /// user keeps the folder, and so do its children. The caller keeps threads from forking.
    pub(super) fn of_process() -> &'static Self {
        static PATH: Mutex<Option<&'static FolderPath>> = Mutex::new(None);
        PATH.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| Box::leak(Box::new(Self::read())))
    }

    /// Returns the path of a folder that the user names.
    pub(super) fn named(path: &Path) -> Self {
        FolderPath { path: path.into(), is_named: true }
    }

    fn read() -> Self {
        match env::var_os(VARIABLE) {
            Some(path) if !path.is_empty() => {
                FolderPath { path: std::path::absolute(&path).unwrap_or_else(|_| path.into()), is_named: true }
            }
            _ => {
                let name = format!("saiban-{}", rustix::process::geteuid().as_raw());
                FolderPath { path: base().join(name), is_named: false }
            }
        }
    }
}

/// Why the folder cannot be used.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The system has no such folder.
    Nowhere,
    /// An error of the operating system.
    Os(io::Error),
    /// Another user owns the folder, or has access to it.
    NotPrivate,
}

impl<E: Into<io::Error>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Refusal::Os(error.into())
    }
}

/// The flags for opening a file.
const FLAGS: OFlags = OFlags::RDWR.union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

/// An open folder. Files are opened in this folder, even if its path leads elsewhere meanwhile.
#[derive(Debug)]
pub(super) struct Folder {
    folder: OwnedFd,
    /// The mode of new files.
    mode: Mode,
}

/// Returns the folder for files in memory; it is empty when the machine starts.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn base() -> PathBuf {
    "/dev/shm".into()
}

/// Returns the folder for the user's temporary files.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn base() -> PathBuf {
    env::temp_dir()
}

impl Folder {
    /// Opens the folder, and creates it if there is none.
    pub(super) fn open(FolderPath { path, is_named }: &FolderPath) -> Result<Self, Refusal> {
        match fs::mkdir(path, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            // If this user cannot have such a folder, none of the user's processes can.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::PERM | Errno::ROFS | Errno::NOSYS)
                if !*is_named =>
            {
                return Err(Refusal::Nowhere);
            }
            Err(error) => return Err(error.into()),
        }
        let mut flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        // A folder that the user names may be a symbolic link.
        if !*is_named {
            flags |= OFlags::NOFOLLOW;
        }
        let folder = match fs::open(path, flags, Mode::empty()) {
            Ok(folder) => folder,
            Err(Errno::LOOP | Errno::NOTDIR) if !*is_named => return Err(Refusal::NotPrivate),
            Err(error) => return Err(error.into()),
        };
        let found = fs::fstat(&folder)?;
        let mode = Mode::from_raw_mode(found.st_mode);
        if *is_named {
            // A group that may write to the folder may use the files in it.
            let group = if mode.contains(Mode::WGRP) { Mode::RGRP | Mode::WGRP } else { Mode::empty() };
            return Ok(Folder { folder, mode: Mode::RUSR | Mode::WUSR | group });
        }
        let is_own = found.st_uid == rustix::process::geteuid().as_raw();
        if !is_own || mode.intersects(Mode::RWXG | Mode::RWXO) {
            return Err(Refusal::NotPrivate);
        }
        Ok(Folder { folder, mode: Mode::RUSR | Mode::WUSR })
    }

    /// Opens an existing file.
    pub(super) fn existing(&self, name: &str) -> io::Result<File> {
        Ok(fs::openat(&self.folder, name, FLAGS, Mode::empty())?.into())
    }

    /// Opens a file, and creates it if there is none.
    pub(super) fn file(&self, name: &str) -> io::Result<File> {
        loop {
            match self.existing(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                found => return found,
            }
            match fs::openat(&self.folder, name, FLAGS | OFlags::CREATE | OFlags::EXCL, self.mode) {
                Err(Errno::EXIST) => {}
                made => {
                    let made = made?;
                    // Set the mode regardless of the umask.
                    fs::fchmod(&made, self.mode)?;
                    return Ok(made.into());
                }
            }
        }
    }

    /// Returns whether a name still refers to this open file.
    pub(super) fn has(&self, name: &str, file: &File) -> io::Result<bool> {
        let (named, open) = (fs::statat(&self.folder, name, fs::AtFlags::SYMLINK_NOFOLLOW), fs::fstat(file)?);
        match named {
            Ok(named) => Ok((named.st_dev, named.st_ino) == (open.st_dev, open.st_ino)),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
