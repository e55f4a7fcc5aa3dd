//! A count of IDs that threads keep without sharing memory.

use crate::sync::{AtomicU64, Ordering};

/// The number of threads that have a part of each tally of their own.
#[cfg(feature = "std")]
const PARTS: usize = 16;

/// A count of IDs. Up to 16 living threads add to parts of their own, which takes neither an atomic
/// addition nor another processor's cache line; the others share one part.
#[derive(Debug, Default)]
pub(super) struct Tally {
    #[cfg(feature = "std")]
    own: [Part; PARTS],
    shared: AtomicU64,
}

/// A part of a tally, on a cache line of its own.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
#[repr(align(64))]
struct Part(AtomicU64);

impl Tally {
    #[inline]
    pub(super) fn add(&self, count: u64) {
        #[cfg(feature = "std")]
        if let Some(Part(own)) = self.own.get(threads::part()) {
            // No other living thread has this part, so no addition is lost, except one of a signal
            // handler between these two.
            own.store(own.load(Ordering::Relaxed) + count, Ordering::Relaxed);
            return;
        }
        self.shared.fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn sum(&self) -> u64 {
        let shared = self.shared.load(Ordering::Relaxed);
        #[cfg(feature = "std")]
        let own = self.own.iter().map(|part| part.0.load(Ordering::Relaxed)).sum::<u64>();
        #[cfg(not(feature = "std"))]
        let own = 0;
        shared + own
    }
}

/// Assigns the parts to threads.
#[cfg(feature = "std")]
mod threads {
    use super::PARTS;
    use core::cell::Cell;
    // These words belong to the process and not to a model of loom.
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::thread_local;

    /// The parts of living threads, as bits. In a forked child, those of its parent's threads stay
    /// taken.
    static TAKEN: AtomicUsize = AtomicUsize::new(0);

    /// The part of threads that have none: they share one.
    pub(super) const SHARED: usize = PARTS;
    /// The part of a thread that has not asked yet.
    const UNKNOWN: usize = PARTS + 1;

    thread_local! {
        static OWN: Cell<usize> = const { Cell::new(UNKNOWN) };
        /// Gives the part back when the thread ends.
        static HELD: Cell<Option<Held>> = const { Cell::new(None) };
    }

    struct Held(usize);

    impl Drop for Held {
        fn drop(&mut self) {
            set_own(SHARED);
            TAKEN.fetch_and(!(1 << self.0), Ordering::Release);
        }
    }

    fn set_own(part: usize) {
        // Some systems have no thread-local variables while a thread ends.
        let _ = OWN.try_with(|own| own.set(part));
    }

    /// Returns the part that only this thread has, or [`SHARED`].
    #[inline]
    pub(super) fn part() -> usize {
        match OWN.try_with(Cell::get) {
            Ok(UNKNOWN) => take(),
            Ok(part) => part,
            Err(_) => SHARED,
        }
    }

    #[cold]
    fn take() -> usize {
        let with_lowest = |taken: usize| (taken != (1 << PARTS) - 1).then(|| taken | (taken + 1));
        // Acquire: what the part's last thread wrote is seen by this one.
        match TAKEN.fetch_update(Ordering::Acquire, Ordering::Relaxed, with_lowest) {
            Ok(taken) => {
                let part = taken.trailing_ones() as usize;
                // Set first: a signal handler that runs after this line takes no other part.
                set_own(part);
                let held = Held(part);
                // If the thread is ending, `held` is dropped at once.
                let _ = HELD.try_with(|old| old.set(Some(held)));
            }
            Err(_) => set_own(SHARED),
        }
        OWN.try_with(Cell::get).unwrap_or(SHARED)
    }
}

#[cfg(all(test, feature = "std", not(loom)))]
mod tests {
    use super::threads::{SHARED, part};
    use super::{PARTS, Tally};
    use std::cell::Cell;
    use std::collections::HashSet;
    use std::sync::{Barrier, Mutex, PoisonError, mpsc};
    use std::thread;
    use std::vec::Vec;

    /// The tests take turns, because the parts are of the whole process.
    static TURN: Mutex<()> = Mutex::new(());

    #[test]
    fn no_addition_of_any_thread_is_lost() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let tally = Tally::default();
        for _ in 0..3 {
            thread::scope(|scope| {
                for _ in 0..PARTS * 3 {
                    scope.spawn(|| (0..10_000).for_each(|_| tally.add(2)));
                }
            });
        }
        assert_eq!(tally.sum(), 3 * 20_000 * PARTS as u64 * 3);
    }

    #[test]
    fn living_threads_have_different_parts_or_the_shared_one() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let all = Barrier::new(PARTS * 2);
        let parts: Vec<usize> = thread::scope(|scope| {
            let one = || {
                let first = part();
                all.wait();
                assert_eq!(part(), first);
                first
            };
            let threads: Vec<_> = (0..PARTS * 2).map(|_| scope.spawn(one)).collect();
            threads.into_iter().map(|thread| thread.join().expect("a part")).collect()
        });
        let own: Vec<_> = parts.iter().filter(|part| **part != SHARED).collect();
        assert_eq!(own.len(), own.iter().collect::<HashSet<_>>().len());
        assert!(own.iter().all(|part| **part < PARTS));
    }

    #[test]
    fn the_part_of_a_thread_that_ended_is_given_again() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads of other tests may have some parts, but not all of them all the time.
        let parts = (0..1_000).map(|_| thread::spawn(part).join().expect("a part"));
        let own = parts.filter(|part| *part != SHARED).count();
        assert!(own > PARTS, "{own}");
    }

    #[test]
    fn an_ending_thread_has_the_shared_part() {
        struct Last(mpsc::Sender<usize>);
        impl Drop for Last {
            fn drop(&mut self) {
                let _ = self.0.send(part());
            }
        }
        std::thread_local! {
            static LAST: Cell<Option<Last>> = const { Cell::new(None) };
        }
        let (sender, receiver) = mpsc::channel();
        // Thread-local variables are dropped in the order of their first use, or in reverse.
        for is_first in [true, false] {
            let sender = sender.clone();
            let end = thread::spawn(move || {
                if is_first {
                    part();
                }
                LAST.set(Some(Last(sender)));
                part();
            });
            end.join().expect("an end");
        }
        let seen: Vec<_> = receiver.try_iter().collect();
        assert!(seen.contains(&SHARED), "{seen:?}");
    }
}
