//! The cost of sharing a node between processes: single IDs, two processes at once, and opening.

use crate::failure::Failure;
use crate::rounds::{Case, SAIBAN, case, made, turns};
use crate::threads::share;
use saiban::{Generator, Layout, LayoutSpec, Options, Scope, SnowflakeGenerator, SystemClock};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::{hint, thread};

const PROCESS: &str = "baseline: scope process";
/// The argument that makes this program the second process.
pub const SECOND: &str = "--second-process";

/// Builds a generator with so many IDs a node and millisecond that none runs out. No other case
/// uses its nodes.
fn generator(node: u64, scope: Scope) -> Result<SnowflakeGenerator, saiban::Error> {
    let layout = Layout::from_text("unused:1 timestamp:41,epoch=2020-02-03 node:5 sequence:17")?;
    let ids = SnowflakeGenerator::build(layout, &Options::node(node).scope(scope), SystemClock)?;
    // The first ID may wait for the next tick.
    ids.generate()?;
    Ok(ids)
}

pub fn cases() -> Result<Vec<Case>, Failure> {
    let (of_machine, of_process) = (generator(1, Scope::Machine)?, generator(2, Scope::Process)?);
    let mut cases = vec![
        case("rust.scope.generate", SAIBAN, 1, move || made(of_machine.generate())),
        case("rust.scope.generate", PROCESS, 1, move || made(of_process.generate())),
        case("rust.scope.open", SAIBAN, 1, || made(open(Scope::Machine, 3))),
        case("rust.scope.open", PROCESS, 1, || made(open(Scope::Process, 4))),
    ];
    if thread::available_parallelism()?.get() > 1 {
        let (shared, mut second) = (generator(5, Scope::Machine)?, Second::start(5)?);
        cases.push(turns("rust.scope.2processes", SAIBAN, 1, move |count| {
            second.request(count / 2);
            make(&shared, count.div_ceil(2));
            second.wait();
        }));
        let shared = generator(6, Scope::Process)?;
        let threads = move |count| share(&shared, 2, count);
        cases.push(turns("rust.scope.2processes", "baseline: two threads, scope process", 1, threads));
    }
    Ok(cases)
}

fn make(ids: &SnowflakeGenerator, count: u64) {
    for _ in 0..count {
        hint::black_box(made(ids.generate()));
    }
}

fn open(scope: Scope, node: u64) -> Result<SnowflakeGenerator, saiban::Error> {
    // Another case uses all nodes of Twitter's layout.
    const LAYOUT: LayoutSpec = LayoutSpec::new().unused(1).timestamp(41).node(10).sequence(12);
    SnowflakeGenerator::build(LAYOUT.check()?, &Options::node(node).scope(scope), SystemClock)
}

/// A process with the same node. It makes as many IDs as each line of its input requests.
struct Second {
    process: Child,
    told: ChildStdin,
    said: BufReader<std::process::ChildStdout>,
}

impl Second {
    fn start(node: u64) -> Result<Self, Failure> {
        let mut process = Command::new(std::env::current_exe()?)
            .args([SECOND, &node.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (told, said) = process.stdin.take().zip(process.stdout.take()).ok_or("no pipes")?;
        Ok(Second { process, told, said: BufReader::new(said) })
    }

    fn request(&mut self, count: u64) {
        writeln!(self.told, "{count}").expect("a second process");
    }

    fn wait(&mut self) {
        self.said.read_line(&mut String::new()).expect("a second process");
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs the second process until its input ends.
pub fn second(node: &str) -> Result<(), Failure> {
    let ids = generator(node.parse()?, Scope::Machine)?;
    for line in std::io::stdin().lines() {
        make(&ids, line?.parse()?);
        println!("done");
    }
    Ok(())
}
