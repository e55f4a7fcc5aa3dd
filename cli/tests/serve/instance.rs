//! Instances of `saiban serve`, as an operator runs them: the real program, with a configuration
//! file, on a free port.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The limit for any expected event on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running service, until it is dropped.
pub struct Instance {
    child: Child,
    address: SocketAddr,
    log: PathBuf,
    /// The folder of its files, unless the test provides one.
    _folder: Option<TempDir>,
}

impl Instance {
    /// Starts an instance with this configuration (TOML, without `listen`), and with its own store
    /// if none is configured.
    pub fn start(configuration: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut instance = Self::start_in(folder.path(), "instance", configuration);
        instance._folder = Some(folder);
        instance
    }

    /// Starts an instance with files in this folder, whose names begin with `name`.
    pub fn start_in(folder: &Path, name: &str, configuration: &str) -> Self {
        let (mut command, log) = command(folder, name, configuration);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program runs");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").and_then(|address| address.parse().ok());
        let Some(address) = address else {
            let _ = child.wait();
            panic!("it does not listen: {line:?}\n{}", std::fs::read_to_string(&log).unwrap_or_default());
        };
        Instance { child, address, log, _folder: None }
    }

    /// Starts an instance, and waits until every scheme can issue IDs. It does not support TLS.
    pub fn ready(configuration: &str) -> Self {
        let instance = Self::start(configuration);
        instance.wait_until_ready();
        instance
    }

    /// Waits until every scheme can issue IDs.
    pub fn wait_until_ready(&self) {
        eventually("it is ready", || self.get("/readyz").starts_with("HTTP/1.1 200"));
    }

    /// Returns the whole response to a GET, or an empty string without one.
    pub fn get(&self, path: &str) -> String {
        let mut answer = Vec::new();
        let ask = || -> std::io::Result<()> {
            let mut stream = TcpStream::connect(self.address)?;
            write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
            stream.read_to_end(&mut answer).map(drop)
        };
        let _ = { ask }();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Returns the address that the instance listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the path of the configuration file.
    pub fn configuration(&self) -> PathBuf {
        self.log.with_extension("toml")
    }

    /// Rewrites the configuration file.
    pub fn configure(&self, edit: impl FnOnce(String) -> String) {
        let text = std::fs::read_to_string(self.configuration()).expect("a file");
        std::fs::write(self.configuration(), edit(text)).expect("a file");
    }

    /// Sends SIGHUP, waits until the log shows the outcome, and returns the new log lines.
    pub fn reload(&self) -> String {
        let begin = self.log().len();
        self.signal("HUP");
        let mut added = String::new();
        eventually("it reloads", || {
            let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).expect("a process");
            assert!(!status.contains("State:\tZ"), "SIGHUP has ended it\n{}", self.log());
            added = self.log()[begin..].to_owned();
            added.lines().any(|line| line.contains("reloaded") || line.contains("configuration is refused"))
        });
        added
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the whole log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).expect("a log")
    }

    /// Returns whether the process still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Returns the current memory use, in KiB.
    pub fn memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).expect("it lives");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Sends a signal to the process: TERM, STOP, CONT, KILL.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.id().to_string()]).status();
        assert!(sent.expect("kill runs").success(), "{name}");
    }

    /// Sends SIGTERM, and waits until the process has ended.
    pub fn end(&mut self) -> ExitStatus {
        self.signal("TERM");
        let mut status = None;
        eventually("it ends", || {
            status = self.child.try_wait().expect("a status");
            status.is_some()
        });
        status.expect("it ended")
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until this is true.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the error for a configuration that the service refuses.
pub fn refused(configuration: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut command, log) = command(folder.path(), "refused", configuration);
    let mut output = command.stdout(Stdio::piped()).output().expect("the program runs");
    output.stderr = std::fs::read(log).expect("a log");
    output
}

/// Returns the command with this configuration. Without an address the service listens on a free
/// port.
fn command(folder: &Path, name: &str, configuration: &str) -> (Command, PathBuf) {
    let mut text = String::new();
    for (key, value) in [
        ("listen", "[\"127.0.0.1:0\"]".to_owned()),
        ("store", format!("\"sqlite:{}\"", folder.join("store.db").display())),
    ] {
        if !configuration.lines().any(|line| line.starts_with(key)) {
            text.push_str(&format!("{key} = {value}\n"));
        }
    }
    text.push_str(configuration);
    let (file, log) = (folder.join(format!("{name}.toml")), folder.join(format!("{name}.log")));
    std::fs::write(&file, text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_saiban"));
    command.arg("serve").arg("--config").arg(file).stdin(Stdio::null());
    command.stderr(File::create(&log).expect("a file"));
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("SAIBAN") {
            command.env_remove(variable);
        }
    }
    (command, log)
}
