//! Differences between operating systems: file locks, file ids, permissions and error numbers.
//!
//! Each system has a module `here` with the same functions. Only the other files of `state/` use
//! it.

pub(super) use here::{Lock, id, is_a_folder, is_no_file, is_replaced, private, sync_folder};

/// Identifies a file of this machine, whatever its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

#[cfg(all(unix, not(target_os = "solaris")))]
mod here {
    use super::FileId;
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    use std::fs::{self, File, Metadata, OpenOptions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::path::Path;

    /// Sets the mode of new files to 0600, so that only the owner has access. Existing files keep
    /// their mode.
    pub(in super::super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
        options.mode(0o600)
    }

    #[allow(clippy::unnecessary_wraps, reason = "other systems have none")]
    pub(in super::super) fn id(metadata: &Metadata) -> Option<FileId> {
        Some(FileId(metadata.dev(), metadata.ino()))
    }

    pub(in super::super) fn is_a_folder() -> io::Error {
        Errno::ISDIR.into()
    }

    pub(in super::super) fn is_no_file() -> io::Error {
        Errno::INVAL.into()
    }

    pub(in super::super) fn is_replaced() -> io::Error {
        Errno::STALE.into()
    }

    /// Writes the entries of a folder to disk.
    pub(in super::super) fn sync_folder(folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// The lock of a file. If it is dropped without `release`, a copy in a forked child keeps the
    /// lock.
    #[derive(Debug)]
    pub(in super::super) struct Lock(File);

    impl Lock {
        pub(in super::super) const MAY_BE_TAKEN_OF_THE_FILE_ITSELF: bool = true;

        /// Locks a file, and creates it if it does not exist. Returns `None` if it is locked
        /// already, also by this process.
        pub(in super::super) fn take(path: &Path) -> io::Result<Option<Lock>> {
            // Retry if the file was replaced before it was locked. In practice, this happens once
            // at most.
            for _ in 0..16 {
                let mut options = OpenOptions::new();
                let file = private(options.read(true).write(true).create(true).truncate(false)).open(path)?;
                match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                    Ok(()) => {}
                    Err(Errno::WOULDBLOCK) => return Ok(None),
                    Err(error) => return Err(error.into()),
                }
                // If another file has taken its place meanwhile, a lock on the old file excludes no
                // other process.
                if fs::metadata(path).ok().and_then(|named| id(&named)) == id(&file.metadata()?) {
                    return Ok(Some(Lock(file)));
                }
            }
            Ok(None)
        }

        /// Releases the lock, even if a forked child has a copy of it.
        pub(in super::super) fn release(self) {
            // Closing the file, which follows, releases the lock only if there is no copy.
            let _ = flock(&self.0, FlockOperation::Unlock);
        }
    }
}

#[cfg(windows)]
mod here {
    use super::FileId;
    use std::fs::{File, Metadata, OpenOptions};
    use std::io;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::Path;

    /// Does nothing: a new file inherits the access control list of its folder.
    pub(in super::super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
        options
    }

    const ERROR_ACCESS_DENIED: i32 = 5;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    pub(in super::super) fn id(_metadata: &Metadata) -> Option<FileId> {
        None
    }

    pub(in super::super) fn is_a_folder() -> io::Error {
        io::Error::from_raw_os_error(ERROR_ACCESS_DENIED)
    }

    pub(in super::super) fn is_no_file() -> io::Error {
        is_a_folder()
    }

    pub(in super::super) fn is_replaced() -> io::Error {
        is_no_file()
    }

    /// Does nothing: on Windows, file names are as durable as the files.
    pub(in super::super) fn sync_folder(_folder: &Path) -> io::Result<()> {
        Ok(())
    }

    /// A file that no other handle may open.
    #[derive(Debug)]
    pub(in super::super) struct Lock(#[allow(dead_code, reason = "open is locked")] File);

    impl Lock {
        /// The lock would also deny this process's own access to the file.
        pub(in super::super) const MAY_BE_TAKEN_OF_THE_FILE_ITSELF: bool = false;

        /// Locks a file, and creates it if it does not exist. Returns `None` if it is locked
        /// already, also by this process.
        pub(in super::super) fn take(path: &Path) -> io::Result<Option<Lock>> {
            let mut options = OpenOptions::new();
            match options.read(true).write(true).create(true).truncate(false).share_mode(0).open(path) {
                Ok(file) => Ok(Some(Lock(file))),
                Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
                Err(error) => Err(error),
            }
        }

        /// Releases the lock by closing the file.
        pub(in super::super) fn release(self) {}
    }
}

#[cfg(not(any(windows, all(unix, not(target_os = "solaris")))))]
mod here {
    use super::FileId;
    use std::fs::{Metadata, OpenOptions};
    use std::io;
    use std::path::Path;

    pub(in super::super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
        options
    }

    pub(in super::super) fn id(_metadata: &Metadata) -> Option<FileId> {
        None
    }

    pub(in super::super) fn is_a_folder() -> io::Error {
        io::ErrorKind::Unsupported.into()
    }

    pub(in super::super) fn is_no_file() -> io::Error {
        io::ErrorKind::Unsupported.into()
    }

    pub(in super::super) fn is_replaced() -> io::Error {
        is_no_file()
    }

    pub(in super::super) fn sync_folder(_folder: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// There are no locks on this system, so state files are not supported.
    #[derive(Debug)]
    pub(in super::super) enum Lock {}

    impl Lock {
        pub(in super::super) const MAY_BE_TAKEN_OF_THE_FILE_ITSELF: bool = false;

        pub(in super::super) fn take(_path: &Path) -> io::Result<Option<Lock>> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(in super::super) fn release(self) {}
    }
}
