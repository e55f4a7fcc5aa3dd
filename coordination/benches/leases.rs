//! Measures the cost of leases, and prints the table for docs/leases-cost.md. It takes about
//! fifteen minutes, and is not a test: it asserts nothing.
//!
//!     make bench-leases                       measures every store, and writes the table
//!     cargo bench -p saiban-coordination --bench leases -- [--seconds N] [--write PAGE] [KIND …]
//!
//! The store's client is connected directly to its server while times are measured. A second pass
//! counts round trips with a proxy on the loopback interface. A round trip begins when a client
//! sends first, or sends after its server has sent.

#![allow(missing_docs, reason = "a program")]

#[path = "../tests/servers/mod.rs"]
mod servers;

mod page;

mod leases {
    pub mod generators;
    pub mod holders;
    pub mod proxy;
    pub mod timed;
}

use leases::{generators, holders, timed};
use saiban_coordination::Error;
use servers::Server;
use std::time::Duration;

const KINDS: [&str; 6] = ["sqlite", "postgres", "mysql", "redis", "etcd", "zookeeper"];

fn main() -> Result<(), Error> {
    page::run("bench-leases", &KINDS, 60, table)
}

fn table(kinds: &[&'static str], minute: Duration) -> Result<String, Error> {
    let mut singles = vec![timed::row("memory", "memory:cost", false)?];
    let mut crowds = Vec::new();
    for kind in kinds {
        if *kind == "sqlite" {
            let folder = tempfile::tempdir().expect("a folder");
            let url = format!("sqlite://{}", folder.path().join("leases.db").display());
            singles.push(timed::row("sqlite", &url, false)?);
            crowds.push(holders::row("sqlite", &url, minute)?);
            continue;
        }
        for is_durable in [true, false] {
            let server = if is_durable { Server::durable(kind) } else { Server::start(kind) };
            singles.push(timed::row(
                &format!("{kind}{}", if is_durable { ", durable" } else { "" }),
                server.url(),
                true,
            )?);
            if !is_durable {
                crowds.push(
                    holders::row(kind, server.url(), minute)
                        .unwrap_or_else(|error| format!("| {kind} | failed: {error} |")),
                );
                eprintln!("{}", crowds[crowds.len() - 1]);
            }
            eprintln!("{}", singles[singles.len() - 1]);
        }
    }
    Ok(format!(
        "{}\n\n\
         ### One holder\n\n\
         | store | acquire | p99 | renew | p99 | release | p99 | round trips: first acquire, acquire, renew, release |\n\
         |---|---|---|---|---|---|---|---|\n{}\n\n\
         ### 1000 holders on one store\n\n\
         | store | 1000 acquired in | connections | renewals, failed ones among them | waited: median | p99 | most | CPU of all holders | CPU a renewal | \
         one keeper, ttl 10 s | 600 s |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n{}\n\n\
         ### A generator\n\n{}",
        machine(minute),
        singles.join("\n"),
        crowds.join("\n"),
        generators::table()?,
    ))
}

/// Describes the machine, the stores' versions and the time of the measurement.
fn machine(minute: Duration) -> String {
    let told = |program: &str, words: &[&str]| {
        let output = std::process::Command::new(program).args(words).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
    };
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("", |(_, name)| name);
    let packages = ["postgresql", "mariadb-server", "redis-server", "etcd-server", "zookeeper"];
    let versions: Vec<_> = packages
        .iter()
        .map(|package| format!("{package} {}", told("dpkg-query", &["-W", "-f", "${Version}", package])))
        .collect();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!(
        "{}: {} cores of {model}, {}; Debian\'s {}; SQLite\'s file on {}. Holders renew for {} s. Load at the end: {}.",
        told("date", &["-u", "+%F"]),
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        told("uname", &["-sr"]),
        versions.join(", "),
        told("stat", &["-f", "-c", "%T", &std::env::temp_dir().display().to_string()]),
        minute.as_secs(),
        load.split_whitespace().next().unwrap_or_default(),
    )
}
