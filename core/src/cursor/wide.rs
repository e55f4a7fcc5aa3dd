//! Positions wider than an atomic word: 128 bits behind a short lock.

use super::word::{Beginning, CursorKey, CursorWord, Sharing, state_at};
use crate::bits::low_64;
use crate::error::Error;
use crate::sync::{AtomicU64, Ordering, relax};

/// 128 bits that threads share. The lock is held for a few instructions, in which nothing can fail.
///
/// It says which process took it: in a copy made by fork a lock that was held by a thread which the copy lacks is nobody's, and what
/// stood behind it may be half written. So a copy begins anew, with 0. (Whose numbers it must not repeat is decided elsewhere:
/// generators with nodes of their own make nothing in a copy, the others draw their positions.)
#[derive(Debug, Default)]
pub(super) struct WideWord {
    /// Twice the process generation, and 1 while locked.
    lock: AtomicU64,
    low: AtomicU64,
    high: AtomicU64,
}

impl WideWord {
    pub(super) fn new(state: u128) -> Self {
        let word = WideWord { lock: AtomicU64::new(unlocked()), ..WideWord::default() };
        word.write(state);
        word
    }

    /// What the word holds.
    pub(super) fn load(&self) -> u128 {
        self.change(|_| None)
    }

    /// What the word holds, without the lock: half of it may be older than the other half. `None` while another thread changes it, and in a copy
    /// made by fork.
    pub(super) fn peek(&self) -> Option<u128> {
        (self.lock.load(Ordering::Relaxed) == unlocked()).then(|| self.read())
    }

    /// Changes the word, or leaves it, and answers what it held.
    #[inline]
    pub(super) fn change(&self, next: impl FnOnce(u128) -> Option<u128>) -> u128 {
        let (unlocked, is_ours) = self.lock();
        let state = if is_ours { self.read() } else { 0 };
        let next = next(state);
        self.write(next.unwrap_or(state));
        self.lock.store(unlocked, Ordering::Release);
        state
    }

    /// Answers what the lock is while this process does not hold it, and whether the word is this process's already, not its parent's.
    fn lock(&self) -> (u64, bool) {
        let mut looks: u32 = 0;
        loop {
            let unlocked = unlocked();
            let found = self.lock.load(Ordering::Relaxed);
            let is_ours = found & !1 == unlocked;
            let is_held = is_ours && found != unlocked;
            if !is_held && self.lock.compare_exchange(found, unlocked | 1, Ordering::Acquire, Ordering::Relaxed).is_ok()
            {
                return (unlocked, is_ours);
            }
            looks = looks.wrapping_add(1);
            if looks % LOOKS == 0 {
                look_for_fork();
            }
            relax();
        }
    }

    fn read(&self) -> u128 {
        u128::from(self.high.load(Ordering::Relaxed)) << 64 | u128::from(self.low.load(Ordering::Relaxed))
    }

    fn write(&self, state: u128) {
        self.high.store(low_64(state >> 64), Ordering::Relaxed);
        self.low.store(low_64(state), Ordering::Relaxed);
    }
}

/// After so many looks at a lock that is held for a few instructions, it may be held by nobody: in a copy of the process that no handler
/// has heard of, made by a raw `clone`, while a thread which the copy lacks held it.
const LOOKS: u32 = 32;

fn look_for_fork() {
    #[cfg(feature = "std")]
    crate::process::notice_fork();
}

/// The lock of this process while nobody holds it.
fn unlocked() -> u64 {
    #[cfg(feature = "std")]
    return u64::from(crate::process::generation()) << 1;
    #[cfg(not(feature = "std"))]
    return 0;
}

/// A cursor that threads share, for positions of up to 128 bits: a word behind a short lock.
#[derive(Debug)]
pub struct WideCursor(Place);

#[derive(Debug)]
enum Place {
    Own(OwnWords),
    #[cfg(feature = "std")]
    Shared(super::shared::SharedWords),
}

/// What threads count with, on a cache line of its own.
#[derive(Debug)]
#[repr(align(128))]
struct OwnWords {
    state: WideWord,
    issued: AtomicU64,
}

impl WideCursor {
    #[inline]
    fn words(&self) -> (&WideWord, &AtomicU64) {
        match &self.0 {
            Place::Own(own) => (&own.state, &own.issued),
            #[cfg(feature = "std")]
            Place::Shared(shared) => (&shared.words().wide, &shared.words().issued),
        }
    }
}

impl CursorWord for WideCursor {
    type Position = u128;
    const CAN_BE_CLOSED: bool = true;

    fn open(key: &CursorKey, sharing: Sharing, beginning: &Beginning<'_>) -> Result<Self, Error> {
        #[cfg(feature = "std")]
        if sharing != Sharing::Own {
            let sharing = super::registry::without_machine(sharing)?;
            return super::registry::open_shared(key, sharing, beginning)
                .map(|shared| WideCursor(Place::Shared(shared)));
        }
        let _ = sharing;
        let state = WideWord::new(state_at(beginning.of_any, key));
        Ok(WideCursor(Place::Own(OwnWords { state, issued: AtomicU64::new(0) })))
    }

    fn load(&self) -> u128 {
        self.words().0.load()
    }

    #[inline]
    fn peek(&self) -> Option<u128> {
        self.words().0.peek()
    }

    #[inline]
    fn replace(&self, state: u128, next: u128, issued: u64) -> Result<(), u128> {
        let (word, counted) = self.words();
        let found = word.change(|found| {
            (found == state).then(|| {
                // Behind the lock nobody else counts: an atomic addition would cost as much as the lock does.
                counted.store(counted.load(Ordering::Relaxed) + issued, Ordering::Relaxed);
                next
            })
        });
        if found == state { Ok(()) } else { Err(found) }
    }

    fn issued(&self) -> u64 {
        self.words().1.load(Ordering::Relaxed)
    }
}
