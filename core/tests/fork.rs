//! A forked child does not continue a copied generator, in process scope and under a lease; the
//! children report through their exit codes.

#![cfg(unix)]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::clock::SystemClock;
use saiban::process::notice_fork;
use saiban::{
    AnyClock, Error, ErrorKind, Generator, Grant, Layout, ManualClock, Options, PooledEntropy, RandflakeGenerator,
    Scheme, Scope, Secret, SnowflakeGenerator, UlidFlakeFormat, UlidFlakeGenerator,
};
use std::sync::Arc;

/// Runs `body` in a forked child, and returns the number of its error, or 0.
fn in_child(body: impl FnOnce() -> Result<(), Error>) -> i32 {
    // SAFETY: the child runs only `body`, which takes no lock that another thread may have held,
    // and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let code = body().map_or_else(|error| error.kind().number(), |()| 0);
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status), "the child ended by a signal: {status}");
    libc::WEXITSTATUS(status)
}

fn options(node: u64) -> Options {
    Options::node(node).scope(Scope::Process)
}

fn snowflake(node: u64) -> Result<SnowflakeGenerator, Error> {
    SnowflakeGenerator::build(Layout::TWITTER, &options(node), SystemClock)
}

fn kind(number: i32) -> Option<ErrorKind> {
    ErrorKind::from_number(number)
}

#[test]
fn a_generator_copied_by_fork_makes_no_ids() -> Result<(), Error> {
    let secret = Secret::new([7; 16]);
    let scalable = UlidFlakeFormat { scalability: Some(11), ..UlidFlakeFormat::default() };
    let clock = || AnyClock::Manual(Arc::new(ManualClock::new(1_763_700_000_000).expect("a time")));
    let generators: [Box<dyn Generator<Id = i64>>; 4] = [
        Box::new(snowflake(101)?),
        Box::new(RandflakeGenerator::build(&secret, &options(101), SystemClock)?),
        Box::new(UlidFlakeGenerator::build(
            scalable,
            &Options::default().scope(Scope::Process),
            SystemClock,
            PooledEntropy,
        )?),
        Box::new(SnowflakeGenerator::build(Layout::TWITTER, &Options::node(1), clock())?),
    ];
    for ids in generators {
        let before = ids.generate()?;
        assert_eq!(kind(in_child(|| ids.generate().map(|_| ()))), Some(ErrorKind::Forked), "{}", ids.scheme());
        assert_eq!(kind(in_child(|| ids.try_generate().map(|_| ()))), Some(ErrorKind::Forked));
        assert_eq!(kind(in_child(|| ids.fill(&mut [0; 8]).map(|_| ()))), Some(ErrorKind::Forked));
        // Inspection needs no cursor.
        assert_eq!(in_child(|| ids.inspect(before).map(|_| ())), 0);
        assert_ne!(ids.generate()?, before, "the parent goes on");
    }
    Ok(())
}

#[test]
fn a_child_makes_generators_only_for_nodes_that_its_parent_does_not_use() -> Result<(), Error> {
    let ids = snowflake(102)?;
    ids.generate()?;
    assert_eq!(kind(in_child(|| snowflake(102).map(|_| ()))), Some(ErrorKind::NodeInUse));
    let overlapping = || {
        SnowflakeGenerator::build(Layout::TWITTER, &Options::nodes(100..104).scope(Scope::Process), SystemClock)
            .map(|_| ())
    };
    assert_eq!(kind(in_child(overlapping)), Some(ErrorKind::NodeInUse));
    assert_eq!(in_child(|| snowflake(202)?.generate().map(|_| ())), 0);
    Ok(())
}

#[test]
fn a_grant_copied_by_fork_is_the_parents_alone() -> Result<(), Error> {
    let now_us = 1_763_700_000_000_000;
    let grant = Grant::new(Scheme::Snowflake, Layout::TWITTER, None, 110..112, now_us, now_us + 60_000_000)?;
    let clock = ManualClock::new(now_us / 1_000)?;
    let build = || SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(&grant), &clock);
    // The child is refused before and after the parent's first ID: both would issue equal IDs.
    assert_eq!(kind(in_child(|| build()?.generate().map(|_| ()))), Some(ErrorKind::Forked));
    let ids = build()?;
    let before = ids.generate()?;
    assert_eq!(kind(in_child(|| build()?.generate().map(|_| ()))), Some(ErrorKind::Forked));
    assert_eq!(kind(in_child(|| ids.generate().map(|_| ()))), Some(ErrorKind::Forked));
    let close = || {
        assert!(grant.is_copy() && !grant.is_closed());
        assert_eq!(grant.close(), None, "a copy cannot know how far the parent came");
        Ok(())
    };
    assert_eq!(in_child(close), 0);
    assert!(!grant.is_copy() && ids.generate()? > before, "the parent goes on");
    assert_eq!(grant.close(), Some(now_us + 1_000));
    Ok(())
}

#[test]
fn a_grandchild_is_a_separate_process_too() {
    let number = in_child(|| {
        let ids = snowflake(103)?;
        ids.generate()?;
        match kind(in_child(|| ids.generate().map(|_| ()))) {
            Some(ErrorKind::Forked) => Ok(()),
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(number, 0);
}

#[test]
fn noticing_a_fork_again_leaves_a_childs_own_generators_valid() -> Result<(), Error> {
    let ids = snowflake(104)?;
    ids.generate()?;
    notice_fork();
    notice_fork();
    ids.generate()?;
    let childs = || {
        let own = snowflake(204)?;
        notice_fork();
        own.generate()?;
        ids.generate()
    };
    assert_eq!(kind(in_child(|| childs().map(|_| ()))), Some(ErrorKind::Forked));
    Ok(())
}

#[test]
fn collisions_are_allowed_only_where_asked_for() -> Result<(), Error> {
    let build = |allow_collisions| {
        let format = UlidFlakeFormat { scalability: Some(12), allow_collisions, ..UlidFlakeFormat::default() };
        UlidFlakeGenerator::build(format, &Options::default(), SystemClock, PooledEntropy)
    };
    let ids = build(true)?;
    ids.generate()?;
    assert_eq!(in_child(|| ids.generate().map(|_| ())), 0);
    assert_eq!(in_child(|| build(true)?.generate().map(|_| ())), 0);
    assert_eq!(kind(in_child(|| build(false).map(|_| ()))), Some(ErrorKind::NodeInUse));
    Ok(())
}

#[test]
fn a_fork_while_other_threads_make_generators_leaves_no_lock_behind() {
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let stop = &stop;
            scope.spawn(move || {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    drop(snowflake(300 + thread).expect("a node of its own"));
                }
            });
        }
        for _ in 0..200 {
            assert_eq!(in_child(|| snowflake(400)?.generate().map(|_| ())), 0);
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
