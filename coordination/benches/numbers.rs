//! Measures the numbers a second from each store, and prints the table for docs/numbers-cost.md. It
//! takes some minutes, and is not a test: it asserts nothing.
//!
//!     make bench-numbers                      measures every store, and writes the table
//!     cargo bench -p saiban-coordination --bench numbers -- [--seconds N] [--write PAGE] [KIND …]

#![allow(missing_docs, reason = "a program")]

#[path = "../tests/servers/mod.rs"]
mod servers;

#[path = "page/grouped.rs"]
mod grouped;
mod page;

use grouped::grouped;
use saiban::{Counter, Layout, Stride};
use saiban_coordination::{CounterOptions, Error, SharedCounter};
use servers::Server;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

const KINDS: [&str; 4] = ["sqlite", "postgres", "mysql", "redis"];

fn main() -> Result<(), Error> {
    page::run("bench-numbers", &KINDS, 5, table)
}

fn table(kinds: &[&'static str], each: Duration) -> Result<String, Error> {
    let mut table = String::from(
        "| numbers a second, one thread | one at a time | in blocks of 1000 | in blocks that adapt | calls to the store |\n|---|---:|---:|---:|---:|\n",
    );
    for kind in kinds {
        for durable in [true, false] {
            if *kind == "sqlite" && !durable {
                continue;
            }
            let (_server, url) = open(kind, durable);
            let (single, _) = rate(&url, Some(1), each)?;
            let (block, _) = rate(&url, Some(1_000), each)?;
            let (adapting, calls) = rate(&url, None, each)?;
            let name = if durable && *kind != "sqlite" { format!("{kind}, durable") } else { (*kind).to_owned() };
            line(
                &mut table,
                &format!("| {name} | {} | {} | {} | {calls} |", grouped(single), grouped(block), grouped(adapting)),
            );
        }
    }
    let counter = Counter::new(Stride::ONE);
    let memory = per_second(each, || counter.generate().is_ok());
    line(&mut table, &format!("| in memory (`Counter`) | {} | | | none |", grouped(memory)));
    if kinds.contains(&"postgres") {
        rows(&mut table, each);
    }
    Ok(table)
}

fn line(table: &mut String, line: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(table, "{line}");
}

fn open(kind: &str, durable: bool) -> (Box<dyn std::any::Any>, String) {
    if kind == "sqlite" {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}/counters.db", folder.path().display());
        return (Box::new(folder), url);
    }
    let server = if durable { Server::durable(kind) } else { Server::start(kind) };
    let url = server.url().to_owned();
    (Box::new(server), url)
}

/// Returns the numbers a second, and the number of requests to the store.
fn rate(url: &str, block_size: Option<i64>, each: Duration) -> Result<(f64, u64), Error> {
    let name = block_size.map_or("adapting".to_owned(), |size| format!("blocks-of-{size}"));
    let options = CounterOptions { name, block_size, create: Some(true), ..CounterOptions::default() };
    let counter = SharedCounter::open(url, &options)?;
    counter.generate()?;
    let rate = per_second(each, || counter.generate().is_ok());
    Ok((rate, counter.status()?.calls))
}

fn per_second(each: Duration, mut make: impl FnMut() -> bool) -> f64 {
    let start = Instant::now();
    let mut made = 0_u64;
    while start.elapsed() < each {
        for _ in 0..64 {
            made += u64::from(make());
        }
    }
    made as f64 / start.elapsed().as_secs_f64()
}

/// Measures rows a second with eight clients of pgbench. PostgreSQL makes the ID of each row.
fn rows(table: &mut String, each: Duration) {
    let server = Server::durable("postgres");
    let programs = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL").flatten();
    let pgbench = programs.map(|version| version.path().join("bin/pgbench")).filter(|program| program.exists()).max();
    let folder = tempfile::tempdir().expect("a folder");
    let run = |name: &str, sql: &str, more: &[&str]| -> String {
        let file: PathBuf = folder.path().join(name);
        std::fs::write(&file, sql).expect("written");
        let done = Command::new(pgbench.as_ref().expect("pgbench"))
            .arg("--no-vacuum")
            .args(more)
            .arg("--file")
            .arg(&file)
            .arg(server.url())
            .output()
            .expect("pgbench runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    let function = Layout::TWITTER.postgres_function("saiban_snowflake", 5).expect("a function");
    let tables = [
        ("bigint, `nextval`", "bigserial"),
        ("uuid, `gen_random_uuid()`", "uuid DEFAULT gen_random_uuid()"),
        ("bigint, `saiban_snowflake()`", "bigint DEFAULT saiban_snowflake()"),
    ];
    line(
        table,
        "\n| rows a second, 8 clients of pgbench, one row a transaction | committed to the disk | synchronous_commit = off |\n|---|---:|---:|",
    );
    // Not with pgbench, which cannot run a script of several statements once.
    let mut setup = String::new();
    for (index, (_, column)) in tables.iter().enumerate() {
        setup.push_str(&format!("CREATE TABLE rows_{index} (id {column} PRIMARY KEY, text text NOT NULL);\n"));
    }
    psql(server.url(), &format!("{function}\n{setup}"));
    let seconds = each.as_secs().max(1).to_string();
    for (index, (name, _)) in tables.iter().enumerate() {
        let insert = format!("INSERT INTO rows_{index} (text) VALUES ('Ada')");
        let rates = [format!("{insert};\n"), format!("BEGIN;\nSET LOCAL synchronous_commit = off;\n{insert};\nEND;\n")]
            .map(|sql| tps(&run(&format!("{index}.sql"), &sql, &["--client=8", "--jobs=2", "--time", &seconds])));
        line(table, &format!("| {name} | {} | {} |", grouped(rates[0]), grouped(rates[1])));
    }
}

fn psql(url: &str, sql: &str) {
    use sqlx::Connection as _;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut connection = sqlx::PgConnection::connect(url).await.expect("a connection");
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("done");
    });
}

/// Returns the transactions a second that pgbench reports.
fn tps(said: &str) -> f64 {
    let line = said.lines().find_map(|line| line.strip_prefix("tps = ")).expect("a rate");
    line.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
}
