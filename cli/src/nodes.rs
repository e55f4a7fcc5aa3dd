//! `saiban nodes`: shows which nodes the processes of this machine use, and the time up to which
//! each node is used. `nodes clear` resets nodes that no process has open.

use crate::args::node_range;
use crate::columns::aligned;
use crate::failure::Failure;
use crate::output::Output;
use crate::time::{Left, utc, utc_or_year};
use clap::{Args, Subcommand};
use saiban::nodes::{self, IdSpace, NodeRange};
use saiban::{Clock, CursorFileProblem, SystemClock};
use serde_json::{Value, json};
use std::ops::Range;

const HEADINGS: [&str; 4] = ["NODES", "OPEN IN", "FREE FROM", "AHEAD"];

const HELP: &str = "\
Generators with the scope machine, the default, share their counters in files: all processes of the user on this
machine, until it is restarted. The files are in /dev/shm/saiban-UID, or in the folder that SAIBAN_RUN_DIR names. A file
is an ID space: the generators whose IDs could be equal. For each used range of nodes the list shows the time from which
nothing was issued (FREE FROM), and how far that time is ahead of this machine's clock (AHEAD).

Examples:
  saiban nodes
  saiban nodes clear /dev/shm/saiban-1000/numbers-1000000ns-epoch1288834974657ms-shift22 --node 7";

const CLEAR: &str = "\
Use this after the clock was set to the future by mistake: generators of these nodes then wait for that time, or are
refused. After this command they begin with the next tick of the clock, and repeat the IDs of the wrong time when the
clock reaches it. No process may have the nodes open.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Reset nodes that no process has open
    #[command(after_help = CLEAR)]
    Clear(Clear),
}

#[derive(Debug, Args)]
struct Clear {
    /// The file of the ID space, as shown by saiban nodes and error messages
    file: String,
    /// A node; all nodes of the ID space if not given
    #[arg(long, value_name = "N", conflicts_with = "nodes")]
    node: Option<u64>,
    /// Several nodes, the end not included: 0..64 are the nodes 0 to 63
    #[arg(long, value_name = "FIRST..END", value_parser = node_range)]
    nodes: Option<Range<i64>>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::stdout()?;
    match &arguments.verb {
        Some(Verb::Clear(wanted)) => {
            let cleared = nodes::clear(&wanted.file, wanted.nodes()?)?;
            if arguments.json {
                output.line(&json!({ "cleared": cleared }).to_string())?;
            } else {
                output.line(&format!("{cleared} {} cleared", if cleared == 1 { "range" } else { "ranges" }))?;
            }
        }
        None => {
            let (spaces, now_ms) =
                (nodes::list()?, i64::try_from(SystemClock.now_ns()? / 1_000_000).unwrap_or(i64::MAX));
            if arguments.json {
                output.line(&Value::from_iter(spaces.iter().map(to_json)).to_string())?;
            } else {
                lines(&spaces, now_ms).iter().try_for_each(|line| output.line(line))?;
            }
        }
    }
    output.finish()
}

impl Clear {
    fn nodes(&self) -> Result<Option<Range<u64>>, Failure> {
        let end = |node: u64| node.checked_add(1).ok_or_else(|| Failure::Arguments("--node is too large".into()));
        match (&self.node, &self.nodes) {
            (Some(node), _) => Ok(Some(*node..end(*node)?)),
            (None, Some(nodes)) => match (u64::try_from(nodes.start), u64::try_from(nodes.end)) {
                (Ok(first), Ok(end)) if first < end => Ok(Some(first..end)),
                _ => Err(Failure::Arguments(format!(
                    "--nodes {}..{} has no nodes: give FIRST..END, 0 or more, the end not included",
                    nodes.start, nodes.end
                ))),
            },
            (None, None) => Ok(None),
        }
    }
}

fn lines(spaces: &[IdSpace], now_ms: i64) -> Vec<String> {
    if spaces.is_empty() {
        return vec![
            "no nodes were used on this machine since it was started, with the scope machine by this user".into(),
        ];
    }
    let mut lines = Vec::new();
    for (index, space) in spaces.iter().enumerate() {
        if index > 0 {
            lines.push(String::new());
        }
        lines.push(space.path.clone());
        match space.problem {
            Some(problem) => lines.push(describe(problem)),
            None => {
                let rows: Vec<_> = space.ranges.iter().map(|range| row(range, now_ms)).collect();
                lines.extend(aligned(HEADINGS, &rows));
            }
        }
    }
    lines
}

fn describe(problem: CursorFileProblem) -> String {
    match problem {
        CursorFileProblem::OtherVersion { version } => format!("of another version of saiban: format {version}"),
        _ => "damaged, or another program's".into(),
    }
}

fn row(range: &NodeRange, now_ms: i64) -> [String; 4] {
    let ahead_ms = range.free_from_ms.saturating_sub(now_ms);
    [
        shown(range),
        holders(range),
        utc_or_year(range.free_from_ms),
        if ahead_ms > 0 { Left(ahead_ms.saturating_mul(1_000)).to_string() } else { "-".into() },
    ]
}

/// Formats the nodes as the options accept them, with the rollback count and the lease.
fn shown(range: &NodeRange) -> String {
    let Range { start, end } = range.nodes;
    let nodes = if start.checked_add(1) == Some(end) { start.to_string() } else { format!("{start}..{end}") };
    let rollback = if range.rollback > 0 { format!(", rollback {}", range.rollback) } else { String::new() };
    let lease = if range.is_leased { ", leased" } else { "" };
    format!("{nodes}{rollback}{lease}")
}

fn holders(range: &NodeRange) -> String {
    let processes: Vec<_> = range.processes.iter().map(u32::to_string).collect();
    match (range.is_open, processes.is_empty()) {
        (false, _) => "-".into(),
        (true, true) => "a process that the system hides".into(),
        (true, false) => processes.join(" "),
    }
}

fn to_json(space: &IdSpace) -> Value {
    json!({
        "file": space.path,
        "tick_ns": space.tick_ns,
        "epoch_ms": space.epoch_ms,
        "problem": space.problem.map(describe),
        "ranges": space.ranges.iter().map(of_range).collect::<Vec<_>>(),
    })
}

fn of_range(range: &NodeRange) -> Value {
    json!({
        "first": range.nodes.start,
        "end": range.nodes.end,
        "rollback": range.rollback,
        "leased": range.is_leased,
        "open": range.is_open,
        "processes": range.processes,
        "free_from_ms": range.free_from_ms,
        "free_from": utc(range.free_from_ms),
    })
}
