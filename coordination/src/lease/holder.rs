//! The state machine of a lease's holder: it takes an event and returns the next action.
//!
//! It reads no clock and sends nothing; `keeper` does both.
//!
//! ```text
//! Idle ──► Acquiring ──► Active ◄──► Renewing
//!             ▲            │             │
//!             │            │   no answer until the end: Expired
//!             └────────────┼── refused: Lost ──────┐
//!                          │      (both close the grant, and acquire again)
//!                          └──► Draining ──► Idle        from any: Invalid, in a forked process
//! ```
//!
//! The holder keeps its generators inside their rectangle by giving them its end, which only grows.
//! A late holder or a wrong clock cannot break uniqueness: every ID's own tick is compared with the
//! rectangle.

use super::protocol::{Acquire, Grant, LastSeen, Release, Renew};
use crate::Error;
use saiban::ErrorKind;

/// The settings of a holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The number of adjacent nodes.
    pub nodes: i64,
    /// The ttl, µs.
    pub ttl_us: i64,
    /// The largest allowed difference between the holder's clock and the store's, µs.
    pub max_clock_skew_us: i64,
    /// The holder's name, for people.
    pub holder: String,
    /// Whether the holder acquires a new lease after one that expired or was lost.
    pub again: bool,
}

saiban::named_enum! {
    /// The state of a holder.
    pub enum State {
        /// The holder has no lease, and requests none.
        Idle "idle",
        /// The holder has requested nodes, or waits for its next try.
        Acquiring "acquiring",
        /// The holder has a lease.
        Active "active",
        /// The holder has a lease, and has requested more time.
        Renewing "renewing",
        /// The holder is releasing its lease: it closes its cursors, then notifies the store.
        Draining "draining",
        /// The lease ended before the store renewed it.
        Expired "expired",
        /// The store refused a renewal: the lease is another holder's, or the store lost it.
        Lost "lost",
        /// This process is a forked child: the lease is the parent's.
        Invalid "invalid",
    }
}

/// The time and a random number, for one step of the state machine.
///
/// The random number becomes a request's token, and varies the length of waits.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// A monotonic time, µs since an arbitrary moment.
    pub at_us: i64,
    /// The Unix time by the holder's own clock, µs.
    pub clock_us: i64,
    /// A random number.
    pub random: i64,
}

/// An event that the state machine handles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The owner requests a lease.
    Start,
    /// The awaited time has come.
    Time,
    /// The store replied to the last request.
    Answer(Result<Grant, Error>),
    /// All cursors are closed. The value is the end of the last reserved tick, Unix µs; 0 if none
    /// was reserved.
    Closed(i64),
    /// The store has released the lease, or could not be notified.
    Released,
    /// The owner requests a renewal at once.
    Hurry,
    /// The owner releases the lease. Sent only while no request to the store is under way.
    Stop,
    /// This process is a forked child.
    Forked,
}

/// The next action. The event that each variant names reports its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Do nothing until the owner's next event.
    Rest,
    /// Wait until this moment, then send `Time`. An event from the owner ends the wait early.
    Wait(i64),
    /// Request nodes; then send `Answer`.
    Acquire(Acquire),
    /// Request more time, and wait for the reply until this moment at most; then send `Answer`.
    Renew(Renew, i64),
    /// Let generators use a new grant; then send `Time`.
    Begin(Grant),
    /// Extend the generators' grant to this later end, Unix µs; then send `Time`.
    Extend(i64),
    /// Close every cursor of the grant; then send `Closed`.
    Close,
    /// Send the release to the store; then send `Released`.
    Release(Release),
}

/// A lease is renewed after 1/`RENEW_AFTER` of its time.
const RENEW_AFTER: i64 = 3;

/// After a failed renewal, the next one follows after 1/`TRIES` of the time that the lease had
/// left.
const TRIES: i64 = 8;

/// The longest wait between two requests for nodes, µs. A shorter ttl is the limit instead: within
/// one ttl, other holders' nodes become free.
const LONGEST_PAUSE_US: i64 = 30_000_000;

/// The first, and shortest, wait between two requests to the store, µs.
const FIRST_PAUSE_US: i64 = 100_000;

/// A holder of at most one lease at a time.
#[derive(Clone, Debug)]
pub struct Holder {
    policy: Policy,
    state: State,
    grant: Option<Grant>,
    seen: Option<LastSeen>,
    /// Why there is no lease, or why the last renewal failed, if known.
    why: Option<Error>,
    /// When the last request was sent.
    asked_at_us: i64,
    /// The token of the last request for nodes.
    asked_token: i64,
    /// When the lease ends, by the monotonic clock.
    ends_at_us: i64,
    /// When the next action is due.
    next_at_us: i64,
    failures: u32,
    stopping: bool,
}

impl Holder {
    /// Creates a holder without a lease.
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

    /// Returns the state.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns the granted rectangle; `None` without a lease, and once its cursors are closed.
    #[must_use]
    pub fn grant(&self) -> Option<&Grant> {
        self.grant.as_ref()
    }

    /// Returns why there is no lease, or why the last renewal failed.
    #[must_use]
    pub fn why(&self) -> Option<&Error> {
        self.why.as_ref()
    }

    /// Handles an event, and returns the next action.
    pub fn on(&mut self, event: Event, now: Moment) -> Act {
        if self.state == State::Invalid {
            return Act::Rest;
        }
        match event {
            Event::Forked => {
                // The lease is the parent's: never use, renew, close or release it here.
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
            // The owner stopped the holder while a request was under way.
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
        self.asked_token = now.random;
        let Policy { nodes, ttl_us, max_clock_skew_us, ref holder, .. } = self.policy;
        Act::Acquire(Acquire {
            nodes,
            ttl_us,
            holder: holder.clone(),
            token: now.random,
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
                // If the owner stopped the holder meanwhile, the next event closes and releases the
                // grant.
                Act::Begin(grant)
            }
            Err(_) if self.stopping => self.idle(),
            Err(error) => {
                self.why = Some(error);
                let longest_us = self.policy.ttl_us.clamp(FIRST_PAUSE_US, LONGEST_PAUSE_US);
                let pause_us = (FIRST_PAUSE_US << self.failures.min(16)).min(longest_us);
                self.failures += 1;
                self.next_at_us = now.at_us + jittered(pause_us, now.random);
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
                        self.next_at_us = now.at_us + jittered(pause_us, now.random);
                        Act::Wait(self.next_at_us.min(self.ends_at_us))
                    }
                }
            }
        }
    }

    /// Records a grant. Its time counts from the request, because the reply may have been delayed.
    fn accept(&mut self, grant: &Grant, now: Moment) {
        let left_us = (grant.end_us - grant.now_us).max(0);
        self.ends_at_us = self.asked_at_us + left_us;
        self.next_at_us = self.asked_at_us + jittered(left_us / RENEW_AFTER, now.random);
        self.seen = Some(LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us });
        self.grant = Some(grant.clone());
        self.state = State::Active;
        self.why = None;
        self.failures = 0;
    }

    /// Ends the lease, with this state: no generator may use it from now on.
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
            // No request is under way: the holder waits for its next try.
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

/// Returns the error for a reply to another request, from a client that mixed up two calls.
fn of_another() -> Error {
    Error::new(
        ErrorKind::StoreUnavailable,
        "the store's client returned the response to another request: the request is repeated",
    )
}

/// Shortens a wait by up to a fifth, at random, so that holders that started together do not send
/// all later requests together.
fn jittered(us: i64, random: i64) -> i64 {
    us - us / 5 * (random & 0xffff) / 0x1_0000
}
