//! What the operating systems do differently: locks, and telling files from each other.

pub(super) use here::{Lock, id, is_a_folder, is_no_file, is_replaced, private, sync_folder};

/// Tells files of one machine from each other, whatever their names.
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

    /// A file that is made is its owner's alone: mode 0600. One that is there keeps its mode.
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

    /// Returns when the names in a folder are on disk.
    pub(in super::super) fn sync_folder(folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// The lock of a file. Dropped, it closes the file, and a copy that a fork made keeps the lock.
    #[derive(Debug)]
    pub(in super::super) struct Lock(File);

    impl Lock {
        pub(in super::super) const MAY_BE_TAKEN_OF_THE_FILE_ITSELF: bool = true;

        /// Locks a file, which is made when there is none; `None` when it is locked already, be it by this process.
        pub(in super::super) fn take(path: &Path) -> io::Result<Option<Lock>> {
            // Whoever replaces lock files does it once.
            for _ in 0..16 {
                let mut options = OpenOptions::new();
                let file = private(options.read(true).write(true).create(true).truncate(false)).open(path)?;
                match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                    Ok(()) => {}
                    Err(Errno::WOULDBLOCK) => return Ok(None),
                    Err(error) => return Err(error.into()),
                }
                // Somebody may have put another file in its place meanwhile: a lock on the old one keeps nobody out.
                if fs::metadata(path).ok().and_then(|named| id(&named)) == id(&file.metadata()?) {
                    return Ok(Some(Lock(file)));
                }
            }
            Ok(None)
        }

        /// Unlocks, even where a process forked from this one has a copy.
        pub(in super::super) fn release(self) {
            // Closing, which follows, unlocks as well unless there is a copy.
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

    /// A file takes the access list of its folder.
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

    /// Windows keeps names as safe as the file.
    pub(in super::super) fn sync_folder(_folder: &Path) -> io::Result<()> {
        Ok(())
    }

    /// A file that nobody else may open.
    #[derive(Debug)]
    pub(in super::super) struct Lock(#[allow(dead_code, reason = "open is locked")] File);

    impl Lock {
        /// It would be closed to ourselves.
        pub(in super::super) const MAY_BE_TAKEN_OF_THE_FILE_ITSELF: bool = false;

        /// Locks a file, which is made when there is none; `None` when it is locked already, be it by this process.
        pub(in super::super) fn take(path: &Path) -> io::Result<Option<Lock>> {
            let mut options = OpenOptions::new();
            match options.read(true).write(true).create(true).truncate(false).share_mode(0).open(path) {
                Ok(file) => Ok(Some(Lock(file))),
                Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
                Err(error) => Err(error),
            }
        }

        /// Unlocks.
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

    /// There are no locks here, so there are no state files either.
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
