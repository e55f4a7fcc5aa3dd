//! Positions that cannot be had yet: what is waited for, and the error where nobody may wait.

use super::Engine;
use crate::clock::Clock;
use crate::cursor::{CursorWord, Step};
use crate::error::Error;

/// A reservation that cannot be had yet, and the error it becomes if nobody may wait for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// The tick that is waited for.
    pub(super) until: u64,
    pub(super) wait_ns: u64,
    pub(super) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The tick is used up, or is the one in which the generator was built.
    UsedUp,
    /// The clock is behind the tick that was reached.
    ClockBehind,
    /// The window begins later.
    NotBegun,
}

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// What an answer without a position means.
    #[cold]
    pub(super) fn pending(&self, answer: Step<W::Position>, now: u64, now_ns: u64) -> Result<Pending, Error> {
        #[cfg(feature = "std")]
        if let Some(tenure) = &self.tenure {
            if tenure.was_closed() {
                return Err(Error::LeaseClosed);
            }
        }
        // The tick that a clock which goes forward would wait for.
        let next = now.saturating_add(self.borrow).saturating_add(1);
        // The tick with which a generator begins is none that the clock fell behind.
        let is_behind = matches!(answer, Step::Wait { tick, .. } if tick > next && tick > self.begin_tick());
        let (until, reason) = match answer {
            #[cfg(feature = "std")]
            Step::Wait { tick, .. } if self.tenure.is_some() && tick == self.window.start => (tick, Reason::NotBegun),
            Step::Wait { tick, until } if tick > next && tick > self.shards.new_tick() => (until, Reason::ClockBehind),
            Step::Wait { until, .. } => (until, Reason::UsedUp),
            // Nor is it one for those who want to go forward only.
            Step::Behind { tick } if tick < self.begin_tick() => (tick + 1, Reason::ClockBehind),
            Step::Behind { tick } => {
                self.counters.saw_clock(true);
                let behind_ns = self.layout.tick_start_ns(tick).saturating_sub(now_ns);
                return Err(self.clock_backward(behind_ns, 0));
            }
            // Inside the window it is the last tick, which positions of all bits do not use.
            Step::Over { tick } if tick >= self.layout.ticks() || tick < self.window_end() => {
                return Err(Error::TimestampOverflow {
                    timestamp_ms: self.layout.tick_start_ms(tick),
                    last_ms: self.layout.last_ms(),
                });
            }
            Step::Over { .. } => {
                let end_ms = self.layout.tick_start_ms(self.window_end());
                #[cfg(feature = "std")]
                if self.tenure.is_some() {
                    return Err(Error::LeaseNotRenewed { end_ms });
                }
                return Err(Error::LeaseExpired { end_ms });
            }
            // A position that was to be had is none to wait for.
            Step::NotBegun | Step::Take { .. } => (self.window.start, Reason::NotBegun),
        };
        self.counters.saw_clock(is_behind);
        let wait_ns = self.layout.tick_start_ns(until).saturating_sub(now_ns);
        Ok(Pending { until, wait_ns, reason })
    }

    /// The longest wait for this reservation.
    pub(super) fn max_wait_ns(&self, pending: &Pending) -> u64 {
        if pending.until <= self.begin_tick() { self.waits.at_first_ns } else { self.waits.for_tick_ns }
    }

    /// The error of a reservation that nobody may wait for.
    pub(super) fn refusal(&self, Pending { until, wait_ns, reason }: Pending, max_wait_ns: u64) -> Error {
        match reason {
            Reason::UsedUp if until <= self.begin_tick() => Error::WouldWaitAtFirst { wait_ns, max_wait_ns },
            Reason::UsedUp => Error::WouldWait { wait_ns, max_wait_ns },
            Reason::ClockBehind => self.clock_backward(wait_ns, max_wait_ns),
            Reason::NotBegun => {
                Error::LeaseNotBegun { start_ms: self.layout.tick_start_ms(self.window.start), wait_ns, max_wait_ns }
            }
        }
    }

    fn clock_backward(&self, behind_ns: u64, max_wait_ns: u64) -> Error {
        match self.shards.path() {
            Some(path) => Error::ClockBehindMachine { behind_ns, max_wait_ns, path },
            None => Error::ClockBackward { behind_ns, max_wait_ns },
        }
    }
}
