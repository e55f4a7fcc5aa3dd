//! A user with a separate home folder, which contains the user's leases.

#![allow(dead_code, reason = "each file of tests uses what it needs")]

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Records its process id in `commands`, and runs until SIGTERM.
pub const COMMAND: &str = "echo $$ >> \"$HOME/commands\"; exec sleep 600";

/// A user with an empty home folder.
pub struct User(pub TempDir);

impl User {
    pub fn new() -> Self {
        User(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    pub fn saiban(&self, arguments: &[&str]) -> Command {
        Command::from_std(self.process(arguments))
    }

    pub fn process(&self, arguments: &[&str]) -> process::Command {
        self.process_under(&[], arguments)
    }

    /// Returns the command, started by another program.
    pub fn process_under(&self, starter: &[&str], arguments: &[&str]) -> process::Command {
        let words = [starter, &[env!("CARGO_BIN_EXE_saiban")]].concat();
        let mut command = process::Command::new(words[0]);
        command.args(&words[1..]);
        for name in ["SAIBAN_SECRET", "SAIBAN_STORE", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        command.env("HOME", self.0.path()).args(arguments);
        command
    }

    pub fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.saiban(arguments).assert().success().get_output().clone();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8(output.stdout).expect("output is UTF-8")
    }

    /// Checks that the command prints one line on stderr with these words, and nothing on stdout.
    pub fn refused(&self, code: i32, arguments: &[&str], words: &[&str]) -> String {
        let output = self.saiban(arguments).assert().code(code).get_output().clone();
        let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(words.iter().all(|word| message.contains(word)), "{message:?} lacks one of {words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        message
    }

    pub fn listing(&self) -> Value {
        serde_json::from_str(&self.stdout(&["lease", "ls", "--json"])).expect("a JSON object")
    }

    /// Returns the held slots.
    pub fn held(&self) -> Vec<Value> {
        let slots = self.listing()["slots"].as_array().expect("slots").clone();
        slots.into_iter().filter(|slot| slot["held"] == true).collect()
    }

    /// Starts a holder whose command runs until SIGTERM.
    pub fn holder(&self, arguments: &[&str]) -> Child {
        // Signals that are ignored in these tests must not be ignored in the holder.
        self.holder_under(&["env", "--default-signal"], arguments)
    }

    pub fn holder_under(&self, starter: &[&str], arguments: &[&str]) -> Child {
        let before = if self.path(".local").exists() { self.held().len() } else { 0 };
        let known = self.commands().len();
        let arguments = [&["lease", "acquire"], arguments, &["--", "sh", "-c", COMMAND]].concat();
        let holder = self
            .process_under(starter, &arguments)
            // Signals from a terminal to these tests must not reach the holder.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a holder");
        until("a lease", || {
            self.path(".local/share/saiban/leases.db").exists()
                && self.lists()
                && self.held().len() > before
                && self.commands().len() > known
        });
        holder
    }

    /// Returns the process ids of the commands that holders run.
    pub fn commands(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.path("commands")).unwrap_or_default();
        text.lines().map(|line| line.parse().expect("a process id")).collect()
    }

    pub fn lists(&self) -> bool {
        self.saiban(&["lease", "ls"]).output().expect("an answer").status.success()
    }
}

/// Waits until this is true, and fails after a minute, which suffices on any machine.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..3_000 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{what} has not come about in a minute");
}

pub fn signal(process: u32, name: &str) {
    assert!(signal_if_alive(process, name));
}

/// Returns whether there was such a process.
pub fn signal_if_alive(process: u32, name: &str) -> bool {
    let sent = process::Command::new("sh").args(["-c", &format!("kill -{name} {process}")]).status();
    sent.expect("a shell").success()
}

pub fn is_alive(process: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}
