//! Processes that are killed at any moment, `kill -9`, one after the other on the same file.

use super::super::StateFile;
use super::{NODE_7, new_place};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};
use std::vec::Vec;

/// Set for the processes that are to be killed: the file, the clock's tick, how many ticks to use before a clean end.
const LIFE: &str = "SAIBAN_TEST_STATE_LIFE";
const THIS_TEST: &str = "state::tests::killed::no_life_uses_a_tick_that_an_earlier_one_used";
const KILLS: u32 = 250;

/// Uses ticks as a generator does, and says which. Its clock stands at first, and may be behind what the file knows.
fn live(life: &str) -> std::io::Result<()> {
    let mut words = life.splitn(3, ' ');
    let mut number = || words.next().and_then(|word| word.parse::<u64>().ok()).expect("a number");
    let (now, most) = (number(), number());
    let file = StateFile::open(Path::new(words.next().expect("a path")), &NODE_7).expect("ours alone");
    let mut out = std::io::stdout().lock();
    let mut tick = file.first_free_tick().unwrap_or(0).max(now);
    writeln!(out, "\nfirst {tick}")?;
    for count in 0..most {
        if tick >= file.saved_end() {
            file.save_through(tick).expect("a disk");
        }
        writeln!(out, "used {tick}")?;
        // Mostly one by one, at times past what is saved.
        tick += if count % 16 == 15 { 90 } else { 1 };
    }
    file.close_at(tick);
    drop(file);
    writeln!(out, "closed {tick}")
}

fn begin(path: &Path, now: u64, most: u64) -> Child {
    let binary = std::env::current_exe().expect("this test's own");
    Command::new(binary)
        .args([THIS_TEST, "--exact", "--nocapture", "--test-threads", "1"])
        .env(LIFE, std::format!("{now} {most} {}", path.display()))
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process")
}

/// What a process said, up to its end, each line whole.
#[derive(Default)]
struct Said {
    first: Option<u64>,
    used: Vec<u64>,
    closed: Option<u64>,
}

/// Listens to a process, and kills it when it has said so many ticks, or after a while if that is not to be one.
fn listen(mut child: Child, kill_after: Option<usize>, while_us: u64) -> Said {
    let mut said = Said::default();
    if kill_after == Some(0) {
        std::thread::sleep(Duration::from_micros(while_us));
        child.kill().expect("a process of ours");
    }
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = std::string::String::new();
    while reader.read_line(&mut line).expect("a pipe") > 0 && line.ends_with('\n') {
        match line.trim_end().split_once(' ').map(|(word, tick)| (word, tick.parse::<u64>())) {
            Some(("first", Ok(tick))) => said.first = Some(tick),
            Some(("closed", Ok(tick))) => said.closed = Some(tick),
            Some(("used", Ok(tick))) => {
                said.used.push(tick);
                if kill_after == Some(said.used.len()) {
                    child.kill().expect("a process of ours");
                }
            }
            // The test program's own lines.
            _ => {}
        }
        line.clear();
    }
    let status = child.wait().expect("a process of ours");
    assert!(kill_after.is_some() || status.success(), "{status}");
    said
}

/// Numbers below `end`, different in each run.
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
fn no_life_uses_a_tick_that_an_earlier_one_used() {
    if let Ok(life) = std::env::var(LIFE) {
        live(&life).expect("somebody listens");
        return;
    }
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock").as_nanos() as u64 | 1;
    let mut random = Random(seed);
    let (mut kills, mut ticks) = (0, 0);
    while kills < KILLS {
        let (_folder, path) = new_place();
        let mut used = HashSet::new();
        let (mut reached, mut closed) = (0, None);
        // The first lives of a file are killed early: while it is made, too.
        for life in 0..25 {
            let clean = random.below(8) == 0;
            let after = if life < 5 { 0 } else { random.below(400) as usize };
            let now = 1_000_000 - random.below(1_000_000);
            let child = begin(&path, now, if clean { random.below(200) } else { u64::MAX });
            let said = listen(child, (!clean).then_some(after), random.below(8_000));
            kills += u32::from(!clean);
            if let Some(first) = said.first {
                assert!(first >= reached, "{first} is free, {reached} was reached (seed {seed})");
                // A clean close costs nothing.
                assert!(closed.is_none_or(|closed| first == now.max(closed)), "{first}: {now}, {closed:?}");
            }
            for tick in &said.used {
                assert!(used.insert(*tick), "{tick} was used twice (seed {seed})");
            }
            reached = said.used.last().map_or(reached, |last| last + 1);
            closed = said.closed;
            ticks += said.used.len();
        }
    }
    assert!(ticks > 10_000, "{ticks} ticks were used in all");
}
