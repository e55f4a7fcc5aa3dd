//! Commands under leases whose clock differs from the store's. The store is PostgreSQL, because a
//! SQLite file has the machine's clock.

#![cfg(feature = "lease")]

#[path = "../../coordination/tests/servers/mod.rs"]
mod servers;
mod user;

use serde_json::Value;
use servers::Server;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use user::{User, is_alive, signal, signal_if_alive, until};

/// Records the time of its clock continuously, and ignores SIGTERM.
const STUBBORN: &str = "trap '' TERM; echo $$ >> \"$HOME/commands\"; while [ -d \"$HOME\" ]; do date +%s%3N >> \"$HOME/times\"; sleep 0.02; done";

fn server() -> (Server, User) {
    let server = Server::start("postgres");
    let user = User::new();
    user.stdout(&["lease", "init", "--store", server.url()]);
    (server, user)
}

/// Returns the library that gives a program and its children another clock.
fn faketime() -> PathBuf {
    let folders = fs::read_dir("/usr/lib").expect("a folder").filter_map(Result::ok);
    let found = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1")).find(|path| path.exists());
    found.expect("libfaketime: run tools/setup")
}

/// Sets the clock of a holder to this difference from the machine's, in seconds.
fn set_clock(user: &User, by: &str) {
    let new = user.path("clock.new");
    fs::write(&new, by).expect("written");
    fs::rename(new, user.path("clock")).expect("renamed");
}

/// Starts a holder whose clock [`set_clock`] sets.
fn holder(user: &User, by: &str, url: &str, ttl: &str) -> Child {
    set_clock(user, by);
    under_clock(user, &["lease", "acquire", "--store", url, "--ttl", ttl, "--", "sh", "-c", STUBBORN])
}

fn under_clock(user: &User, arguments: &[&str]) -> Child {
    // The holder has no terminal, wherever these tests run.
    user.process_under(&["setsid"], arguments)
        .env("LD_PRELOAD", faketime())
        .env("FAKETIME_TIMESTAMP_FILE", user.path("clock"))
        .env("FAKETIME_NO_CACHE", "1")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a holder")
}

/// Returns the only slot that was leased.
fn slot(user: &User, url: &str) -> Value {
    let listing = user.stdout(&["lease", "ls", "--store", url, "--json"]);
    let listing: Value = serde_json::from_str(&listing).expect("a JSON object");
    let slots = listing["slots"].as_array().expect("slots").iter();
    let mut had = slots.filter(|slot| slot["high_water_ms"] != Value::Null);
    let slot = had.next().expect("a slot").clone();
    assert!(had.next().is_none(), "{listing}");
    slot
}

fn times(user: &User) -> Vec<i64> {
    let text = fs::read_to_string(user.path("times")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Returns the exit code and the messages of a holder.
fn end(mut holder: Child) -> (Option<i32>, String) {
    let mut stderr = String::new();
    holder.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("UTF-8");
    (holder.wait().expect("an end").code(), stderr)
}

/// A proxy that can be silenced: it then forwards nothing, and closes nothing.
struct Way {
    port: u16,
    is_silent: Arc<AtomicBool>,
}

impl Way {
    fn to(address: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_silent = Arc::new(AtomicBool::new(false));
        let (silent, address) = (Arc::clone(&is_silent), address.to_owned());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(&address) else { continue };
                let pairs = [(client.try_clone(), server.try_clone()), (Ok(server), Ok(client))];
                for (from, to) in pairs {
                    let (silent, from, to) = (Arc::clone(&silent), from.expect("a socket"), to.expect("a socket"));
                    thread::spawn(move || carry(from, to, &silent));
                }
            }
        });
        Way { port, is_silent }
    }

    fn url(&self, server: &Server) -> String {
        server.url().replace(server.address(), &format!("127.0.0.1:{}", self.port))
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, silent: &AtomicBool) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        while silent.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(20));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_holder_whose_clock_is_past_a_short_lease_is_refused() {
    let (server, user) = server();
    // A lease of 3 s would have ended 6 s ago.
    let (code, stderr) = end(holder(&user, "+9", server.url(), "3"));
    assert_eq!(code, Some(1), "{stderr}");
    assert!(
        ["ahead of the store's", "1 s are allowed", "--max-clock-skew"].iter().all(|word| stderr.contains(word)),
        "{stderr}"
    );
    assert_eq!(times(&user), [0; 0]);
    let refused = end(holder(&user, "-9", server.url(), "3"));
    assert!(refused.0 == Some(1) && refused.1.contains("behind the store's"), "{refused:?}");
}

/// Checks that a command whose store stops replying ends within its lease, by the command's own
/// clock.
fn ends_within_its_lease(by: &str) {
    let (server, user) = server();
    let way = Way::to(server.address());
    let holder = holder(&user, by, &way.url(&server), "12");
    until("a command", || !times(&user).is_empty());
    let start_ms = slot(&user, server.url())["lease_start_ms"].as_i64().expect("a time");
    way.is_silent.store(true, Ordering::SeqCst);
    let (code, stderr) = end(holder);
    assert_eq!(code, Some(124), "{stderr}");
    let end_ms = slot(&user, server.url())["high_water_ms"].as_i64().expect("a time");
    let times = times(&user);
    let (first, last) = (*times.iter().min().expect("a time"), *times.iter().max().expect("a time"));
    assert!(start_ms <= first && last < end_ms, "{first}..={last} of {start_ms}..{end_ms}: {stderr}");
}

#[test]
fn a_command_whose_clock_is_ahead_ends_within_its_lease() {
    ends_within_its_lease("+3");
}

#[test]
fn a_command_whose_clock_is_behind_begins_within_its_lease() {
    ends_within_its_lease("-3");
}

#[test]
fn setting_the_clock_while_a_command_runs_ends_the_command() {
    let (server, user) = server();
    for (by, words) in [("+3600", ["ends at", "set ahead"]), ("-3600", ["begins at", "set back"])] {
        let _ = fs::remove_file(user.path("times"));
        set_clock(&user, "+0");
        let parent = format!("{{ {STUBBORN}; }} & echo $! >> \"$HOME/commands\"; wait");
        let holder = under_clock(&user, &["lease", "acquire", "--store", server.url(), "--", "sh", "-c", &parent]);
        until("a command", || !times(&user).is_empty());
        set_clock(&user, by);
        let (code, stderr) = end(holder);
        assert!(code == Some(124) && words.iter().all(|word| stderr.contains(word)), "{by}: {code:?} {stderr}");
        until("the end of all that it started", || user.commands().into_iter().all(|command| !is_alive(command)));
    }
}

#[test]
fn setting_the_clock_while_a_command_waits_keeps_it_from_running() {
    let (server, user) = server();
    let layout = ["--scheme", "flake", "--layout", "timestamp:30@1h node:4 sequence:10", "--namespace", "hours"];
    let made = ["lease", "init", "--store", server.url(), "--max-ttl", "10000"];
    user.stdout(&[&made[..], &layout].concat());
    set_clock(&user, "+0");
    let acquire = ["lease", "acquire", "--store", server.url(), "--ttl", "7200"];
    let mut holder = under_clock(&user, &[&acquire[..], &layout, &["--", "sh", "-c", STUBBORN]].concat());
    let mut stderr = BufReader::new(holder.stderr.take().expect("a pipe"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("UTF-8");
    assert!(line.contains("the command begins then"), "{line}");
    set_clock(&user, "+9000");
    stderr.read_to_string(&mut line).expect("UTF-8");
    assert!(holder.wait().expect("an end").code() == Some(1) && line.contains("set ahead"), "{line}");
    assert_eq!(times(&user), [0; 0]);
}

#[test]
fn a_signal_ends_a_holder_that_waits_for_a_silent_store_after_its_command() {
    let (server, user) = server();
    let way = Way::to(server.address());
    let holder = holder(&user, "+0", &way.url(&server), "600");
    until("a command", || !times(&user).is_empty());
    way.is_silent.store(true, Ordering::SeqCst);
    let command = user.commands()[0];
    signal(command, "KILL");
    until("its end", || !is_alive(command));
    let (process, stderr) = (holder.id(), thread::spawn(move || end(holder)));
    // The first signal may still be for the command.
    until("the holder's end", || {
        // It may have ended since the last signal.
        signal_if_alive(process, "TERM");
        stderr.is_finished()
    });
    let (code, stderr) = stderr.join().expect("an end");
    assert!(code == Some(137) && stderr.contains("ended by signal 15"), "{code:?} {stderr}");
}
