//! `TickingClock`: its count advances, in a forked child too, and no ID of a single owner is made
//! twice.

#![cfg(unix)]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::cursor::LocalCursor;
use saiban::{Clock, Error, Generator, Options, PooledEntropy, Scope, SnowflakeGenerator, TickingClock, UlidGenerator};
use std::cell::Cell;
use std::collections::HashSet;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

type OwnUlids<C> = UlidGenerator<C, PooledEntropy, LocalCursor<u128>>;

const IDS: usize = 100;

/// Runs `body` in a forked child, and returns the numbers that it returns.
fn in_child(body: impl FnOnce() -> Vec<u128>) -> Vec<u128> {
    let (mut ours, mut theirs) = UnixStream::pair().expect("a pair of sockets");
    // SAFETY: the child runs only `body`, which takes no lock that another thread may have held,
    // and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let bytes: Vec<u8> = body().into_iter().flat_map(u128::to_le_bytes).collect();
        let code = i32::from(theirs.write_all(&bytes).is_err());
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(code) };
    }
    drop(theirs);
    let mut bytes = Vec::new();
    ours.read_to_end(&mut bytes).expect("what the child wrote");
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0, "the child failed");
    bytes.chunks_exact(16).map(|bytes| u128::from_le_bytes(bytes.try_into().expect("16 bytes"))).collect()
}

/// Waits until the count differs from this one; the limit is far longer than that takes.
fn count_after(clock: &TickingClock, before: u64) -> u64 {
    let begun = Instant::now();
    loop {
        let count = clock.cycles().expect("a count");
        assert!(begun.elapsed() < Duration::from_secs(60), "the count stands still");
        if count != before {
            return count;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn the_count_advances_by_at_least_one_per_nanosecond_of_the_time_between_ticks() -> Result<(), Error> {
    let clock = TickingClock::start()?;
    let copy = clock.clone();
    drop(clock);
    let first = count_after(&copy, 0);
    let begun = Instant::now();
    thread::sleep(Duration::from_millis(20));
    // The next tick was counted after the sleep.
    let passed_ns = u64::try_from(begun.elapsed().as_nanos()).expect("a short time");
    let counted = count_after(&copy, copy.cycles().expect("a count")) - first;
    assert!(counted >= passed_ns, "{counted} in {passed_ns} ns");
    Ok(())
}

#[test]
fn the_count_advances_in_a_forked_child_too() -> Result<(), Error> {
    let clock = TickingClock::start()?;
    let before = count_after(&clock, 0);
    let counts = in_child(|| {
        let first = clock.cycles().unwrap_or(0);
        thread::sleep(Duration::from_millis(2));
        vec![first.into(), clock.cycles().unwrap_or(0).into()]
    });
    assert!(counts[0] >= u128::from(before) && counts[1] >= counts[0] + 2_000_000, "{counts:?} after {before}");
    Ok(())
}

/// Counts how often the time is read.
struct Counting<'a>(TickingClock, &'a Cell<u64>);

impl Clock for Counting<'_> {
    fn now_ns(&self) -> Result<u64, Error> {
        self.1.set(self.1.get() + 1);
        self.0.now_ns()
    }

    fn cycles(&self) -> Option<u64> {
        self.0.cycles()
    }
}

#[test]
fn few_ids_need_a_reading_of_the_time() -> Result<(), Error> {
    let (clock, reads) = (TickingClock::start()?, Cell::new(0));
    let ids = OwnUlids::with_cursor(&Options::default(), Counting(clock.clone(), &reads), PooledEntropy)?;
    let make_for = |ticks| {
        for _ in 0..ticks {
            let count = clock.cycles();
            while clock.cycles() == count {
                ids.generate().expect("an ID");
            }
        }
    };
    // Until the first tick there is nothing to compare.
    make_for(2);
    reads.set(0);
    make_for(50);
    assert!(reads.get() <= 50 * 20, "{} readings in 50 ticks", reads.get());
    Ok(())
}

#[test]
fn ids_of_a_single_owner_ascend_while_the_tick_changes() -> Result<(), Error> {
    let ids = OwnUlids::with_cursor(&Options::default(), TickingClock::start()?, PooledEntropy)?;
    let mut made = Vec::new();
    let ticks = |made: &[u128]| made.iter().map(|id| id >> 80).collect::<HashSet<_>>().len();
    while ticks(&made) < 4 {
        made.extend((0..IDS).map(|_| ids.generate().expect("an ID")));
        thread::sleep(Duration::from_micros(300));
    }
    assert!(made.is_sorted_by(|before, after| before < after));
    assert_eq!(ids.stats()?.issued, made.len() as u64);
    Ok(())
}

#[test]
fn a_forked_child_repeats_no_id_of_a_single_owner() -> Result<(), Error> {
    // One clock ticks, and the other stands still: both processes then have the same tick.
    let standing = saiban::ManualClock::new(1_763_700_000_000)?;
    child_repeats_nothing(&OwnUlids::with_cursor(&Options::default(), &standing, PooledEntropy)?);
    child_repeats_nothing(&OwnUlids::with_cursor(&Options::default(), TickingClock::start()?, PooledEntropy)?);
    Ok(())
}

fn child_repeats_nothing(ids: &impl Generator<Id = u128>) {
    let some = || (0..IDS).map(|_| ids.generate().expect("an ID")).collect::<Vec<_>>();
    let mut all = some();
    all.extend(in_child(|| {
        let mut block = [0; IDS];
        let written = ids.fill(&mut block).expect("IDs");
        [some(), block[..written].to_vec()].concat()
    }));
    all.extend(some());
    assert_eq!((all.len(), all.iter().collect::<HashSet<_>>().len()), (4 * IDS, 4 * IDS));
}

#[test]
fn generators_of_the_same_node_share_their_cursor_with_those_on_the_systems_clock() -> Result<(), Error> {
    let options = Options::node(811).scope(Scope::Process);
    let ticking = SnowflakeGenerator::build(saiban::Layout::TWITTER, &options, TickingClock::start()?)?;
    let other = SnowflakeGenerator::build(saiban::Layout::TWITTER, &options, saiban::SystemClock)?;
    let made: Vec<_> = (0..5_000).flat_map(|_| [ticking.generate(), other.generate()]).collect::<Result<_, _>>()?;
    assert_eq!(made.iter().collect::<HashSet<_>>().len(), made.len());
    Ok(())
}
