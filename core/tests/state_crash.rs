//! Processes with a state file are killed (`kill -9`) at random moments, one after another, while
//! the clock is set back between them.

#![cfg(unix)]

mod this_program;

use saiban::{
    Error, Generator, Layout, ManualClock, Options, PooledEntropy, RandflakeGenerator, Secret, SnowflakeGenerator,
    UlidFlakeFormat, UlidFlakeGenerator,
};
use std::collections::HashSet;
use std::error::Error as StdError;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};
use this_program::this_program;

/// The variable of the processes to be killed: the scheme, the clock's time, the number of IDs
/// before a clean end, the file.
const ROLE: &str = "SAIBAN_TEST_PROCESS";
const THIS_TEST: &str = "no_process_repeats_an_id_of_an_earlier_one";
const SCHEMES: [&str; 3] = ["snowflake", "randflake", "ulid-flake"];
const KILLS_OF_EACH: u32 = 80;
const NOON_MS: u64 = 1_763_726_400_000;

fn generator<'c>(
    scheme: &str,
    path: &Path,
    clock: &'c ManualClock,
) -> Result<Box<dyn Generator<Id = i64> + 'c>, Error> {
    let options = Options::default().state(path);
    let mut node = options.clone();
    node.node = Some(7);
    Ok(match scheme {
        "snowflake" => Box::new(SnowflakeGenerator::build(Layout::TWITTER, &node, clock)?),
        "randflake" => Box::new(RandflakeGenerator::build(&Secret::new([7; 16]), &node, clock)?),
        _ => {
            let format = UlidFlakeFormat { scalability: Some(7), ..UlidFlakeFormat::default() };
            Box::new(UlidFlakeGenerator::build(format, &options, clock, PooledEntropy)?)
        }
    })
}

/// Makes IDs and prints them. The clock may be behind the file's time.
fn make_ids(role: &str) -> Result<(), Box<dyn StdError>> {
    let words: Vec<&str> = role.splitn(4, ' ').collect();
    let clock = ManualClock::new(words[1].parse()?)?;
    let most: u64 = words[2].parse()?;
    let ids = generator(words[0], Path::new(words[3]), &clock)?;
    let mut out = std::io::stdout().lock();
    writeln!(out)?;
    for count in 1..=most {
        let id = loop {
            match ids.generate() {
                Ok(id) => break id,
                // The test moves this clock instead of waiting.
                Err(
                    Error::WouldWait { wait_ns, .. }
                    | Error::WouldWaitAtFirst { wait_ns, .. }
                    | Error::ClockBackward { behind_ns: wait_ns, .. },
                ) => {
                    clock.advance(wait_ns.div_ceil(1_000_000) as i64)?;
                }
                Err(error) => return Err(error.into()),
            }
        };
        writeln!(out, "id {id}")?;
        // Three IDs a tick, then time passes; now and then the clock steps back.
        if count % 3 == 0 {
            clock.advance(if count % 48 == 0 { -50 } else { 9 })?;
        }
    }
    drop(ids);
    writeln!(out, "closed 0")?;
    Ok(())
}

fn begin(scheme: &str, now_ms: u64, most: u64, path: &Path) -> Child {
    this_program()
        .args([THIS_TEST, "--exact", "--nocapture", "--test-threads", "1"])
        .env(ROLE, format!("{scheme} {now_ms} {most} {}", path.display()))
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process")
}

/// Reads a process's output, and kills the process after this many IDs, or, if that is zero, after
/// this many µs. Returns all IDs that it printed.
fn listen(mut child: Child, kill_after: Option<usize>, or_after_us: u64) -> Vec<i64> {
    let mut printed = Vec::new();
    if kill_after == Some(0) {
        std::thread::sleep(Duration::from_micros(or_after_us));
        child.kill().expect("a process of ours");
    }
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let (mut line, mut closed) = (String::new(), false);
    // The pipe still holds output from before the kill; its last line may be incomplete.
    while reader.read_line(&mut line).expect("a pipe") > 0 && line.ends_with('\n') {
        match line.trim_end().split_once(' ').map(|(word, number)| (word, number.parse())) {
            Some(("id", Ok(id))) => {
                printed.push(id);
                if kill_after == Some(printed.len()) {
                    child.kill().expect("a process of ours");
                }
            }
            Some(("closed", _)) => closed = true,
            // Lines of the test harness.
            _ => {}
        }
        line.clear();
    }
    let status = child.wait().expect("a process of ours");
    assert!(kill_after.is_some() || (closed && status.success()), "{status}");
    printed
}

/// Random numbers below `end`, different in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

#[test]
fn no_process_repeats_an_id_of_an_earlier_one() {
    if let Ok(role) = std::env::var(ROLE) {
        make_ids(&role).expect("a process that only a kill ends early");
        return;
    }
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock").as_nanos() as u64 | 1;
    let mut random = Random(seed);
    let folder = tempfile::TempDir::new().expect("a folder");
    for scheme in SCHEMES {
        let (mut kills, mut ids, mut files) = (0, 0, 0);
        while kills < KILLS_OF_EACH {
            files += 1;
            let path = folder.path().join(format!("{scheme}-{files}.state"));
            let mut used = HashSet::new();
            // The first processes of a file are killed early, even while the file is being made.
            for process in 0..20 {
                let is_clean = random.below(8) == 0;
                let kill_after = if process < 5 { 0 } else { random.below(400) as usize };
                // The clock is always set back to about the same time, so that a process without
                // the file would repeat the last one's IDs.
                let now_ms = NOON_MS + random.below(100);
                let child = begin(scheme, now_ms, if is_clean { random.below(200) } else { u64::MAX }, &path);
                for id in listen(child, (!is_clean).then_some(kill_after), random.below(8_000)) {
                    assert!(used.insert(id), "{scheme} {id} is there twice (seed {seed}, process {process})");
                }
                kills += u32::from(!is_clean);
            }
            ids += used.len();
        }
        assert!(ids > 1_000, "{scheme}: {ids} IDs in all");
    }
}
