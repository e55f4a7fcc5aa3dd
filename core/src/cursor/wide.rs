//! Cursors for positions wider than an atomic word: 128 bits behind a short lock.
//!
//! Generators use them for schemes such as ULID and UUID v7.

use super::beginning::Beginning;
use super::key::{CursorKey, Sharing, state_at};
use super::wide_word::WideWord;
use super::word::CursorWord;
use crate::error::Error;
use crate::sync::{AtomicU64, Ordering};

/// A cursor that threads share, for positions of up to 128 bits: a word behind a short lock.
#[derive(Debug)]
pub struct WideCursor(Place);

#[derive(Debug)]
enum Place {
    Own(OwnWords),
    #[cfg(feature = "std")]
    Shared(super::shared::SharedWords),
}

/// The words of a cursor that no other generator shares, on a cache line of their own.
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
                // The lock excludes other threads. An atomic addition would cost as much as the
                // lock does.
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
