//! The command that runs under a lease, and the signals that are meant for it.

use crate::failure::Failure;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use tokio::process::{Child, Command};
use tokio::signal::unix::{self, SignalKind};

/// The signals that are passed on.
pub(super) struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
    hangup: unix::Signal,
    quit: unix::Signal,
    /// Whether a terminal sends those of its keys to the command itself.
    is_terminal: bool,
}

impl Signals {
    /// From now on they do not end this program.
    pub(super) fn catch() -> Result<Self, Failure> {
        let catch = |kind| unix::signal(kind).map_err(Failure::io("waiting for signals"));
        Ok(Signals {
            interrupt: catch(SignalKind::interrupt())?,
            terminate: catch(SignalKind::terminate())?,
            hangup: catch(SignalKind::hangup())?,
            quit: catch(SignalKind::quit())?,
            is_terminal: io::stdin().is_terminal(),
        })
    }

    /// The next one.
    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::INT,
            _ = self.terminate.recv() => Signal::TERM,
            _ = self.hangup.recv() => Signal::HUP,
            _ = self.quit.recv() => Signal::QUIT,
        }
    }

    /// Tells the command, unless it was told already.
    pub(super) fn pass_on(&self, signal: Signal, command: &Child) {
        if !(self.is_terminal && matches!(signal, Signal::INT | Signal::QUIT)) {
            send(signal, command);
        }
    }
}

/// Tells the command, if it still runs.
pub(super) fn send(signal: Signal, command: &Child) {
    let pid = command.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended just now.
        let _ = kill_process(pid, signal);
    }
}

/// Starts the command; answers the exit code, as shells have it, where it cannot be.
pub(super) fn start(words: &[OsString], environment: &[(&str, String)]) -> Result<Child, (Failure, u8)> {
    let (program, arguments) = words.split_first().ok_or((Failure::Arguments("no CMD is given".into()), 2))?;
    let variables = environment.iter().map(|(name, value)| (name, value));
    Command::new(program).args(arguments).envs(variables).spawn().map_err(|error| {
        let code = if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 };
        (Failure::Io { what: program.to_string_lossy().into_owned(), error }, code)
    })
}

/// The exit code of a command that ended, as shells have it.
pub(super) fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// The exit code of what this signal ended.
pub(super) fn exit_code_of(signal: Signal) -> u8 {
    u8::try_from(128 + signal.as_raw()).unwrap_or(1)
}
