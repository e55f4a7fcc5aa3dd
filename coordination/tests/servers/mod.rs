//! Real servers, which `tests/servers/run` starts in temporary folders. A server stops when its
//! value is dropped, and whenever this process ends, so a static may hold a server for all tests of
//! a file.

#![allow(dead_code, reason = "each file of tests uses what it needs")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running server.
pub struct Server {
    url: String,
    program: Child,
    // This pipe is closed before the program is awaited, which ends when its input does.
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a server of a kind that `tests/servers/run` knows. Returns when it replies.
    pub fn start(kind: &str) -> Self {
        Self::run(&[kind])
    }

    /// Starts a server with variables in its environment: `NAME=VALUE`.
    pub fn start_in(kind: &str, environment: &[String]) -> Self {
        let more = environment.iter().flat_map(|pair| ["--env", pair.as_str()]);
        Self::run(&std::iter::once(kind).chain(more).collect::<Vec<_>>())
    }

    /// Starts a server that writes to the disk before it replies.
    pub fn durable(kind: &str) -> Self {
        Self::run(&[kind, "--durable"])
    }

    fn run(words: &[&str]) -> Self {
        let run = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/servers/run");
        let mut program = Command::new("python3")
            .arg(run)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts");
        let orders = program.stdin.take();
        let mut answers = BufReader::new(program.stdout.take().expect("a pipe"));
        let line = line_of(&mut answers);
        let url = line.strip_prefix("URL ").unwrap_or_else(|| panic!("{words:?}: {line}")).to_owned();
        Server { url, program, orders, answers }
    }

    /// Returns the URL for stores, including the password.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the host and port of the URL.
    pub fn address(&self) -> &str {
        let rest =
            self.url.rsplit_once('@').map_or_else(|| self.url.split_once("//").expect("a URL").1, |(_, rest)| rest);
        rest.split('/').next().expect("a host")
    }

    /// Sends an order that `tests/servers/run` knows: `stop`, `start`, `restart`, `kill`, `save
    /// NAME`, `rewind NAME`. Returns when it is done.
    pub fn order(&mut self, order: &str) {
        let orders = self.orders.as_mut().expect("a pipe");
        writeln!(orders, "{order}").and_then(|()| orders.flush()).expect("the program reads");
        assert_eq!(line_of(&mut self.answers), "ok", "{order}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.orders = None;
        let _ = self.program.wait();
    }
}

fn line_of(answers: &mut impl BufRead) -> String {
    let mut line = String::new();
    answers.read_line(&mut line).expect("the program answers");
    line.trim_end().to_owned()
}
