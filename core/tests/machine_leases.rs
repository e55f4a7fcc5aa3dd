//! Generators under leases on one machine use the words of machine scope too.

#![cfg(any(target_os = "linux", target_vendor = "apple"))]
#![allow(unsafe_code, reason = "fork has no safe form")]

mod machine_processes;
mod this_program;

use machine_processes::{
    Machine, ROLE, assert_distinct, build, ended, in_child, kill_after, passed_in_its_own_process,
};
use saiban::{
    Clock, Error, ErrorKind, Generator, Grant, Layout, Options, RandflakeGenerator, Scheme, Scope, Secret,
    SnowflakeGenerator, SystemClock,
};
use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use this_program::this_program;

/// Returns a grant of Twitter's nodes from now on, in milliseconds, of a store whose namespace has
/// this number in every process.
fn granted(space: u64, nodes: std::ops::Range<i64>, from_ms: i64, to_ms: i64) -> Grant {
    let now_ms = i64::try_from(SystemClock.now_ns().expect("a time") / 1_000_000).expect("a time");
    let (start_us, end_us) = ((now_ms + from_ms) * 1_000, (now_ms + to_ms) * 1_000);
    let grant = Grant::new(Scheme::Snowflake, Layout::TWITTER, None, nodes, start_us, end_us).expect("a grant");
    grant.of_space(space, Scope::Machine)
}

fn leased(grant: &Grant) -> Result<SnowflakeGenerator, Error> {
    SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(grant).scope(Scope::Machine), SystemClock)
}

/// Runs a process that opens another grant: `SPACE FIRST END FROM_MS TO_MS COUNT`.
fn run_leased_role(role: &str) {
    let numbers: Vec<i64> = role.split(' ').map(|number| number.parse().expect("a number")).collect();
    let [space, first, end, from_ms, to_ms, count] = numbers[..] else { panic!("{role}") };
    let grant = granted(space.unsigned_abs(), first..end, from_ms, to_ms);
    match leased(&grant) {
        Ok(ids) => {
            println!("\nbuilt");
            (0..count).for_each(|_| println!("ID {}", ids.generate().expect("an ID")));
        }
        Err(error) => println!("\nERROR {} {error}", error.kind().name()),
    }
    let _ = grant.close();
}

#[test]
fn leases_that_a_store_grants_twice_repeat_nothing() {
    const TEST: &str = "leases_that_a_store_grants_twice_repeat_nothing";
    if let Ok(role) = std::env::var(ROLE) {
        return run_leased_role(&role);
    }
    let machine = Machine::new(TEST).expect("the test");
    let workers: Vec<Child> = (0..4).map(|_| machine.start("1 4 8 0 600000 20000")).collect();
    let ids: Vec<_> = workers.into_iter().map(|worker| ended(worker).ids()).collect();
    assert_eq!(assert_distinct(&ids), 80_000);
    let mut worker = machine.start("1 4 8 0 600000 1000000000");
    worker.stdout.as_mut().expect("its output").read_exact(&mut [0; 400]).expect("output");
    let other = machine.run("1 6 9 0 600000 1");
    assert_eq!(other.kind(), ErrorKind::NodeInUse.name(), "other nodes at the same time");
    assert!(other.error.expect("an error").contains(&format!("process {}", worker.id())));
    assert_eq!(machine.run("1 6 9 601000 602000 0").error, None, "after the end of the other");
    assert_eq!(machine.run("2 6 9 0 600000 10").ids().len(), 10, "of another namespace");
    assert_eq!(machine.run("1 8 9 0 600000 10").ids().len(), 10, "beside it");
    let killed = kill_after(worker, 5_000).ids;
    assert_distinct(&[killed, machine.run("1 6 9 0 600000 10000").ids()]);
}

#[test]
fn a_closed_lease_leaves_its_counter_to_others() {
    const TEST: &str = "a_closed_lease_leaves_its_counter_to_others";
    match std::env::var(ROLE).as_deref() {
        Ok("closes") => {}
        Ok(_) => {
            // The process prints only at its end, because its output is not read before.
            let ids = leased(&granted(1, 4..8, 0, 600_000)).expect("a generator");
            let mut made = Vec::new();
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_secs(1) {
                made.push(ids.generate().expect("an ID"));
                (0..500).for_each(|_| std::hint::spin_loop());
            }
            println!();
            made.iter().for_each(|id| println!("ID {id}"));
            return;
        }
        Err(_) => {
            let machine = Machine::new(TEST).expect("the test");
            // Another process uses the same word, as after a store was restored.
            let other = machine.start("counts");
            let closed = machine.run("closes");
            let other = ended(other).ids();
            assert_eq!(closed.error, None);
            assert!(assert_distinct(&[closed.ids, other]) > 10_000);
            return;
        }
    }
    println!();
    for _ in 0..20 {
        let grant = granted(1, 4..8, 0, 600_000);
        let ids = leased(&grant).expect("a generator");
        let (high_water_us, made) = thread::scope(|scope| {
            let make = || {
                let (mut made, begun) = (Vec::new(), Instant::now());
                // This limit far exceeds the time to close the lease.
                while begun.elapsed() < Duration::from_secs(5) {
                    match ids.generate() {
                        Ok(id) => made.push(id),
                        Err(error) => return (made, Some(error.kind())),
                    }
                }
                (made, None)
            };
            let threads = [scope.spawn(make), scope.spawn(make)];
            thread::sleep(Duration::from_millis(5));
            let high_water_us = grant.close().expect("its own process");
            let made = threads.map(|thread| thread.join().expect("a thread"));
            (high_water_us, made)
        });
        // The lease stays lost in ticks that the other process has begun.
        let closed = Instant::now();
        while closed.elapsed() < Duration::from_millis(5) {
            assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::LeaseLost));
        }
        for (made, end) in made {
            assert_eq!(end, Some(ErrorKind::LeaseLost));
            for id in made {
                let end_ms = ids.inspect(id).expect("parts").timestamp_ms.expect("a time") + 1;
                assert!(end_ms * 1_000 <= high_water_us, "{id} is of a time that was given back, {high_water_us}");
                println!("ID {id}");
            }
        }
    }
    // A closed grant leaves its nodes free while its generators exist; the next lease continues
    // after its last ID.
    let grant = granted(1, 40..44, 0, 600_000);
    let ids = leased(&grant).expect("a generator");
    let last = ids.generate().expect("an ID");
    let high_water_us = grant.close().expect("its own process");
    assert_eq!(grant.close(), Some(high_water_us));
    let refused = in_child(|| vec![i64::from(ids.generate().map_err(|error| error.kind()) == Err(ErrorKind::Forked))]);
    assert_eq!(refused, [1]);
    let is_free = in_child(|| vec![i64::from(leased(&granted(1, 42..46, 0, 600_000)).is_ok())]);
    assert_eq!(is_free, [1]);
    let next = leased(&granted(1, 40..44, 0, 600_000)).expect("a generator").generate().expect("an ID");
    assert!(next > last);
    // The rest of a closed lease does not block the node for a child process.
    let parents = build("snowflake", &Options::nodes(40..44), 0).expect("a generator");
    parents.generate().expect("an ID");
    let childs = in_child(|| vec![i64::from(build("snowflake", &Options::nodes(40..44), 0).is_ok())]);
    assert_eq!(childs, [1]);
}

#[test]
fn unused_leases_advance_no_counter() {
    if passed_in_its_own_process("unused_leases_advance_no_counter") {
        return;
    }
    let secret = Secret::new([3; 16]);
    let layout = Layout::from_text("timestamp:30@s,epoch=2024-10-27T03:33:20Z node:17 sequence:17").expect("a layout");
    let now_us = i64::try_from(SystemClock.now_ns().expect("a time") / 1_000).expect("a time");
    let grant = || {
        let grant = Grant::new(
            Scheme::Randflake,
            layout,
            Some(secret.key_id()),
            4..8,
            now_us - 2_000_000,
            now_us + 600_000_000,
        );
        grant.expect("a grant").of_space(1, Scope::Machine)
    };
    let ids_of = |grant: &Grant| {
        RandflakeGenerator::build(&secret, &Options::default().grant(grant), SystemClock).expect("a generator")
    };
    let first = grant();
    let id = ids_of(&first).generate().expect("an ID");
    let used = first.close().expect("its own process");
    // An unused lease frees all of its time, so later leases need not wait for it.
    for _ in 0..20 {
        let unused = grant();
        let ids = ids_of(&unused);
        assert!(unused.close().expect("its own process") <= now_us);
        drop(ids);
    }
    let last = grant();
    let ids = ids_of(&last);
    assert_ne!(ids.generate().expect("an ID of this second, or the next"), id);
    assert!(last.close().expect("its own process") <= used + 1_000_000);
    println!("\nID 1");
}

#[test]
fn a_lease_that_is_renewed_keeps_its_nodes_from_others() {
    if passed_in_its_own_process("a_lease_that_is_renewed_keeps_its_nodes_from_others") {
        return;
    }
    let grant = granted(1, 4..8, 0, 60_000);
    let ids = leased(&grant).expect("a generator");
    ids.generate().expect("an ID");
    let later = |from_ms| in_child(move || vec![i64::from(leased(&granted(1, 6..9, from_ms, 900_000)).is_ok())]);
    assert_eq!(later(61_000), [1], "after its end");
    grant.extend((grant.end_ms() + 600_000) * 1_000);
    assert_eq!(later(61_000), [0], "its end has moved on");
    // The new end also appears in a new file.
    let file = fs::read_dir(std::env::var("SAIBAN_RUN_DIR").expect("a folder")).expect("a folder").next();
    fs::remove_file(file.expect("a file").expect("a file").path()).expect("the file");
    thread::sleep(Duration::from_millis(3));
    ids.generate().expect("an ID");
    assert_eq!(later(61_000), [0]);
    assert_eq!(later(661_000), [1]);
    println!("\nID 1");
}

#[test]
fn a_lease_goes_on_without_a_file() {
    const TEST: &str = "a_lease_goes_on_without_a_file";
    if std::env::var(ROLE).is_err() {
        let machine = Machine::new(TEST).expect("the test");
        let file = machine.path().join("file");
        fs::write(&file, "").expect("a file");
        let mut command = this_program();
        command.args(["--exact", TEST, "--nocapture"]).env(ROLE, "here").env("SAIBAN_RUN_DIR", file);
        assert_eq!(ended(command.stdout(Stdio::piped()).spawn().expect("a process")).ids(), [1]);
        return;
    }
    let grant = granted(1, 4..8, 0, 60_000);
    assert_eq!(leased(&grant).map(|_| ()).map_err(|error| error.kind()), Err(ErrorKind::StateUnavailable));
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(&grant), SystemClock)
        .expect("a generator");
    assert_eq!(ids.stats().expect("stats").scope, Scope::Process, "the store keeps processes apart");
    // A second generator prefers machine scope, but joins the first one.
    let another = SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(&grant), SystemClock)
        .expect("a generator");
    assert_ne!(ids.generate().expect("an ID"), another.generate().expect("an ID"));
    println!("\nID 1");
}

#[test]
fn machine_scope_is_refused_under_a_lease_of_a_store_in_this_process() {
    let now_us = i64::try_from(SystemClock.now_ns().expect("a time") / 1_000).expect("a time");
    let grant = Grant::new(Scheme::Snowflake, Layout::TWITTER, None, 0..4, now_us, now_us + 60_000_000);
    let refused = leased(&grant.expect("a grant").of_space(1, Scope::Process)).map(|_| ());
    assert_eq!(refused, Err(Error::NoMachineScope), "a store of this process's own");
}
