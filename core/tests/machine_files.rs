//! The cursor files of one machine: deleted, damaged, full, listed and cleared.

#![cfg(any(target_os = "linux", target_vendor = "apple"))]
#![allow(unsafe_code, reason = "fork has no safe form")]

mod machine_processes;
mod this_program;

use machine_processes::{Machine, ROLE, assert_distinct, build, ended, in_child, passed_in_its_own_process, run_role};
use saiban::{Clock, ErrorKind, Generator, Layout, Options, Scope, SnowflakeGenerator, SystemClock};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;
use this_program::this_program;

#[test]
fn a_file_that_is_deleted_while_in_use_is_detected_by_its_users() {
    let Some(machine) = Machine::new("a_file_that_is_deleted_while_in_use_is_detected_by_its_users") else { return };
    for (scheme, count) in [("snowflake", 100_000), ("randflake", 200_000), ("microseconds", 100_000)] {
        let children: Vec<Child> = (0..2).map(|_| machine.start(&format!("{scheme} 7 8 {count} 0"))).collect();
        let mut late = Vec::new();
        for _ in 0..5 {
            thread::sleep(Duration::from_millis(30));
            for file in fs::read_dir(machine.path()).expect("a folder") {
                // Another process may have deleted the file meanwhile.
                let _ = fs::remove_file(file.expect("a file").path());
            }
            late.push(machine.start(&format!("{scheme} 7 8 5000 0")));
        }
        let all: Vec<_> = children.into_iter().chain(late).map(|child| ended(child).ids()).collect();
        assert_eq!(assert_distinct(&all), 2 * count + 25_000, "{scheme}");
    }
}

#[test]
fn a_process_that_changes_its_folder_and_variables_goes_on_in_the_same_file() {
    const TEST: &str = "a_process_that_changes_its_folder_and_variables_goes_on_in_the_same_file";
    if std::env::var(ROLE).is_ok() {
        // SAFETY: this process has one thread that reads the environment, this one.
        unsafe { std::env::set_var("SAIBAN_RUN_DIR", "here") };
        let ids = build("snowflake", &Options::node(7), 0).expect("a generator");
        let mut all = vec![ids.generate().expect("an ID")];
        let name = fs::read_dir("here").expect("a folder").next().expect("a file").expect("a file").file_name();
        let file = fs::canonicalize("here").expect("a path").join(name);
        // SAFETY: as above.
        unsafe { std::env::set_var("SAIBAN_RUN_DIR", "elsewhere") };
        std::env::set_current_dir("/").expect("a folder");
        fs::remove_file(&file).expect("the file");
        thread::sleep(Duration::from_millis(3));
        all.push(ids.generate().expect("an ID"));
        assert!(file.exists(), "the new file is where the old one was");
        let other = build("snowflake", &Options::node(7), 0).expect("a generator");
        all.push(other.generate().expect("an ID"));
        println!();
        all.iter().for_each(|id| println!("ID {id}"));
        return;
    }
    let machine = Machine::new(TEST).expect("the test");
    let mut command = this_program();
    command.args(["--exact", TEST, "--nocapture"]).env(ROLE, "here").current_dir(machine.path());
    let ids = ended(command.stdout(Stdio::piped()).spawn().expect("a process")).ids();
    assert_eq!(assert_distinct(&[ids]), 3);
}

#[test]
fn a_daemon_that_closes_all_files_keeps_its_nodes() {
    if passed_in_its_own_process("a_daemon_that_closes_all_files_keeps_its_nodes") {
        return;
    }
    let ids = build("snowflake", &Options::nodes(4..8), 0).expect("a generator");
    let first = ids.generate().expect("an ID");
    for file in 3..64 {
        // SAFETY: the files are closed as a daemon closes them, and this test uses none of them.
        unsafe { libc::close(file) };
    }
    // The descriptor that was closed may belong to another file now, which must stay open.
    let others: Vec<File> = (0..8).map(|_| File::open("/dev/null").expect("a file")).collect();
    thread::sleep(Duration::from_millis(3));
    assert_ne!(ids.generate().expect("an ID"), first);
    let refused = in_child(|| {
        let overlapping = build("snowflake", &Options::nodes(6..9), 0).map(|_| ());
        vec![i64::from(overlapping.map_err(|error| error.kind()) == Err(ErrorKind::NodeInUse))]
    });
    assert_eq!(refused, [1]);
    drop(ids);
    assert!(others.iter().all(|file| file.metadata().is_ok()), "nobody closed them");
    // An idle generator does not close other files either.
    drop(others);
    let idle = build("snowflake", &Options::nodes(4..8), 0).expect("a generator");
    for file in 3..64 {
        // SAFETY: as above.
        unsafe { libc::close(file) };
    }
    let others: Vec<File> = (0..8).map(|_| File::open("/dev/null").expect("a file")).collect();
    drop(idle);
    assert!(others.iter().all(|file| file.metadata().is_ok()), "nobody closed them");
    println!("\nID 1");
}

#[test]
fn files_of_other_versions_and_programs_are_refused() {
    let Some(machine) = Machine::new("files_of_other_versions_and_programs_are_refused") else { return };
    machine.run("snowflake 7 8 1 0").ids();
    let file = machine.file();
    let whole = fs::read(&file).expect("a file");
    let mut newer = whole.clone();
    newer[7] = 9;
    for (bytes, wanted) in
        [(newer, "format 9"), (whole[..4_096].to_vec(), "damaged"), (vec![7; whole.len()], "damaged")]
    {
        fs::write(&file, bytes).expect("a file");
        let refused = machine.run("snowflake 7 8 1 0");
        assert_eq!(refused.kind(), ErrorKind::StateMismatch.name());
        assert!(refused.error.as_ref().expect("an error").contains(wanted), "{refused:?}");
    }
    // The process that made the file was killed before the file was complete.
    for bytes in [Vec::new(), vec![0; whole.len()]] {
        fs::write(&file, bytes).expect("a file");
        assert_eq!(machine.run("snowflake 7 8 5 0").ids().len(), 5);
    }
}

#[test]
fn a_folder_that_is_missing_or_cannot_be_written_is_named() {
    let Some(machine) = Machine::new("a_folder_that_is_missing_or_cannot_be_written_is_named") else { return };
    fs::write(machine.path().join("file"), "").expect("a file");
    symlink("nowhere", machine.path().join("link")).expect("a link");
    for name in ["no/folder", "file", "link"] {
        let path = machine.path().join(name);
        let mut command = this_program();
        command
            .args(["--exact", machine.test, "--nocapture"])
            .env(ROLE, "snowflake 7 8 1 0")
            .env("SAIBAN_RUN_DIR", &path);
        let refused = ended(command.stdout(Stdio::piped()).spawn().expect("a process"));
        assert_eq!(refused.kind(), ErrorKind::StateUnavailable.name(), "{name}");
        let error = refused.error.expect("an error");
        assert!(error.contains(&*path.to_string_lossy()) && error.contains("SAIBAN_RUN_DIR"), "{error}");
    }
}

#[test]
fn a_table_of_many_ranges_does_not_grow() {
    const TEST: &str = "a_table_of_many_ranges_does_not_grow";
    if std::env::var(ROLE).is_ok() {
        // 2,200 ranges in sequence, then all nodes at once.
        let mut out = std::io::stdout().lock();
        writeln!(out).expect("a reader");
        for first in 0..550_u64 {
            for nodes in (2..6).map(|width| first..first + width) {
                let ids = build("snowflake", &Options::nodes(nodes), 0).expect("a generator");
                for _ in 0..20 {
                    writeln!(out, "ID {}", ids.generate().expect("an ID")).expect("a reader");
                }
            }
        }
        let ids = build("snowflake", &Options::nodes(0..1024), 0).expect("a generator");
        for _ in 0..10_000 {
            writeln!(out, "ID {}", ids.generate().expect("an ID")).expect("a reader");
        }
        return;
    }
    let machine = Machine::new(TEST).expect("the test");
    let ids = machine.run("").ids();
    assert_eq!(assert_distinct(&[ids]), 54_000);
    assert_eq!(fs::metadata(machine.file()).expect("a file").len(), 256 * 2_048);
    assert_eq!(fs::metadata(machine.file()).expect("a file").permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_content_of_the_files_is_shown_and_cleared() {
    const TEST: &str = "the_content_of_the_files_is_shown_and_cleared";
    let role = std::env::var(ROLE).unwrap_or_default();
    if !matches!(&*role, "" | "here") {
        return run_role(&role);
    }
    if role.is_empty() {
        let machine = Machine::new(TEST).expect("the test");
        assert_eq!(machine.run("snowflake 40 44 1 7200000").ids().len(), 1, "two hours ahead");
        fs::write(machine.path().join("another-1ns-epoch1ms-shift0"), "a program's own").expect("a file");
        fs::write(machine.path().join("notes"), "no file of ours").expect("a file");
        assert_eq!(machine.run("here").ids(), [1]);
        return;
    }
    let shown = || saiban::nodes::list().expect("a list");
    let spaces = shown();
    assert_eq!(
        spaces.iter().map(|space| space.problem).collect::<Vec<_>>(),
        [Some(saiban::CursorFileProblem::Damaged), None]
    );
    let ids = build("snowflake", &Options::nodes(4..8), 0).expect("a generator");
    let time_ms = |ids: &dyn Generator<Id = i64>| {
        let parts = ids.inspect(ids.generate().expect("an ID")).expect("parts");
        parts.timestamp_ms.expect("a time")
    };
    let last = time_ms(&*ids);
    let space = shown().remove(1);
    assert_eq!((space.tick_ns, space.epoch_ms), (1_000_000, Layout::TWITTER.epoch_ms()));
    let [used, ahead] = &space.ranges[..] else { panic!("{space:?}") };
    let now_ms = i64::try_from(SystemClock.now_ns().expect("a time") / 1_000_000).expect("a time");
    assert_eq!((used.nodes.clone(), used.is_open, used.is_leased), (4..8, true, false));
    assert_eq!(used.free_from_ms, last + 1);
    assert_eq!((ahead.nodes.clone(), ahead.is_open, ahead.processes.len()), (40..44, false, 0));
    assert!((now_ms + 7_100_000..now_ms + 7_300_000).contains(&ahead.free_from_ms), "{ahead:?}");
    if cfg!(target_os = "linux") {
        assert_eq!(used.processes, [std::process::id()]);
    }
    // Clearing fails while the nodes are in use, for these nodes and for the whole file.
    let clear = |nodes| saiban::nodes::clear(&space.path, nodes).map_err(|error| error.kind());
    assert_eq!(clear(Some(7..9)), Err(ErrorKind::NodeInUse));
    assert_eq!(clear(None), Err(ErrorKind::NodeInUse));
    assert_eq!(clear(Some(8..9)), Ok(0));
    assert_eq!(clear(Some(40..41)), Ok(1));
    assert_eq!(shown()[1].ranges.len(), 1);
    drop(ids);
    assert_eq!(clear(None), Ok(1));
    let again = build("snowflake", &Options::nodes(4..8), 0).expect("a generator");
    assert!(time_ms(&*again) > last, "it begins with the next tick");
    assert_eq!(saiban::nodes::clear("/nowhere/numbers-1ns-epoch0ms-shift0", None).map_err(|error| error.kind()), {
        Err(ErrorKind::StateUnavailable)
    });
    assert!(!Path::new("/nowhere").exists());
    println!("\nID 1");
}

#[test]
fn the_parts_of_a_generator_take_one_open_file() {
    if passed_in_its_own_process("the_parts_of_a_generator_take_one_open_file") {
        return;
    }
    let open_files = || fs::read_dir("/dev/fd").expect("this process's files").count();
    let before = open_files();
    let options = Options::nodes(0..1024).shards(64).scope(Scope::Machine);
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &options, SystemClock).expect("a generator");
    assert_eq!(open_files(), before + 1);
    ids.generate().expect("an ID");
    drop(ids);
    assert_eq!(open_files(), before);
    println!("\nID 1");
}
