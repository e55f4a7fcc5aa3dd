//! Processes of one machine, each running the test program itself, with a folder for their cursor
//! files.

#![allow(dead_code, reason = "no test program uses all of it")]

use crate::this_program::this_program;
use saiban::{
    Clock, Error, Generator, Layout, Options, PooledEntropy, RandflakeGenerator, Scope, Secret, SnowflakeGenerator,
    SystemClock, UlidFlakeFormat, UlidFlakeGenerator,
};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// The variable with a process's task; the test itself runs without it and starts the processes.
pub const ROLE: &str = "SAIBAN_TEST_ROLE";

/// The system clock, shifted by some milliseconds.
pub struct Shifted(pub i64);

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

pub fn build(scheme: &str, options: &Options, shift_ms: i64) -> Result<Box<dyn Generator<Id = i64>>, Error> {
    // This exceeds the sum of all steps back in a test: processes that start quickly would exceed
    // the default of two ticks.
    let options = options.clone().scope(Scope::Machine).max_wait(Duration::from_secs(3));
    let clock = Shifted(shift_ms);
    Ok(match scheme {
        scheme if scheme.starts_with("state:") => {
            let options = options.state(scheme.trim_start_matches("state:"));
            Box::new(SnowflakeGenerator::build(Layout::TWITTER, &options, clock)?)
        }
        "snowflake" if shift_ms == 0 => Box::new(SnowflakeGenerator::build(Layout::TWITTER, &options, SystemClock)?),
        "snowflake" => Box::new(SnowflakeGenerator::build(Layout::TWITTER, &options, clock)?),
        "parts" => Box::new(SnowflakeGenerator::build(Layout::TWITTER, &options.shards(1_024), SystemClock)?),
        "sonyflake" => Box::new(SnowflakeGenerator::build(Layout::SONYFLAKE, &options, clock)?),
        "rollback" => Box::new(SnowflakeGenerator::build(Layout::TWITTER.with_rollback_bits(2)?, &options, clock)?),
        "microseconds" => {
            let layout = Layout::from_text("unused:1 timestamp:52@us,epoch=2025-01-01 node:6 sequence:5")?;
            Box::new(saiban::FlakeGenerator::build(layout, &options, clock, PooledEntropy)?)
        }
        "randflake" if shift_ms == 0 => {
            Box::new(RandflakeGenerator::build(&Secret::new([3; 16]), &options, SystemClock)?)
        }
        "randflake" => Box::new(RandflakeGenerator::build(&Secret::new([3; 16]), &options, clock)?),
        _ => {
            let format = UlidFlakeFormat { scalability: options.node, ..UlidFlakeFormat::default() };
            let mut options = options;
            options.node = None;
            Box::new(UlidFlakeGenerator::build(format, &options, clock, PooledEntropy)?)
        }
    })
}

/// Runs a process's task: `SCHEME FIRST END COUNT SHIFT_MS`. It prints its IDs one by one, or the
/// kind of an error.
pub fn run_role(role: &str) {
    let words: Vec<&str> = role.split(' ').collect();
    let number = |index: usize| words[index].parse::<i64>().expect("a number");
    let node = |index: usize| words[index].parse::<u64>().expect("a node");
    let options = if node(1) + 1 == node(2) { Options::node(node(1)) } else { Options::nodes(node(1)..node(2)) };
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

/// The folder of a machine's cursor files, and the test that starts processes.
pub struct Machine {
    pub folder: TempDir,
    pub test: &'static str,
}

/// The output of a process.
#[derive(Debug, Default)]
pub struct Printed {
    pub ids: Vec<i64>,
    pub error: Option<String>,
}

impl Printed {
    fn of(text: &str) -> Self {
        let ids = text.lines().filter_map(|line| line.strip_prefix("ID ")?.parse().ok()).collect();
        Printed { ids, error: text.lines().find_map(|line| line.strip_prefix("ERROR ").map(String::from)) }
    }

    pub fn ids(self) -> Vec<i64> {
        assert_eq!(self.error, None);
        self.ids
    }

    pub fn kind(&self) -> &str {
        self.error.as_deref().and_then(|error| error.split(' ').next()).unwrap_or("none")
    }
}

impl Machine {
    /// Returns `None` in a process that this test started, after its task is done.
    pub fn new(test: &'static str) -> Option<Self> {
        if let Ok(role) = std::env::var(ROLE) {
            run_role(&role);
            return None;
        }
        Some(Machine { folder: TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder"), test })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn start(&self, role: &str) -> Child {
        this_program()
            .args(["--exact", self.test, "--nocapture"])
            .env(ROLE, role)
            .env("SAIBAN_RUN_DIR", self.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process")
    }

    pub fn run(&self, role: &str) -> Printed {
        ended(self.start(role))
    }

    /// Returns the path of the only file.
    pub fn file(&self) -> std::path::PathBuf {
        let files: Vec<_> =
            fs::read_dir(self.path()).expect("a folder").map(|file| file.expect("a file").path()).collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }
}

/// Runs this test in a separate process with its own folder for cursor files, where it prints `ID
/// 1` when it has passed. Returns true in the process that started it, which has nothing left to
/// do.
pub fn passed_in_its_own_process(test: &'static str) -> bool {
    if std::env::var(ROLE).is_ok() {
        return false;
    }
    let machine = Machine::new(test).expect("the test");
    assert_eq!(machine.run("here").ids(), [1]);
    true
}

pub fn ended(child: Child) -> Printed {
    let output = child.wait_with_output().expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    Printed::of(&text)
}

/// Reads this many bytes of a process's output, and kills the process (`kill -9`).
pub fn kill_after(mut child: Child, bytes: usize) -> Printed {
    let mut out = child.stdout.take().expect("its output");
    let mut read = Vec::new();
    out.by_ref().take(bytes as u64).read_to_end(&mut read).expect("output");
    assert_eq!(read.len(), bytes, "it ended by itself: {}", String::from_utf8_lossy(&read));
    child.kill().expect("a process to kill");
    out.read_to_end(&mut read).expect("output");
    child.wait().expect("a process");
    let text = String::from_utf8_lossy(&read);
    // The last line may be incomplete.
    Printed::of(&text[..text.rfind('\n').unwrap_or(0)])
}

#[track_caller]
pub fn assert_distinct<'a>(ids: impl IntoIterator<Item = &'a Vec<i64>>) -> usize {
    let (mut seen, mut count) = (HashSet::new(), 0);
    for id in ids.into_iter().flatten() {
        assert!(seen.insert(*id), "{id} comes twice");
        count += 1;
    }
    count
}

/// Returns the reading and the writing end of a pipe.
pub fn pipe() -> (File, File) {
    let mut ends = [0; 2];
    // SAFETY: there is room for two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0, "a pipe");
    // SAFETY: both were just opened, and nothing else uses them.
    ends.map(|end| unsafe { File::from_raw_fd(end) }).into()
}

/// Runs `body` in a forked child, and returns the IDs that it made.
pub fn in_child(body: impl FnOnce() -> Vec<i64>) -> Vec<i64> {
    let (mut reader, writer) = pipe();
    // SAFETY: the child runs only `body`, which takes no lock that another thread may have held,
    // and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let bytes: Vec<u8> = body().into_iter().flat_map(i64::to_le_bytes).collect();
        let written = { writer }.write_all(&bytes);
        // SAFETY: ends the child at once, without running exit handlers.
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
