//! The memory that processes share, and the locks that the kernel releases when a process dies.
//!
//! A file holds atomic words only. Any process of the user may change them at any time, so every
//! value must be safe to read.

#![allow(unsafe_code, reason = "memory that processes share, and locks of open files, have no safe calls")]

use crate::cursor::words::Words;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use rustix::fs::Stat;
use rustix::mm::{MapFlags, ProtFlags, mmap};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::ptr;
use std::sync::OnceLock;

/// The maximum number of ranges of nodes in a file.
pub(super) const PLACES: usize = 2_047;

/// The header at the beginning of a file.
#[repr(C, align(256))]
#[derive(Debug)]
pub(super) struct Header {
    /// The format of the file, with its version. Written last: until then, the file is not
    /// complete.
    pub(super) magic: AtomicU64,
    /// When the file was made, in Unix nanoseconds by its maker's clock.
    pub(super) made_ns: AtomicU64,
    /// How many places were ever taken. The other places have no memory yet.
    pub(super) places: AtomicU64,
    /// The first tick that no merged range has used.
    pub(super) floor_tick: AtomicU64,
    /// The boot of the machine in which the file was last used.
    pub(super) boot: AtomicU64,
}

/// An entry of a file: the description of a range of nodes, and its word, on separate cache lines.
#[repr(C, align(128))]
#[derive(Debug)]
pub(super) struct Place {
    /// 0 for a free place. Written after the description, so that a partial description is never
    /// read.
    pub(super) is_taken: AtomicU64,
    pub(super) numbers: [AtomicU64; Place::NUMBERS],
    /// The tick after the last of the lease.
    pub(super) end_tick: AtomicU64,
    /// The process that last opened the range, for messages.
    pub(super) process: AtomicU64,
    /// Whether the word was raised to a state file's tick since the machine was started.
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

/// The size of a file, in bytes.
pub(super) const FILE_BYTES: u64 = size_of::<Table>() as u64;

/// Returns the size of the header and this many places, in bytes.
pub(super) const fn bytes_of(places: usize) -> u64 {
    (size_of::<Header>() + places * size_of::<Place>()) as u64
}

const _: () = assert!(size_of::<Header>() == 256 && size_of::<Place>() == 256 && size_of::<Table>() == 256 * 2_048);

/// Maps a file of [`FILE_BYTES`] for the life of the process, and of the children that it forks.
pub(super) fn map(file: &File) -> io::Result<&'static Table> {
    // SAFETY: a new mapping at an address that the kernel chooses; it replaces no memory of the
    // program.
    let address = unsafe {
        mmap(ptr::null_mut(), size_of::<Table>(), ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, file, 0)
    }?;
    // SAFETY: the mapping is as long as the table, begins at a page, and is never unmapped. It
    // holds atomic words only, for which every value is valid. If another process truncates the
    // file, access past its new end raises SIGBUS, as for any mapped file; that is no undefined
    // behaviour.
    Ok(unsafe { &*address.cast::<Table>() })
}

/// Allocates memory for these bytes of a file, because a write to a page without memory would end
/// the process. On Apple's systems it does nothing: they have no such call that leaves the file's
/// length alone.
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

/// Returns the metadata of an open file of which only the descriptor's number is known. The process
/// may have closed the file, and opened another one with this number.
pub(super) fn stat_of(file: RawFd) -> io::Result<Stat> {
    // SAFETY: the number is used for this call only, which only reads. The caller detects a number
    // that belongs to another file by now.
    Ok(rustix::fs::fstat(unsafe { BorrowedFd::borrow_raw(file) })?)
}

/// Returns a number that identifies this boot of the machine; always the same one if the system
/// does not identify boots.
pub(super) fn boot() -> u64 {
    static BOOT: OnceLock<u64> = OnceLock::new();
    *BOOT.get_or_init(|| {
        let id = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        // FNV-1a, so that every process computes the same number.
        id.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
    })
}

/// An atomic `&'static` reference.
#[derive(Debug)]
pub(super) struct AtomicRef<T: 'static>(AtomicPtr<T>);

impl<T: 'static> AtomicRef<T> {
    pub(super) fn new(value: &'static T) -> Self {
        AtomicRef(AtomicPtr::new(ptr::from_ref(value).cast_mut()))
    }

    pub(super) fn load(&self) -> &'static T {
        // SAFETY: the pointer was made from a `&'static` reference.
        unsafe { &*self.0.load(Ordering::Acquire) }
    }

    pub(super) fn store(&self, value: &'static T) {
        self.0.store(ptr::from_ref(value).cast_mut(), Ordering::Release);
    }
}

/// libc's constants, in the type of the fields. That is narrower than the constants' type on most
/// systems.
#[allow(clippy::cast_possible_truncation, clippy::unnecessary_cast, reason = "they are 0 to 3")]
mod kind {
    use libc::c_short;

    pub(super) const FROM_START: c_short = libc::SEEK_SET as c_short;
    pub(super) const ALONE: c_short = libc::F_WRLCK as c_short;
    pub(super) const SHARED: c_short = libc::F_RDLCK as c_short;
    pub(super) const NONE: c_short = libc::F_UNLCK as c_short;
}

/// A lock of one byte of a file, which belongs to an open file (an OFD lock). The lock ends when
/// the last copy of the open file is closed: by this process, by a child that inherited it, or by
/// the kernel when they die.
#[derive(Clone, Copy, Debug)]
pub(super) enum ByteLock {
    /// Held by one process at a time, while it opens a range.
    Table,
    /// Shared by all processes that use the word of this place.
    Place(usize),
}

impl ByteLock {
    /// Returns the index of the place whose lock is at this byte.
    pub(super) fn place_at(byte: u64) -> Option<usize> {
        let past_header = byte.checked_sub(bytes_of(0))?;
        usize::try_from(past_header / size_of::<Place>() as u64).ok()
    }

    fn request(self, kind: libc::c_short) -> libc::flock {
        let byte = match self {
            ByteLock::Table => 0,
            ByteLock::Place(index) => bytes_of(index),
        };
        // SAFETY: all zeroes are a valid value of this structure, whose number of fields differs
        // between systems.
        let mut request: libc::flock = unsafe { core::mem::zeroed() };
        request.l_type = kind;
        request.l_whence = kind::FROM_START;
        request.l_start = byte as libc::off_t;
        request.l_len = 1;
        request
    }

    fn call(self, file: &impl AsRawFd, command: i32, kind: libc::c_short) -> io::Result<libc::flock> {
        let mut request = self.request(kind);
        // SAFETY: the descriptor is open, and the structure outlives the call.
        if unsafe { libc::fcntl(file.as_raw_fd(), command, &raw mut request) } == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok(request)
    }

    /// Takes the lock without waiting: that of the table exclusively, that of a place shared.
    /// Returns whether it was free.
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
        // A failure is harmless: closing the file, which follows, releases the lock as well.
        let _ = self.call(file, libc::F_OFD_SETLK, kind::NONE);
    }

    /// Returns whether another open file, of this process or another, holds the lock.
    pub(super) fn is_held_by_another(self, file: &impl AsRawFd) -> io::Result<bool> {
        let found = self.call(file, libc::F_OFD_GETLK, kind::ALONE)?;
        Ok(found.l_type != kind::NONE)
    }
}
