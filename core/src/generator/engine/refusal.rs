//! Steps that took no position: what to wait for, and the error if the caller may not wait.

use super::Engine;
use super::pending::{Pending, Reason};
use crate::clock::Clock;
use crate::cursor::{CursorWord, Step};
use crate::error::Error;

impl<C: Clock, W: CursorWord> Engine<C, W> {
    /// Returns what to wait for after a step that took no position, or the error if waiting does
    /// not help.
    #[cold]
    pub(super) fn pending(&self, answer: Step<W::Position>, now: u64, now_ns: u64) -> Result<Pending, Error> {
        if self.gate.is_over() {
            return Err(Error::LeaseClosed);
        }
        // The tick to wait for if the clock is not behind.
        let next = now.saturating_add(self.borrow).saturating_add(1);
        // While the generator waits for the tick with which it begins, the clock is not behind.
        let is_behind = matches!(answer, Step::Wait { tick, .. } if tick > next && tick > self.begin_tick());
        let (until, reason) = match answer {
            Step::Wait { tick, .. } if self.gate.has_lease() && tick == self.window.start => (tick, Reason::NotBegun),
            Step::Wait { tick, until } if tick > next && tick > self.shards.new_tick() => (until, Reason::ClockBehind),
            Step::Wait { until, .. } => (until, Reason::UsedUp),
            // With `forward_only`, too, the clock is not behind before the tick with which the
            // generator begins.
            Step::Behind { tick } if tick < self.begin_tick() => (tick + 1, Reason::ClockBehind),
            Step::Behind { tick } => {
                self.counters.saw_clock(true);
                let behind_ns = self.layout.tick_start_ns(tick).saturating_sub(now_ns);
                return Err(self.clock_backward(behind_ns, 0));
            }
            // Inside the window, this is the layout's last tick, which positions that use all bits
            // cannot use.
            Step::Over { tick } if tick >= self.layout.ticks() || tick < self.window_end() => {
                return Err(Error::TimestampOverflow {
                    timestamp_ms: self.layout.tick_start_ms(tick),
                    last_ms: self.layout.last_ms(),
                });
            }
            Step::Over { .. } => {
                let end_ms = self.layout.tick_start_ms(self.window_end());
                if self.gate.has_lease() {
                    return Err(Error::LeaseNotRenewed { end_ms });
                }
                return Err(Error::LeaseExpired { end_ms });
            }
            // `Take` never reaches this point.
            Step::NotBegun | Step::Take { .. } => (self.window.start, Reason::NotBegun),
        };
        self.counters.saw_clock(is_behind);
        let wait_ns = self.layout.tick_start_ns(until).saturating_sub(now_ns);
        Ok(Pending { until, wait_ns, reason })
    }

    /// Returns the maximum wait for this reservation.
    pub(super) fn max_wait_ns(&self, pending: &Pending) -> u64 {
        if pending.until <= self.begin_tick() { self.waits.at_first_ns } else { self.waits.for_tick_ns }
    }

    /// Returns the error of a reservation for which the caller may not wait.
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
