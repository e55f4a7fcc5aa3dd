//! What a holder does: a state machine that is told what happened and answers what to do next. It reads no clock and sends nothing.
//!
//! ```text
//!  Idle ──► Acquiring ──► Active ◄──► Renewing
//!              ▲            │             │
//!              │            │   no answer until the end: Expired
//!              └────────────┼── refused: Lost ──────┐
//!                           │      (both close the grant, and acquire anew)
//!                           └──► Draining ──► Idle        from any: Invalid, in a copy made by fork
//! ```
//!
//! It keeps its grant's generators inside their rectangle by telling them its end, which only grows. Whether a holder is late, or its clock is
//! wrong, decides nothing about uniqueness: every ID's own tick is compared with the rectangle.

use super::protocol::{Acquire, Grant, Release, Renew, Seen};
use crate::Error;
use saiban::ErrorKind;

/// How a holder goes about its lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How many nodes, next to each other.
    pub nodes: i64,
    /// For how long at a time, µs.
    pub ttl_us: i64,
    /// How far the holder's clock may be from the store's, µs.
    pub max_clock_skew_us: i64,
    /// Who it is, for people.
    pub holder: String,
    /// Whether a lease that ended against the holder's will is followed by a new one.
    pub again: bool,
}

/// Where a holder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has nothing and wants nothing.
    Idle,
    /// It has asked for nodes, or is about to.
    Acquiring,
    /// It has nodes.
    Active,
    /// It has nodes and has asked for more time.
    Renewing,
    /// Its cursors are closed, and the store is being told.
    Draining,
    /// Its lease ended: the store gave no more time while there was some.
    Expired,
    /// Its lease is another's, or forgotten: the store said so.
    Lost,
    /// It is a copy that fork made: what it has is the parent's.
    Invalid,
}

impl State {
    /// Its name in every language: `idle`, `acquiring`, `active`, `renewing`, `draining`, `expired`, `lost`, `invalid`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            State::Idle => "idle",
            State::Acquiring => "acquiring",
            State::Active => "active",
            State::Renewing => "renewing",
            State::Draining => "draining",
            State::Expired => "expired",
            State::Lost => "lost",
            State::Invalid => "invalid",
        }
    }
}

/// The time of a clock that nobody sets, µs since any moment; and a number that nobody can guess, for what is done a little earlier or
/// later than others do it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The time since any moment, µs.
    pub at_us: i64,
    /// The Unix time by the holder's own clock, µs.
    pub clock_us: i64,
    /// A drawn number.
    pub drawn: i64,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The owner wants nodes.
    Start,
    /// The time came that was waited for.
    Time,
    /// The store answered what was asked last.
    Answer(Result<Grant, Error>),
    /// All cursors are closed; the end of the last tick that was reserved, Unix µs, 0 when none was.
    Closed(i64),
    /// The store took the lease back, or could not be told.
    Released,
    /// The owner wants more time at once.
    Hurry,
    /// The owner wants to give its nodes back. Said only where nothing is on its way to the store.
    Stop,
    /// This process is a copy.
    Forked,
}

/// What is to be done next. Each is followed by the event that says how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Nothing, until the owner says something.
    Rest,
    /// Wait until this moment, or until the owner says something; then `Time`.
    Wait(i64),
    /// Ask for nodes; then `Answer`.
    Acquire(Acquire),
    /// Ask for more time, and wait for the answer no longer than until this moment; then `Answer`.
    Renew(Renew, i64),
    /// Let generators use a new grant; then `Time`.
    Begin(Grant),
    /// Let them use theirs until this later end, Unix µs; then `Time`.
    Extend(i64),
    /// Close every cursor of the grant; then `Closed`.
    Close,
    /// Tell the store; then `Released`.
    Release(Release),
}

/// The share of a lease after which it is renewed.
const RENEW_AFTER: i64 = 3;

/// How many tries fit between the first renewal and the end.
const TRIES: i64 = 8;

/// The longest wait between two tries to acquire, µs; less where leases are shorter: within one of them others' nodes come free.
const LONGEST_PAUSE_US: i64 = 30_000_000;

/// The first of them, µs.
const FIRST_PAUSE_US: i64 = 100_000;

/// A holder of one lease at a time.
#[derive(Clone, Debug)]
pub struct Holder {
    policy: Policy,
    state: State,
    grant: Option<Grant>,
    seen: Option<Seen>,
    /// Why there is no lease, as far as it is known.
    why: Option<Error>,
    /// When what was asked last was asked.
    asked_at_us: i64,
    /// With which token nodes were asked for last.
    asked_token: i64,
    /// When the lease ends, by the clock that nobody sets.
    ends_at_us: i64,
    /// When to do something next.
    next_at_us: i64,
    failures: u32,
    stopping: bool,
}

impl Holder {
    /// A holder that has nothing yet.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Holder {
            policy,
            state: State::Idle,
            grant: None,
            seen: None,
            why: None,
            asked_at_us: 0,
            asked_token: 0,
            ends_at_us: 0,
            next_at_us: 0,
            failures: 0,
            stopping: false,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// The rectangle that its generators may use; none from the moment on when it is to be closed.
    #[must_use]
    pub fn grant(&self) -> Option<&Grant> {
        self.grant.as_ref()
    }

    /// Why there is no lease, or why it was not renewed when that was tried last.
    #[must_use]
    pub fn why(&self) -> Option<&Error> {
        self.why.as_ref()
    }

    /// What to do after this event.
    pub fn on(&mut self, event: Event, now: Moment) -> Act {
        if self.state == State::Invalid {
            return Act::Rest;
        }
        match event {
            Event::Forked => {
                // Nothing of it is ours: not to be used, renewed, closed nor given back.
                self.state = State::Invalid;
                self.grant = None;
                Act::Rest
            }
            Event::Start if self.state == State::Idle => {
                self.stopping = false;
                self.acquire(now)
            }
            Event::Stop => {
                self.stopping = true;
                self.stop()
            }
            Event::Hurry => {
                self.next_at_us = now.at_us;
                self.go_on(now)
            }
            Event::Start | Event::Time => self.go_on(now),
            Event::Answer(answer) => match self.state {
                State::Acquiring => self.acquired(answer, now),
                State::Renewing => self.renewed(answer, now),
                _ => self.go_on(now),
            },
            Event::Closed(high_water_us) => self.closed(high_water_us, now),
            Event::Released => {
                self.state = State::Idle;
                Act::Rest
            }
        }
    }

    fn go_on(&mut self, now: Moment) -> Act {
        match self.state {
            State::Acquiring if self.stopping => self.idle(),
            State::Acquiring if now.at_us >= self.next_at_us => self.acquire(now),
            // Stopped while an answer was on its way.
            State::Active if self.stopping => self.stop(),
            State::Active if now.at_us >= self.ends_at_us => self.end(State::Expired),
            State::Active if now.at_us >= self.next_at_us => self.renew(now),
            State::Acquiring => Act::Wait(self.next_at_us),
            State::Active => Act::Wait(self.next_at_us.min(self.ends_at_us)),
            _ => Act::Rest,
        }
    }

    fn acquire(&mut self, now: Moment) -> Act {
        self.state = State::Acquiring;
        self.asked_at_us = now.at_us;
        self.asked_token = now.drawn;
        let Policy { nodes, ttl_us, max_clock_skew_us, ref holder, .. } = self.policy;
        Act::Acquire(Acquire {
            nodes,
            ttl_us,
            holder: holder.clone(),
            token: now.drawn,
            clock_us: now.clock_us,
            max_clock_skew_us,
            seen: self.seen.clone(),
        })
    }

    fn acquired(&mut self, answer: Result<Grant, Error>, now: Moment) -> Act {
        match answer {
            Ok(grant) if grant.key.token != self.asked_token => self.acquired(Err(of_another()), now),
            Ok(grant) => {
                self.accept(&grant, now);
                // Stopped meanwhile: it is given back like any other, by who closes its cursors.
                Act::Begin(grant)
            }
            Err(_) if self.stopping => self.idle(),
            Err(error) => {
                self.why = Some(error);
                let longest_us = self.policy.ttl_us.clamp(FIRST_PAUSE_US, LONGEST_PAUSE_US);
                let pause_us = (FIRST_PAUSE_US << self.failures.min(16)).min(longest_us);
                self.failures += 1;
                self.next_at_us = now.at_us + jittered(pause_us, now.drawn);
                Act::Wait(self.next_at_us)
            }
        }
    }

    fn renew(&mut self, now: Moment) -> Act {
        let Some(seen) = self.seen.clone() else { return Act::Rest };
        self.state = State::Renewing;
        self.asked_at_us = now.at_us;
        Act::Renew(Renew { seen, ttl_us: self.policy.ttl_us }, self.ends_at_us)
    }

    fn renewed(&mut self, answer: Result<Grant, Error>, now: Moment) -> Act {
        self.state = State::Active;
        match answer {
            Ok(grant) if self.seen.as_ref().is_none_or(|seen| seen.key != grant.key) => {
                self.renewed(Err(of_another()), now)
            }
            Ok(grant) => {
                self.accept(&grant, now);
                Act::Extend(grant.end_us)
            }
            Err(error) => {
                let kind = error.kind();
                self.why = Some(error);
                let is_over = now.at_us >= self.ends_at_us;
                match kind {
                    ErrorKind::LeaseLost | ErrorKind::NamespaceQuarantined | ErrorKind::NamespaceUnknown => {
                        self.end(State::Lost)
                    }
                    _ if self.stopping => self.stop(),
                    _ if is_over => self.end(State::Expired),
                    _ => {
                        let lease_us = self.ends_at_us - self.asked_at_us;
                        let pause_us = (lease_us / TRIES).max(FIRST_PAUSE_US);
                        self.next_at_us = now.at_us + jittered(pause_us, now.drawn);
                        Act::Wait(self.next_at_us.min(self.ends_at_us))
                    }
                }
            }
        }
    }

    /// Notes a grant. Its time is counted from when it was asked for: the answer may have been long on its way.
    fn accept(&mut self, grant: &Grant, now: Moment) {
        let left_us = (grant.end_us - grant.now_us).max(0);
        self.ends_at_us = self.asked_at_us + left_us;
        self.next_at_us = self.asked_at_us + jittered(left_us / RENEW_AFTER, now.drawn);
        self.seen = Some(Seen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us });
        self.grant = Some(grant.clone());
        self.state = State::Active;
        self.why = None;
        self.failures = 0;
    }

    /// The lease is over: nobody is to use it from now on.
    fn end(&mut self, state: State) -> Act {
        self.state = state;
        Act::Close
    }

    fn stop(&mut self) -> Act {
        match self.state {
            State::Active => {
                self.state = State::Draining;
                Act::Close
            }
            // It waits to ask again.
            State::Acquiring => self.idle(),
            _ => Act::Rest,
        }
    }

    fn closed(&mut self, high_water_us: i64, now: Moment) -> Act {
        let grant = self.grant.take();
        match (self.state, grant) {
            (State::Draining, Some(grant)) => Act::Release(Release { key: grant.key, high_water_us }),
            _ if self.stopping || !self.policy.again => self.idle(),
            _ => self.acquire(now),
        }
    }

    fn idle(&mut self) -> Act {
        self.state = State::Idle;
        Act::Rest
    }
}

/// An answer to what somebody else asked: of a client that has mixed up two calls.
fn of_another() -> Error {
    Error::new(ErrorKind::StoreUnavailable, "the store's client gave the answer to another question: asked again")
}

/// Up to a fifth earlier: a fleet that was started at once does not ask at once for ever.
fn jittered(us: i64, drawn: i64) -> i64 {
    us - us / 5 * (drawn & 0xffff) / 0x1_0000
}
