//! Instances of `saiban serve` for a test, on a free port.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tempfile::TempDir;

use crate::caller::{self, HANGS};

/// A running service. It is killed when it is dropped, and when this process ends; its log is shown
/// if the test fails.
pub struct Instance {
    child: Child,
    address: SocketAddr,
    log: Arc<Mutex<String>>,
    reading: Option<JoinHandle<()>>,
    _folder: TempDir,
}

/// An instance that ended before it listened.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    /// The output on stderr.
    pub log: String,
}

impl Instance {
    /// Starts a service with this configuration (TOML), on a free port. Returns when it listens.
    pub fn start(config: &str) -> Self {
        Self::start_under(&[], config)
    }

    /// Starts the service through another program, which becomes the service.
    pub fn start_under(starter: &[&str], config: &str) -> Self {
        Self::try_start(starter, config).unwrap_or_else(|ended| panic!("it ended: {}\n{}", ended.status, ended.log))
    }

    /// Starts a service that may end before it listens.
    pub fn try_start(starter: &[&str], config: &str) -> Result<Self, Ended> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = command(starter, &folder, config)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let log = Arc::new(Mutex::new(String::new()));
        let reading = read_log(child.stderr.take().expect("a pipe"), &log);
        let addresses = read_addresses(child.stdout.take().expect("a pipe"));
        let unknown = SocketAddr::from(([0; 4], 0));
        let mut instance = Instance { child, address: unknown, log, reading: Some(reading), _folder: folder };
        match addresses.recv_timeout(HANGS) {
            Ok(address) => instance.address = address,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Ended { status: instance.wait(), log: instance.log() });
            }
            Err(RecvTimeoutError::Timeout) => panic!("it neither listens nor ends"),
        }
        Ok(instance)
    }

    /// Returns the address that the service listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the log that has been read so far. It is whole once the process has ended.
    pub fn log(&self) -> String {
        self.log.lock().expect("a log").clone()
    }

    /// Waits until the log of a running process contains these words.
    pub async fn logs(&self, words: &str) {
        until(words, async || self.log().contains(words)).await;
    }

    /// Sends a signal to the process: STOP, CONT, TERM.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", self.child.id())]).status();
        assert!(sent.expect("a shell").success());
    }

    /// Kills the process (-9).
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("an end");
    }

    /// Sends SIGTERM, and waits until the process has ended.
    pub fn end(&mut self) -> ExitStatus {
        self.signal("TERM");
        self.wait()
    }

    /// Waits until the process has ended and its log is complete.
    pub fn wait(&mut self) -> ExitStatus {
        let limit = Instant::now() + HANGS;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < limit, "it does not end");
            thread::sleep(Duration::from_millis(10));
        };
        if let Some(reading) = self.reading.take() {
            let _ = reading.join();
        }
        status
    }

    /// Returns the path through which others reach the service's `path`, in any mount namespace.
    pub fn root(&self, path: &str) -> std::path::PathBuf {
        format!("/proc/{}/root{path}", self.child.id()).into()
    }

    /// Returns the memory use in MiB: the maximum so far (`VmHWM`), or the current one (`VmRSS`).
    pub fn memory_mib(&self, which: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(which)?.strip_prefix(':')).expect("such a line");
        let kib: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
        kib / 1_024
    }

    /// Waits until every scheme can issue IDs.
    pub async fn ready(&self) {
        until("readiness", async || self.readiness().await.0).await;
    }

    /// Returns whether the instance is ready, and its response.
    pub async fn readiness(&self) -> (bool, String) {
        // A stopped instance is not ready.
        let asked = tokio::time::timeout(caller::LIMIT, caller::get(self.address, "/readyz")).await;
        match asked.unwrap_or_else(|_| Err("no answer within the limit".into())) {
            Ok(answer) => (answer.status == 200, answer.text()),
            Err(error) => (false, error),
        }
    }

    /// Returns the value of a metric, by its name with labels.
    pub async fn metric(&self, name: &str) -> f64 {
        let text = caller::get(self.address, "/metrics").await.expect("metrics").text();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in {text}")).parse().expect("a number")
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            eprintln!("-- the log of {} --\n{}--", self.address, self.log());
        }
    }
}

/// Returns the command `saiban serve`, without saiban's environment variables.
pub fn command(starter: &[&str], folder: &TempDir, config: &str) -> Command {
    let file = folder.path().join("saiban.toml");
    let listen = if config.starts_with("listen") { "" } else { "listen = [\"127.0.0.1:0\"]\n" };
    fs::write(&file, format!("{listen}{config}")).expect("a file");
    // The service is killed when the thread that starts it ends.
    let words = [&["setpriv", "--pdeathsig=KILL"], starter, &[env!("CARGO_BIN_EXE_saiban"), "serve"]].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg("--config").arg(&file).env("HOME", folder.path());
    for (name, _) in std::env::vars_os() {
        let is_ours = name.to_str().is_some_and(|name| name.starts_with("SAIBAN_") || name == "XDG_DATA_HOME");
        if is_ours {
            command.env_remove(name);
        }
    }
    command
}

fn read_log(mut from: impl Read + Send + 'static, log: &Arc<Mutex<String>>) -> JoinHandle<()> {
    let log = Arc::clone(log);
    thread::spawn(move || {
        let mut bytes = [0; 4_096];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            log.lock().expect("a log").push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    })
}

/// Returns a channel with the address that the service prints. It is closed without one if the
/// service ends before it listens.
fn read_addresses(from: impl Read + Send + 'static) -> Receiver<SocketAddr> {
    let (addresses, channel) = mpsc::channel();
    thread::spawn(move || {
        // The service may continue writing to stdout.
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if let Some(address) = line.strip_prefix("listening on ").and_then(|address| address.parse().ok()) {
                let _ = addresses.send(address);
            }
        }
    });
    channel
}

/// Waits until this is true, and fails after a minute, which suffices on any machine.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let limit = tokio::time::Instant::now() + Duration::from_secs(60);
    while tokio::time::Instant::now() < limit {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{what} has not come about in a minute");
}
