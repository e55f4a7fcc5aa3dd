//! Passes signals on to the command that runs under a lease.

use super::command;
use crate::failure::Failure;
use rustix::process::{Signal, getpgrp};
use rustix::termios::tcgetpgrp;
use std::fs::{self, File};
use std::future::poll_fn;
use std::task::Poll;
use tokio::process::Child;
use tokio::signal::unix::{self, SignalKind};

/// The signals that are passed on, because their senders mean the command. By default most of them
/// would end or stop this program, and the command would not get them.
const PASSED_ON: [Signal; 10] = [
    Signal::INT,
    Signal::TERM,
    Signal::HUP,
    Signal::QUIT,
    Signal::USR1,
    Signal::USR2,
    Signal::ALARM,
    Signal::WINCH,
    Signal::TTIN,
    Signal::TTOU,
];

/// The signals of `PASSED_ON` that end no program by default.
const HARMLESS: [Signal; 3] = [Signal::WINCH, Signal::TTIN, Signal::TTOU];

/// The signals that a terminal sends to all programs in its foreground.
const OF_TERMINAL: [Signal; 3] = [Signal::INT, Signal::QUIT, Signal::WINCH];

/// Receives the signals that are passed on.
pub(super) struct Signals(Vec<(Signal, unix::Signal)>);

impl Signals {
    /// Catches the signals. From now on they do not end this program.
    pub(super) fn catch() -> Result<Self, Failure> {
        let catch = |kind| unix::signal(kind).map_err(Failure::io("waiting for signals"));
        // If our parent process ignores SIGCHLD, the system does not keep the command's exit
        // status. Catching the signal prevents that.
        drop(catch(SignalKind::child())?);
        // Signals that are ignored from the start, as under nohup, stay ignored, also for the
        // command.
        let ignored = ignored();
        let is_ignored = |signal: &Signal| ignored >> (signal.as_raw() - 1) & 1 == 1;
        let caught = PASSED_ON.into_iter().filter(|signal| !is_ignored(signal));
        caught
            .map(|signal| Ok((signal, catch(SignalKind::from_raw(signal.as_raw()))?)))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) -> Signal {
        poll_fn(|context| {
            let came =
                self.0.iter_mut().find_map(|(signal, stream)| stream.poll_recv(context).is_ready().then_some(*signal));
            came.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Waits for the next signal that ends this program while no command runs.
    pub(super) async fn end(&mut self) -> Signal {
        loop {
            let signal = self.next().await;
            if !HARMLESS.contains(&signal) {
                return signal;
            }
        }
    }
}

/// Sends a signal to the command, unless the terminal has already sent it there.
pub(super) fn pass_on(signal: Signal, command: &Child) {
    if !(OF_TERMINAL.contains(&signal) && is_in_foreground()) {
        command::send(signal, command);
    }
}

/// Returns whether this program, and so the command, is in the foreground of its terminal, and gets
/// the terminal's signals.
fn is_in_foreground() -> bool {
    File::open("/dev/tty").is_ok_and(|terminal| tcgetpgrp(terminal) == Ok(getpgrp()))
}

/// Returns the signals that our parent process has ignored, one bit each; 0 if the system does not
/// show them.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
