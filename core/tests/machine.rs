//! Processes on one machine that use the same nodes share one word.

#![cfg(any(target_os = "linux", target_vendor = "apple"))]
#![allow(unsafe_code, reason = "fork has no safe form")]

mod machine_processes;
mod this_program;

use machine_processes::{Machine, ROLE, assert_distinct, build, ended, in_child, kill_after, pipe};
use saiban::{
    Error, ErrorKind, Generator, Layout, Options, PooledEntropy, RandflakeGenerator, Scope, Secret, SnowflakeGenerator,
    SystemClock, UlidFlakeFormat, UlidFlakeGenerator,
};
use std::fs;
use std::io::Read;
use std::process::Child;
use tempfile::TempDir;

#[test]
fn processes_with_one_node_never_repeat_each_other() {
    let Some(machine) = Machine::new("processes_with_one_node_never_repeat_each_other") else { return };
    for (scheme, count) in [
        ("snowflake", 50_000),
        ("randflake", 20_000),
        ("ulid-flake", 300),
        ("rollback", 1_000),
        ("microseconds", 20_000),
    ] {
        let children: Vec<Child> = (0..4).map(|_| machine.start(&format!("{scheme} 7 8 {count} 0"))).collect();
        let ids: Vec<_> = children.into_iter().map(|child| ended(child).ids()).collect();
        assert_eq!(assert_distinct(&ids), 4 * count, "{scheme}");
    }
}

#[test]
fn by_default_processes_share_their_nodes() {
    const TEST: &str = "by_default_processes_share_their_nodes";
    if std::env::var(ROLE).is_ok() {
        let scalable = UlidFlakeGenerator::scalable(7).expect("a generator");
        let ulid_flake = UlidFlakeGenerator::new().expect("a generator");
        let generators: [Box<dyn Generator<Id = i64>>; 4] = [
            Box::new(SnowflakeGenerator::new(7).expect("a generator")),
            Box::new(RandflakeGenerator::new(&Secret::new([3; 16]), 7).expect("a generator")),
            Box::new(scalable),
            Box::new(ulid_flake),
        ];
        println!();
        for ids in &generators {
            assert_eq!(ids.stats().expect("stats").scope, Scope::Machine, "{}", ids.scheme());
            (0..200).for_each(|_| println!("ID {}", ids.generate().expect("an ID")));
        }
        return;
    }
    let machine = Machine::new(TEST).expect("the test");
    let children: Vec<Child> = (0..4).map(|_| machine.start("here")).collect();
    let processes: Vec<_> = children.into_iter().map(|child| ended(child).ids()).collect();
    // Each generator is checked alone: Ulid-Flakes of the two formats may be equal.
    for generator in 0..4 {
        let ids: Vec<_> = processes.iter().map(|ids| ids[200 * generator..][..200].to_vec()).collect();
        assert_eq!(assert_distinct(&ids), 4 * 200, "generator {generator}");
    }
}

#[test]
fn a_program_started_again_goes_on_where_it_was_killed() {
    let Some(machine) = Machine::new("a_program_started_again_goes_on_where_it_was_killed") else { return };
    for scheme in ["snowflake", "randflake", "rollback"] {
        let mut all = Vec::new();
        for round in 0..20_usize {
            // The clock steps back by 2 ms with each process.
            let child = machine.start(&format!("{scheme} 3 4 1000000 {}", -2 * round as i64));
            all.push(kill_after(child, 2_000 + 700 * round).ids());
        }
        assert!(assert_distinct(&all) > 1_000, "{scheme}");
    }
}

#[test]
fn a_file_has_its_ranges_for_living_processes_only() {
    let Some(machine) = Machine::new("a_file_has_its_ranges_for_living_processes_only") else { return };
    let mut child = machine.start("snowflake 4 8 1000000000 0");
    let process = child.id();
    let mut first = [0; 400];
    child.stdout.as_mut().expect("its output").read_exact(&mut first).expect("output");
    let refused = machine.run("snowflake 6 9 1 0");
    assert_eq!(refused.kind(), ErrorKind::NodeInUse.name());
    let error = refused.error.expect("an error");
    assert!(error.contains(&format!("process {process}")) && error.contains("[4, 8)"), "{error}");
    // The nodes beside that range are free.
    assert_eq!(machine.run("snowflake 8 9 10 0").ids().len(), 10);
    let killed = kill_after(child, 5_000);
    let next = machine.run("snowflake 6 9 5000 0").ids();
    assert_distinct(&[killed.ids, next]);
}

#[test]
fn a_state_file_beside_a_shared_counter_blocks_no_process() {
    const TEST: &str = "a_state_file_beside_a_shared_counter_blocks_no_process";
    if let Ok(state) = std::env::var(ROLE) {
        let plain = build("snowflake", &Options::node(7), 0).expect("a generator");
        let mut all = vec![plain.generate().expect("an ID")];
        drop(plain);
        // The generator is never closed, as after a kill: its file reserves 100 ms more than was
        // used.
        let kept = build("snowflake", &Options::node(7).state(&state), 0).expect("a generator");
        all.push(kept.generate().expect("an ID"));
        std::mem::forget(kept);
        println!();
        all.iter().for_each(|id| println!("ID {id}"));
        std::process::exit(0);
    }
    let machine = Machine::new(TEST).expect("the test");
    let folder = TempDir::new().expect("a folder");
    let state = folder.path().join("state").to_string_lossy().into_owned();
    let mut all = vec![machine.run(&state).ids(), machine.run(&state).ids()];
    // After a reboot only the state file is left.
    fs::remove_file(machine.file()).expect("the file");
    all.push(machine.run(&state).ids());
    assert_eq!(assert_distinct(&all), 6);
}

#[test]
fn a_counter_far_ahead_of_the_clock_is_refused_with_its_file() {
    let Some(machine) = Machine::new("a_counter_far_ahead_of_the_clock_is_refused_with_its_file") else { return };
    // The first process runs two days ahead, and then the clock is set back.
    assert_eq!(machine.run("snowflake 7 8 10 172800000").ids().len(), 10);
    let refused = machine.run("snowflake 7 8 1 0");
    assert_eq!(refused.kind(), ErrorKind::ClockBackward.name());
    let error = refused.error.expect("an error");
    let file = machine.file();
    assert!(error.contains(&*file.to_string_lossy()) && error.contains("172"), "{error}");
    assert!(error.contains("saiban nodes clear"), "{error}");
    // One hour ahead counts as a step back of the clock, which the policy handles.
    assert_eq!(machine.run("snowflake 9 10 4096 3600000").ids().len(), 4096);
    let held = machine.run("snowflake 9 10 10000 0");
    assert_eq!(held.kind(), ErrorKind::ClockBackward.name());
    assert!(held.error.expect("an error").contains(&*file.to_string_lossy()));
}

#[test]
fn a_child_goes_on_with_its_parents_generator() -> Result<(), Error> {
    const TEST: &str = "a_child_goes_on_with_its_parents_generator";
    if std::env::var(ROLE).is_err() {
        let machine = Machine::new(TEST).expect("the test");
        let printed = machine.run("here");
        assert_eq!(printed.error, None);
        assert_eq!(printed.ids, [1]);
        return Ok(());
    }
    for scheme in ["snowflake", "randflake", "ulid-flake"] {
        let ids = build(scheme, &Options::node(7), 0)?;
        let many = |count: usize| (0..count).map(|_| ids.generate().expect("an ID")).collect::<Vec<_>>();
        let (mut all, count) = (vec![many(10)], if scheme == "ulid-flake" { 50 } else { 3_000 });
        for _ in 0..3 {
            let child = in_child(|| {
                // The child uses its own generator for the node, and so does a grandchild.
                let own = build(scheme, &Options::node(7), 0).expect("a generator");
                let mut made = many(count);
                made.extend(in_child(|| (0..count).map(|_| own.generate().expect("an ID")).collect()));
                assert_eq!(own.stats().expect("stats").scope, Scope::Machine);
                made
            });
            assert_eq!(child.len(), 2 * count);
            all.extend([child, many(count)]);
        }
        drop(ids);
        all.push(in_child(|| {
            let own = build(scheme, &Options::node(7), 0).expect("a generator");
            (0..count).map(|_| own.generate().expect("an ID")).collect()
        }));
        assert_distinct(&all);
    }
    // When a parent drops its generator, its child keeps the nodes.
    let ids = build("snowflake", &Options::nodes(20..24), 0)?;
    let (mut reader, writer) = pipe();
    // SAFETY: as above; the child waits until the parent closes the pipe.
    let child = unsafe { libc::fork() };
    if child == 0 {
        drop(writer);
        let _ = reader.read(&mut [0]);
        let code = i32::from(ids.generate().is_err());
        // SAFETY: as above.
        unsafe { libc::_exit(code) };
    }
    drop(ids);
    assert_eq!(
        build("snowflake", &Options::nodes(22..26), 0).map(|_| ()).map_err(|error| error.kind()),
        Err(ErrorKind::NodeInUse)
    );
    drop((writer, reader));
    let mut status = 0;
    // SAFETY: waits for the child just made.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0);
    build("snowflake", &Options::nodes(22..26), 0)?.generate()?;
    println!("\nID 1");
    Ok(())
}

#[test]
fn generators_with_and_without_allow_collisions_share_a_counter() {
    let Some(machine) = Machine::new("generators_with_and_without_allow_collisions_share_a_counter") else { return };
    let of = |scalability, allow_collisions| {
        let format = UlidFlakeFormat { scalability: Some(scalability), allow_collisions, ..UlidFlakeFormat::default() };
        UlidFlakeGenerator::build(format, &Options::default(), SystemClock, PooledEntropy).expect("a generator")
    };
    for (scalability, first) in [(21, false), (22, true)] {
        let generators = [of(scalability, first), of(scalability, !first)];
        let made = generators.each_ref().map(|ids| (0..100).map(|_| ids.generate().expect("an ID")).collect());
        assert_eq!(assert_distinct(&made), 200);
    }
    drop(machine);
}

#[test]
fn a_state_file_advances_a_counter_that_others_have_begun() {
    let Some(machine) = Machine::new("a_state_file_advances_a_counter_that_others_have_begun") else { return };
    let folder = TempDir::new().expect("a folder");
    let state = folder.path().join("state").to_string_lossy().into_owned();
    let before = machine.run(&format!("state:{state} 7 8 10 0")).ids();
    // The machine reboots with its clock an hour back, and a process without the file comes first.
    fs::remove_file(machine.file()).expect("the file");
    let other = machine.run("snowflake 7 8 10 -3600000").ids();
    let refused = machine.run(&format!("state:{state} 7 8 10 -3600000"));
    assert_eq!(refused.kind(), ErrorKind::ClockBackward.name(), "{refused:?}");
    let after = machine.run(&format!("state:{state} 7 8 10 500")).ids();
    assert_eq!(assert_distinct(&[before, other, after]), 30);
}

#[test]
fn an_unavailable_scope_is_refused() {
    let Some(machine) = Machine::new("an_unavailable_scope_is_refused") else { return };
    let manual = saiban::ManualClock::new(1_763_700_000_000).expect("a time");
    let options = Options::node(7).scope(Scope::Machine);
    let refused = SnowflakeGenerator::build(Layout::TWITTER, &options, &manual).map(|_| ());
    assert_eq!(refused, Err(Error::NoMachineScope), "a clock of its own");
    let wide = Layout::from_text("timestamp:48 node:16 sequence:16 random:48").expect("a layout");
    let refused = saiban::WideFlakeGenerator::build(wide, &options, SystemClock, PooledEntropy).map(|_| ());
    assert_eq!(refused, Err(Error::NoMachineScope), "80 bits for time, node and sequence");
    drop(machine);
}

#[test]
fn processes_that_open_the_same_parts_share_them() {
    let Some(machine) = Machine::new("processes_that_open_the_same_parts_share_them") else {
        return;
    };
    // Each process opens the same 1,024 parts. The table has no room for other ranges, and keeps
    // these.
    let parts = machine.start("parts 0 1024 1000000000 0");
    let mut others: Vec<Child> = (0..3).map(|_| machine.start("parts 0 1024 20000 0")).collect();
    let other = machine.run("sonyflake 0 65536 1 0");
    assert_eq!(other.error, None, "another file");
    let ids: Vec<_> = others.drain(..).map(|child| ended(child).ids()).collect();
    let first = kill_after(parts, 200_000).ids();
    assert!(assert_distinct(ids.iter().chain([&first])) > 60_000);
}
