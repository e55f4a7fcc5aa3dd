//! The memory that processes share, and the locks that the kernel releases when a process dies.
//!
//! A file holds atomic words only, which any process of the user may change at any time. So any value of theirs must be safe to read.

#![allow(unsafe_code, reason = "memory that processes share, and locks of open files, have no safe calls")]

use crate::cursor::word::Words;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use rustix::fs::Stat;
use rustix::mm::{MapFlags, ProtFlags, mmap};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::ptr;
use std::sync::OnceLock;

/// The number of ranges of nodes in a file, at most.
pub(super) const PLACES: usize = 2_047;

/// The first bytes of a file.
#[repr(C, align(256))]
#[derive(Debug)]
pub(super) struct Header {
    /// What the file is, and its version. Written last: before, the file is not complete.
    pub(super) magic: AtomicU64,
    /// When it was made, Unix nanoseconds, by the clock of its maker.
    pub(super) made_ns: AtomicU64,
    /// How many places were ever taken. The others have no memory yet.
    pub(super) places: AtomicU64,
    /// The first tick that no merged range has used.
    pub(super) floor_tick: AtomicU64,
    /// The boot in which the file was used last.
    pub(super) boot: AtomicU64,
}

/// A range of nodes: its description and its word, on separate cache lines.
#[repr(C, align(128))]
#[derive(Debug)]
pub(super) struct Place {
    /// 0 for a free place. Written after the description, so that half of that is never read.
    pub(super) is_taken: AtomicU64,
    pub(super) numbers: [AtomicU64; Place::NUMBERS],
    /// The tick after the last of its lease.
    pub(super) end_tick: AtomicU64,
    /// The process that opened it last, for messages.
    pub(super) process: AtomicU64,
    /// Whether its word knows what a state file remembers, since the machine was started.
    pub(super) has_state: AtomicU64,
    pub(super) words: Words,
}

impl Place {
    pub(super) const NUMBERS: usize = crate::layout::IdSet::NUMBERS + 3;
}

#[repr(C)]
#[derive(Debug)]
pub(super) struct Table {
    pub(super) header: Header,
    pub(super) places: [Place; PLACES],
}

/// How many bytes the file has.
pub(super) const FILE_BYTES: u64 = size_of::<Table>() as u64;

/// How many bytes of the file are used by so many places.
pub(super) const fn bytes_of(places: usize) -> u64 {
    (size_of::<Header>() + places * size_of::<Place>()) as u64
}

const _: () = assert!(size_of::<Header>() == 256 && size_of::<Place>() == 256 && size_of::<Table>() == 256 * 2_048);

/// Maps a file of [`FILE_BYTES`] for as long as the process lives, children that it forks included.
pub(super) fn map(file: &File) -> io::Result<&'static Table> {
    // SAFETY: a new mapping, where the kernel chooses; it takes no memory of the program's.
    let address = unsafe {
        mmap(ptr::null_mut(), size_of::<Table>(), ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, file, 0)
    }?;
    // SAFETY: the mapping is as long as the table, begins with a page, and is never taken back. It holds atomic words only, for
    // which every value is valid. If another process truncates the file, access past its new end raises SIGBUS, as for any
    // mapped file; that is no undefined behaviour.
    Ok(unsafe { &*address.cast::<Table>() })
}

/// Makes sure that there is memory for these bytes of a file, as a write to what is not there would end the process. Apple's systems have no such
/// call that leaves the file's length alone.
pub(super) fn allocate(file: &File, from: u64, bytes: u64) -> io::Result<()> {
    #[cfg(not(target_vendor = "apple"))]
    loop {
        match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), from, bytes) {
            Err(rustix::io::Errno::INTR) => {}
            answer => return Ok(answer?),
        }
    }
    #[cfg(target_vendor = "apple")]
    {
        let _ = (file, from, bytes);
        Ok(())
    }
}

/// What an open file is, of which only the number is known: the process may have closed it, and opened another.
pub(super) fn stat_of(file: RawFd) -> io::Result<Stat> {
    // SAFETY: the number is used for this call only, which reads; of a file that is not ours any more the caller finds that out.
    Ok(rustix::fs::fstat(unsafe { BorrowedFd::borrow_raw(file) })?)
}

/// A number of this start of the machine; always the same one where the system does not tell one from another.
pub(super) fn boot() -> u64 {
    static BOOT: OnceLock<u64> = OnceLock::new();
    *BOOT.get_or_init(|| {
        let id = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        // FNV-1a, which every process computes alike.
        id.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
    })
}

/// A reference that never ends, in an atomic word.
#[derive(Debug)]
pub(super) struct AtomicRef<T: 'static>(AtomicPtr<T>);

impl<T: 'static> AtomicRef<T> {
    pub(super) fn new(value: &'static T) -> Self {
        AtomicRef(AtomicPtr::new(ptr::from_ref(value).cast_mut()))
    }

    pub(super) fn load(&self) -> &'static T {
        // SAFETY: what is in it was a shared reference that never ends.
        unsafe { &*self.0.load(Ordering::Acquire) }
    }

    pub(super) fn store(&self, value: &'static T) {
        self.0.store(ptr::from_ref(value).cast_mut(), Ordering::Release);
    }
}

/// Small numbers for fields that are narrower than libc's constants on most systems.
#[allow(clippy::cast_possible_truncation, clippy::unnecessary_cast, reason = "they are 0 to 3")]
mod kind {
    use libc::c_short;

    pub(super) const FROM_START: c_short = libc::SEEK_SET as c_short;
    pub(super) const ALONE: c_short = libc::F_WRLCK as c_short;
    pub(super) const SHARED: c_short = libc::F_RDLCK as c_short;
    pub(super) const NONE: c_short = libc::F_UNLCK as c_short;
}

/// A lock of one byte of a file, which belongs to its open file: it ends when the last copy of that is closed, by this process, by
/// a child that inherited it, or by the kernel when they die.
#[derive(Clone, Copy, Debug)]
pub(super) enum ByteLock {
    /// Held while a process opens a range: one at a time.
    Table,
    /// Shared by all processes that count with the word of this place.
    Place(usize),
}

impl ByteLock {
    /// The place whose lock is at this byte.
    pub(super) fn place_at(byte: u64) -> Option<usize> {
        let past_header = byte.checked_sub(bytes_of(0))?;
        usize::try_from(past_header / size_of::<Place>() as u64).ok()
    }

    fn request(self, kind: libc::c_short) -> libc::flock {
        let byte = match self {
            ByteLock::Table => 0,
            ByteLock::Place(index) => bytes_of(index),
        };
        // SAFETY: of this structure all zeroes are a value; how many fields it has differs between systems.
        let mut request: libc::flock = unsafe { core::mem::zeroed() };
        request.l_type = kind;
        request.l_whence = kind::FROM_START;
        request.l_start = byte as libc::off_t;
        request.l_len = 1;
        request
    }

    fn call(self, file: &impl AsRawFd, command: i32, kind: libc::c_short) -> io::Result<libc::flock> {
        let mut request = self.request(kind);
        // SAFETY: the descriptor is open, and the structure lives through the call.
        if unsafe { libc::fcntl(file.as_raw_fd(), command, &raw mut request) } == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok(request)
    }

    /// Takes the lock; that of a place may be shared. Returns whether it was free.
    pub(super) fn try_take(self, file: &impl AsRawFd) -> io::Result<bool> {
        let kind = if matches!(self, ByteLock::Table) { kind::ALONE } else { kind::SHARED };
        match self.call(file, libc::F_OFD_SETLK, kind) {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Releases the lock, also for copies of the open file.
    pub(super) fn give_back(self, file: &impl AsRawFd) {
        // Closing the file, which follows, releases it as well.
        let _ = self.call(file, libc::F_OFD_SETLK, kind::NONE);
    }

    /// Whether another open file holds the lock, of this process or another.
    pub(super) fn is_held_by_another(self, file: &impl AsRawFd) -> io::Result<bool> {
        let found = self.call(file, libc::F_OFD_GETLK, kind::ALONE)?;
        Ok(found.l_type != kind::NONE)
    }
}
