//! The signals that are meant for a command that runs under a lease.

use super::command;
use crate::failure::Failure;
use rustix::process::{Signal, getpgrp};
use rustix::termios::tcgetpgrp;
use std::fs::{self, File};
use std::future::poll_fn;
use std::task::Poll;
use tokio::process::Child;
use tokio::signal::unix::{self, SignalKind};

/// Those that are passed on: who sends them means the command. Most of them would end this program, or stop it, and leave the command
/// alone.
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

/// Those of them that end no program by themselves.
const HARMLESS: [Signal; 3] = [Signal::WINCH, Signal::TTIN, Signal::TTOU];

/// Those that a terminal sends to all programs in its foreground.
const OF_TERMINAL: [Signal; 3] = [Signal::INT, Signal::QUIT, Signal::WINCH];

/// The signals that are passed on.
pub(super) struct Signals(Vec<(Signal, unix::Signal)>);

impl Signals {
    /// From now on they do not end this program.
    pub(super) fn catch() -> Result<Self, Failure> {
        let catch = |kind| unix::signal(kind).map_err(Failure::io("waiting for signals"));
        // Where who started us ignores it, the system would forget how the command ended.
        drop(catch(SignalKind::child())?);
        // What is ignored from the start, as under nohup, stays so, for the command too.
        let ignored = ignored();
        let is_ignored = |signal: &Signal| ignored >> (signal.as_raw() - 1) & 1 == 1;
        let caught = PASSED_ON.into_iter().filter(|signal| !is_ignored(signal));
        caught
            .map(|signal| Ok((signal, catch(SignalKind::from_raw(signal.as_raw()))?)))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The next one.
    pub(super) async fn next(&mut self) -> Signal {
        poll_fn(|context| {
            let came =
                self.0.iter_mut().find_map(|(signal, stream)| stream.poll_recv(context).is_ready().then_some(*signal));
            came.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// The next one that is to end this program, while there is no command.
    pub(super) async fn end(&mut self) -> Signal {
        loop {
            let signal = self.next().await;
            if !HARMLESS.contains(&signal) {
                return signal;
            }
        }
    }
}

/// Tells the command, unless it was told already.
pub(super) fn pass_on(signal: Signal, command: &Child) {
    if !(OF_TERMINAL.contains(&signal) && is_in_foreground()) {
        command::send(signal, command);
    }
}

/// Whether the terminal that this program was started from, if any, sends its signals to it, and so to the command.
fn is_in_foreground() -> bool {
    File::open("/dev/tty").is_ok_and(|terminal| tcgetpgrp(terminal) == Ok(getpgrp()))
}

/// The signals that whoever started us has ignored, a bit for each, where the system tells.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
