//! Generators of one machine: processes with the same nodes, each a run of this very test program, that count with one word.

#![cfg(any(target_os = "linux", target_vendor = "apple"))]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::{
    Clock, Error, ErrorKind, Generator, Grant, Layout, Options, PooledEntropy, Randflake, Scheme, Scope, Secret,
    Snowflake, SystemClock, UlidFlake, UlidFlakeFormat,
};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a process is told to do; without it this is the test, which starts the processes.
const ROLE: &str = "SAIBAN_TEST_ROLE";

/// The system's clock, some milliseconds ahead or behind.
struct Shifted(i64);

impl Clock for Shifted {
    fn now_ns(&self) -> Result<u64, Error> {
        Ok(SystemClock.now_ns()?.saturating_add_signed(self.0 * 1_000_000))
    }

    fn wait(&self, duration: Duration) -> bool {
        SystemClock.wait(duration)
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

fn build(scheme: &str, options: &Options, shift_ms: i64) -> Result<Box<dyn Generator>, Error> {
    let (options, clock) = (options.clone().scope(Scope::Machine), Shifted(shift_ms));
    Ok(match scheme {
        scheme if scheme.starts_with("state:") => {
            let options = options.state(scheme.trim_start_matches("state:"));
            Box::new(Snowflake::<_>::build(Layout::TWITTER, &options, clock)?)
        }
        "snowflake" if shift_ms == 0 => Box::new(Snowflake::<_>::build(Layout::TWITTER, &options, SystemClock)?),
        "snowflake" => Box::new(Snowflake::<_>::build(Layout::TWITTER, &options, clock)?),
        "parts" => Box::new(Snowflake::<_>::build(Layout::TWITTER, &options.shards(1_024), SystemClock)?),
        "sonyflake" => Box::new(Snowflake::<_>::build(Layout::SONYFLAKE, &options, clock)?),
        "rollback" => Box::new(Snowflake::<_>::build(Layout::TWITTER.with_rollback_bits(2)?, &options, clock)?),
        "microseconds" => {
            let layout = Layout::from_text("unused:1 timestamp:52@us,epoch=2025-01-01 node:6 sequence:5")?;
            Box::new(saiban::Flake::<_>::build(layout, &options, clock, PooledEntropy)?)
        }
        "randflake" if shift_ms == 0 => Box::new(Randflake::<_>::build(&Secret::new([3; 16]), &options, SystemClock)?),
        "randflake" => Box::new(Randflake::<_>::build(&Secret::new([3; 16]), &options, clock)?),
        _ => {
            let format = UlidFlakeFormat { scalability: options.node, ..UlidFlakeFormat::default() };
            let options = Options { node: None, ..options };
            Box::new(UlidFlake::<_>::build(format, &options, clock, PooledEntropy)?)
        }
    })
}

/// What a process does: `SCHEME FIRST END COUNT SHIFT_MS`. It prints its IDs as they come, or the kind of an error.
fn live(role: &str) {
    let words: Vec<&str> = role.split(' ').collect();
    let number = |index: usize| words[index].parse::<i64>().expect("a number");
    let options =
        if number(1) + 1 == number(2) { Options::node(number(1)) } else { Options::nodes(number(1)..number(2)) };
    let mut out = std::io::stdout().lock();
    let made = build(words[0], &options, number(4)).and_then(|ids| {
        writeln!(out, "\nbuilt").expect("a reader");
        for _ in 0..number(3) {
            let id = ids.generate()?;
            writeln!(out, "ID {id}").expect("a reader");
        }
        Ok(())
    });
    if let Err(error) = made {
        writeln!(out, "\nERROR {} {error}", error.kind().name()).expect("a reader");
    }
}

/// A machine's memory, and the test that starts processes on it.
struct Machine {
    folder: TempDir,
    test: &'static str,
}

/// What a process printed.
#[derive(Debug, Default)]
struct Printed {
    ids: Vec<i64>,
    error: Option<String>,
}

impl Printed {
    fn of(text: &str) -> Self {
        let ids = text.lines().filter_map(|line| line.strip_prefix("ID ")?.parse().ok()).collect();
        Printed { ids, error: text.lines().find_map(|line| line.strip_prefix("ERROR ").map(String::from)) }
    }

    fn ids(self) -> Vec<i64> {
        assert_eq!(self.error, None);
        self.ids
    }

    fn kind(&self) -> &str {
        self.error.as_deref().and_then(|error| error.split(' ').next()).unwrap_or("none")
    }
}

impl Machine {
    /// `None` in a process that this test has started: it has done what it was told.
    fn new(test: &'static str) -> Option<Self> {
        if let Ok(role) = std::env::var(ROLE) {
            live(&role);
            return None;
        }
        Some(Machine { folder: TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder"), test })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn start(&self, role: &str) -> Child {
        Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", self.test, "--nocapture"])
            .env(ROLE, role)
            .env("SAIBAN_RUN_DIR", self.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process")
    }

    fn run(&self, role: &str) -> Printed {
        ended(self.start(role))
    }

    /// The only file.
    fn file(&self) -> std::path::PathBuf {
        let files: Vec<_> =
            fs::read_dir(self.path()).expect("a folder").map(|file| file.expect("a file").path()).collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }
}

fn ended(child: Child) -> Printed {
    let output = child.wait_with_output().expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    Printed::of(&text)
}

/// Reads what a process prints until it has made some IDs, and kills it: `kill -9`.
fn kill_after(mut child: Child, bytes: usize) -> Printed {
    let mut out = child.stdout.take().expect("its output");
    let mut read = vec![0; bytes];
    out.read_exact(&mut read).expect("output");
    child.kill().expect("a process to kill");
    out.read_to_end(&mut read).expect("output");
    child.wait().expect("a process");
    let text = String::from_utf8_lossy(&read);
    // The last line may be cut off.
    Printed::of(&text[..text.rfind('\n').unwrap_or(0)])
}

#[track_caller]
fn assert_distinct<'a>(ids: impl IntoIterator<Item = &'a Vec<i64>>) -> usize {
    let (mut seen, mut count) = (HashSet::new(), 0);
    for id in ids.into_iter().flatten() {
        assert!(seen.insert(*id), "{id} comes twice");
        count += 1;
    }
    count
}

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
        let scalable = UlidFlake::scalable(7).expect("a generator");
        let ulid_flake = UlidFlake::new().expect("a generator");
        let generators: [Box<dyn Generator>; 4] = [
            Box::new(Snowflake::new(7).expect("a generator")),
            Box::new(Randflake::new(&Secret::new([3; 16]), 7).expect("a generator")),
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
    let ids: Vec<_> = children.into_iter().map(|child| ended(child).ids()).collect();
    assert_eq!(assert_distinct(&ids), 4 * 800);
}

#[test]
fn a_program_started_again_goes_on_where_it_was_killed() {
    let Some(machine) = Machine::new("a_program_started_again_goes_on_where_it_was_killed") else { return };
    for scheme in ["snowflake", "randflake", "rollback"] {
        let mut all = Vec::new();
        for round in 0..20_usize {
            // The clock steps back by 2 ms with each life.
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
    // Beside it there is room.
    assert_eq!(machine.run("snowflake 8 9 10 0").ids().len(), 10);
    let killed = kill_after(child, 5_000);
    let next = machine.run("snowflake 6 9 5000 0").ids();
    assert_distinct(&[killed.ids, next]);
}

#[test]
fn a_file_that_is_deleted_while_in_use_is_noticed_by_who_uses_it() {
    let Some(machine) = Machine::new("a_file_that_is_deleted_while_in_use_is_noticed_by_who_uses_it") else { return };
    for (scheme, count) in [("snowflake", 100_000), ("randflake", 200_000), ("microseconds", 100_000)] {
        let children: Vec<Child> = (0..2).map(|_| machine.start(&format!("{scheme} 7 8 {count} 0"))).collect();
        let mut late = Vec::new();
        for _ in 0..5 {
            thread::sleep(Duration::from_millis(30));
            for file in fs::read_dir(machine.path()).expect("a folder") {
                // Another one may be deleted by the time that this is looked at.
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
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", TEST, "--nocapture"]).env(ROLE, "here").current_dir(machine.path());
    let ids = ended(command.stdout(Stdio::piped()).spawn().expect("a process")).ids();
    assert_eq!(assert_distinct(&[ids]), 3);
}

#[test]
fn a_daemon_that_closes_all_files_keeps_its_nodes() {
    const TEST: &str = "a_daemon_that_closes_all_files_keeps_its_nodes";
    if std::env::var(ROLE).is_err() {
        let machine = Machine::new(TEST).expect("the test");
        assert_eq!(machine.run("here").ids(), [1]);
        return;
    }
    let ids = build("snowflake", &Options::nodes(4..8), 0).expect("a generator");
    let first = ids.generate().expect("an ID");
    for file in 3..64 {
        // SAFETY: what these files are for is lost, as in a daemon: this test uses none of them.
        unsafe { libc::close(file) };
    }
    // The number of the file that was closed may be another one's, which stays open.
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
    // A generator that makes nothing after that.
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
fn a_state_file_beside_a_shared_word_holds_up_nobody() {
    const TEST: &str = "a_state_file_beside_a_shared_word_holds_up_nobody";
    if let Ok(state) = std::env::var(ROLE) {
        let plain = build("snowflake", &Options::node(7), 0).expect("a generator");
        let mut all = vec![plain.generate().expect("an ID")];
        drop(plain);
        // Never closed, as if it was killed: its file says 100 ms more than was used.
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
    // The machine starts again: only the state file is left.
    fs::remove_file(machine.file()).expect("the file");
    all.push(machine.run(&state).ids());
    assert_eq!(assert_distinct(&all), 6);
}

#[test]
fn a_word_far_ahead_of_the_clock_is_refused_with_its_file() {
    let Some(machine) = Machine::new("a_word_far_ahead_of_the_clock_is_refused_with_its_file") else { return };
    // Two days ahead; then the clock is set.
    assert_eq!(machine.run("snowflake 7 8 10 172800000").ids().len(), 10);
    let refused = machine.run("snowflake 7 8 1 0");
    assert_eq!(refused.kind(), ErrorKind::ClockBackward.name());
    let error = refused.error.expect("an error");
    let file = machine.file();
    assert!(error.contains(&*file.to_string_lossy()) && error.contains("172"), "{error}");
    assert!(error.contains("saiban nodes clear"), "{error}");
    // An hour ahead: that is a step back of the clock, and the policy's.
    assert_eq!(machine.run("snowflake 9 10 4096 3600000").ids().len(), 4096);
    let held = machine.run("snowflake 9 10 10000 0");
    assert_eq!(held.kind(), ErrorKind::ClockBackward.name());
    assert!(held.error.expect("an error").contains(&*file.to_string_lossy()));
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
    // Its maker was killed before it was complete.
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
        let mut command = Command::new(std::env::current_exe().expect("this program"));
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
fn a_table_of_many_ranges_stays_as_long_as_it_is() {
    const TEST: &str = "a_table_of_many_ranges_stays_as_long_as_it_is";
    if std::env::var(ROLE).is_ok() {
        // 2,200 ranges, one after the other, and then all nodes at once.
        let mut out = std::io::stdout().lock();
        writeln!(out).expect("a reader");
        for first in 0..550_i64 {
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

/// A pipe: its reading and its writing end.
fn pipe() -> (File, File) {
    let mut ends = [0; 2];
    // SAFETY: there is room for two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0, "a pipe");
    // SAFETY: both were just opened, and are nobody else's.
    ends.map(|end| unsafe { File::from_raw_fd(end) }).into()
}

/// Runs this in a child made by fork, which writes the IDs that it makes, and returns them.
fn in_child(body: impl FnOnce() -> Vec<i64>) -> Vec<i64> {
    let (mut reader, writer) = pipe();
    // SAFETY: the child runs only `body`, which takes no lock that another thread may have held, and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let bytes: Vec<u8> = body().into_iter().flat_map(i64::to_le_bytes).collect();
        let written = { writer }.write_all(&bytes);
        // SAFETY: ends the child at once, without what the parent's threads would want at exit.
        unsafe { libc::_exit(written.is_err().into()) };
    }
    drop(writer);
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).expect("the child's IDs");
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0, "the child ended well");
    bytes.chunks(8).map(|bytes| i64::from_le_bytes(bytes.try_into().expect("8 bytes"))).collect()
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
                // Its own generator for the node, and a grandchild's, too.
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
    // A parent that lets go of its generator leaves its children what they have.
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

/// A grant of Twitter's nodes from now on, in milliseconds, as a store gives it that every process knows by this number.
fn granted(space: u64, nodes: std::ops::Range<i64>, from_ms: i64, to_ms: i64) -> Grant {
    let now_ms = i64::try_from(SystemClock.now_ns().expect("a time") / 1_000_000).expect("a time");
    let (start_us, end_us) = ((now_ms + from_ms) * 1_000, (now_ms + to_ms) * 1_000);
    let grant = Grant::new(Scheme::Snowflake, Layout::TWITTER, None, nodes, start_us, end_us).expect("a grant");
    grant.of_space(space, Scope::Machine)
}

fn leased(grant: &Grant) -> Result<Snowflake, Error> {
    Snowflake::build(Layout::TWITTER, &Options::default().grant(grant).scope(Scope::Machine), SystemClock)
}

/// The answer of a process that opens another grant: `SPACE FIRST END FROM_MS TO_MS COUNT`.
fn live_leased(role: &str) {
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
        return live_leased(&role);
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
    assert_eq!(machine.run("2 6 9 0 600000 10").ids().len(), 10, "of another name space");
    assert_eq!(machine.run("1 8 9 0 600000 10").ids().len(), 10, "beside it");
    let killed = kill_after(worker, 5_000).ids;
    assert_distinct(&[killed, machine.run("1 6 9 0 600000 10000").ids()]);
}

#[test]
fn a_lease_that_is_closed_leaves_its_word_to_others() {
    const TEST: &str = "a_lease_that_is_closed_leaves_its_word_to_others";
    match std::env::var(ROLE).as_deref() {
        Ok("closes") => {}
        Ok(_) => {
            // It prints nothing before its end: nobody reads that meanwhile.
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
            // Beside it another one counts with the same word, as after a store was put back.
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
                // Far longer than it takes to close the lease.
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
        // Also in ticks that the other one has begun.
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
    // Its generators live, and its nodes are free; the word is where it was for the next lease.
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
    // What a lease had left is no reason to refuse the node to a child.
    let parents = build("snowflake", &Options::nodes(40..44), 0).expect("a generator");
    parents.generate().expect("an ID");
    let childs = in_child(|| vec![i64::from(build("snowflake", &Options::nodes(40..44), 0).is_ok())]);
    assert_eq!(childs, [1]);
}

#[test]
fn leases_that_are_not_used_move_nothing_on() {
    const TEST: &str = "leases_that_are_not_used_move_nothing_on";
    if std::env::var(ROLE).is_err() {
        let machine = Machine::new(TEST).expect("the test");
        assert_eq!(machine.run("here").ids(), [1]);
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
        Randflake::<_>::build(&secret, &Options::default().grant(grant), SystemClock).expect("a generator")
    };
    let first = grant();
    let id = ids_of(&first).generate().expect("an ID");
    let used = first.close().expect("its own process");
    // Each is given back as it was granted: nobody has to wait for seconds that nobody has used.
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
fn who_allows_collisions_counts_with_who_does_not() {
    let Some(machine) = Machine::new("who_allows_collisions_counts_with_who_does_not") else { return };
    let of = |scalability, allow_collisions| {
        let format = UlidFlakeFormat { scalability: Some(scalability), allow_collisions, ..UlidFlakeFormat::default() };
        UlidFlake::<_>::build(format, &Options::default(), SystemClock, PooledEntropy).expect("a generator")
    };
    for (scalability, first) in [(21, false), (22, true)] {
        let generators = [of(scalability, first), of(scalability, !first)];
        let made = generators.each_ref().map(|ids| (0..100).map(|_| ids.generate().expect("an ID")).collect());
        assert_eq!(assert_distinct(&made), 200);
    }
    drop(machine);
}

#[test]
fn a_state_file_is_told_to_a_word_that_others_have_begun() {
    let Some(machine) = Machine::new("a_state_file_is_told_to_a_word_that_others_have_begun") else { return };
    let folder = TempDir::new().expect("a folder");
    let state = folder.path().join("state").to_string_lossy().into_owned();
    let before = machine.run(&format!("state:{state} 7 8 10 0")).ids();
    // The machine starts again with its clock an hour back, and somebody without the file is first.
    fs::remove_file(machine.file()).expect("the file");
    let other = machine.run("snowflake 7 8 10 -3600000").ids();
    let refused = machine.run(&format!("state:{state} 7 8 10 -3600000"));
    assert_eq!(refused.kind(), ErrorKind::ClockBackward.name(), "{refused:?}");
    let after = machine.run(&format!("state:{state} 7 8 10 500")).ids();
    assert_eq!(assert_distinct(&[before, other, after]), 30);
}

#[test]
fn a_lease_that_is_renewed_keeps_its_nodes_from_others() {
    const TEST: &str = "a_lease_that_is_renewed_keeps_its_nodes_from_others";
    if std::env::var(ROLE).is_err() {
        let machine = Machine::new(TEST).expect("the test");
        assert_eq!(machine.run("here").ids(), [1]);
        return;
    }
    let grant = granted(1, 4..8, 0, 60_000);
    let ids = leased(&grant).expect("a generator");
    ids.generate().expect("an ID");
    let later = |from_ms| in_child(move || vec![i64::from(leased(&granted(1, 6..9, from_ms, 900_000)).is_ok())]);
    assert_eq!(later(61_000), [1], "after its end");
    grant.extend((grant.end_ms() + 600_000) * 1_000);
    assert_eq!(later(61_000), [0], "its end has moved on");
    // In a new file, too.
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
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", TEST, "--nocapture"]).env(ROLE, "here").env("SAIBAN_RUN_DIR", file);
        assert_eq!(ended(command.stdout(Stdio::piped()).spawn().expect("a process")).ids(), [1]);
        return;
    }
    let grant = granted(1, 4..8, 0, 60_000);
    assert_eq!(leased(&grant).map(|_| ()).map_err(|error| error.kind()), Err(ErrorKind::StateUnavailable));
    let ids: Snowflake =
        Snowflake::build(Layout::TWITTER, &Options::default().grant(&grant), SystemClock).expect("a generator");
    assert_eq!(ids.stats().expect("stats").scope, Scope::Process, "the store keeps processes apart");
    // Another one joins it, though it would rather have the machine's words.
    let another: Snowflake =
        Snowflake::build(Layout::TWITTER, &Options::default().grant(&grant), SystemClock).expect("a generator");
    assert_ne!(ids.generate().expect("an ID"), another.generate().expect("an ID"));
    println!("\nID 1");
}

#[test]
fn what_the_files_hold_is_shown_and_cleared() {
    const TEST: &str = "what_the_files_hold_is_shown_and_cleared";
    let role = std::env::var(ROLE).unwrap_or_default();
    if !matches!(&*role, "" | "here") {
        return live(&role);
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
    let time_ms = |ids: &dyn Generator| {
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
    // In use: neither these nodes nor the whole file.
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
fn a_scope_that_cannot_be_had_is_refused() {
    let Some(machine) = Machine::new("a_scope_that_cannot_be_had_is_refused") else { return };
    let manual = saiban::ManualClock::new(1_763_700_000_000).expect("a time");
    let options = Options::node(7).scope(Scope::Machine);
    let refused = Snowflake::<_>::build(Layout::TWITTER, &options, &manual).map(|_| ());
    assert_eq!(refused, Err(Error::NoMachineScope), "a clock of its own");
    let wide = Layout::from_text("timestamp:48 node:16 sequence:16 random:48").expect("a layout");
    let refused = saiban::WideFlake::<_>::build(wide, &options, SystemClock, PooledEntropy).map(|_| ());
    assert_eq!(refused, Err(Error::NoMachineScope), "80 bits for time, node and sequence");
    let now_us = i64::try_from(SystemClock.now_ns().expect("a time") / 1_000).expect("a time");
    let grant = Grant::new(Scheme::Snowflake, Layout::TWITTER, None, 0..4, now_us, now_us + 60_000_000);
    let refused = leased(&grant.expect("a grant").of_space(1, Scope::Process)).map(|_| ());
    assert_eq!(refused, Err(Error::NoMachineScope), "a store of this process's own");
    drop(machine);
}

#[test]
fn parts_of_generators_are_in_use_for_those_that_open_the_same_parts() {
    let Some(machine) = Machine::new("parts_of_generators_are_in_use_for_those_that_open_the_same_parts") else {
        return;
    };
    // 1,024 parts each: the table has no room for others, and takes none from them.
    let parts = machine.start("parts 0 1024 1000000000 0");
    let mut others: Vec<Child> = (0..3).map(|_| machine.start("parts 0 1024 20000 0")).collect();
    let other = machine.run("sonyflake 0 65536 1 0");
    assert_eq!(other.error, None, "another file");
    let ids: Vec<_> = others.drain(..).map(|child| ended(child).ids()).collect();
    let first = kill_after(parts, 200_000).ids();
    assert!(assert_distinct(ids.iter().chain([&first])) > 60_000);
}

#[test]
fn the_parts_of_a_generator_take_one_open_file() {
    const TEST: &str = "the_parts_of_a_generator_take_one_open_file";
    if std::env::var(ROLE).is_err() {
        let machine = Machine::new(TEST).expect("the test");
        assert_eq!(machine.run("here").ids(), [1]);
        return;
    }
    let open_files = || fs::read_dir("/dev/fd").expect("this process's files").count();
    let before = open_files();
    let options = Options::nodes(0..1024).shards(64).scope(Scope::Machine);
    let ids: Snowflake = Snowflake::build(Layout::TWITTER, &options, SystemClock).expect("a generator");
    assert_eq!(open_files(), before + 1);
    ids.generate().expect("an ID");
    drop(ids);
    assert_eq!(open_files(), before);
    println!("\nID 1");
}
