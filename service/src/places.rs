//! Admission control: how many requests of each kind are answered at a time.
//!
//! `in_flight` takes and frees the places; `server` determines the kind of each request.

use crate::problem::{Code, Problem};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The kind of place that a request takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quota {
    /// A place within `limits.max_in_flight`.
    Any,
    /// A place within `limits.max_in_flight`, of which streams may take half. They last as long as
    /// the client likes.
    Stream,
    /// A place within `limits.max_in_flight`, or one of an additional eighth, at least 8. It is for
    /// leases, metrics and the status page, which must work under overload.
    Kept,
    /// A place of its own kind for health checks over gRPC. They need no token, so they must not
    /// take places of clients with one.
    Health,
    /// A place of its own kind for `Health/Watch` and reflection. They last as long as the client
    /// likes, but cost little.
    Watch,
}

impl Quota {
    /// Returns whether the request counts as in flight.
    pub(crate) fn is_counted(self) -> bool {
        !matches!(self, Quota::Health | Quota::Watch)
    }

    /// Returns the error for a request of this kind when all places are taken.
    pub(crate) fn overloaded(self, limit: usize) -> Problem {
        let what = match self {
            Quota::Stream => {
                format!(
                    "{} streams are already open, or {limit} requests in flight (limits.max_in_flight)",
                    max_streams(limit)
                )
            }
            Quota::Health => format!("{MAX_HEALTH} health checks are already in flight"),
            Quota::Watch => format!("{MAX_WATCHES} health watches or reflection streams are already open"),
            Quota::Any | Quota::Kept => format!("{limit} requests are already in flight (limits.max_in_flight)"),
        };
        Problem::new(Code::Overloaded, format!("{what}: try again in a second, or another instance"))
    }
}

/// The maximum number of health checks at a time.
const MAX_HEALTH: usize = 256;

/// The maximum number of `Health/Watch` and reflection streams at a time.
const MAX_WATCHES: usize = 1024;

fn max_streams(limit: usize) -> usize {
    limit.div_ceil(2)
}

/// The numbers of places taken.
#[derive(Default)]
pub(crate) struct Places {
    /// All requests in flight, so neither health checks nor watches.
    all: AtomicUsize,
    streams: AtomicUsize,
    health: AtomicUsize,
    watches: AtomicUsize,
}

impl Places {
    /// Takes a place, and returns whether it was within the limits. The caller must call
    /// [`Places::leave`] in both cases.
    pub(crate) fn take(&self, quota: Quota, limit: usize) -> bool {
        match quota {
            Quota::Health => return self.health.fetch_add(1, Ordering::Relaxed) < MAX_HEALTH,
            Quota::Watch => return self.watches.fetch_add(1, Ordering::Relaxed) < MAX_WATCHES,
            _ => {}
        }
        let kept = if quota == Quota::Kept { (limit / 8).max(8) } else { 0 };
        let has_place = self.all.fetch_add(1, Ordering::Relaxed) < limit + kept;
        let may_stream = quota != Quota::Stream || self.streams.fetch_add(1, Ordering::Relaxed) < max_streams(limit);
        has_place && may_stream
    }

    /// Frees a place.
    pub(crate) fn leave(&self, quota: Quota) {
        match quota {
            Quota::Health => self.health.fetch_sub(1, Ordering::Relaxed),
            Quota::Watch => self.watches.fetch_sub(1, Ordering::Relaxed),
            Quota::Stream => self.all.fetch_sub(1, Ordering::Relaxed) + self.streams.fetch_sub(1, Ordering::Relaxed),
            Quota::Any | Quota::Kept => self.all.fetch_sub(1, Ordering::Relaxed),
        };
    }

    /// Returns the number of requests in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.all.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watches_take_no_room_of_streams_or_requests() {
        let places = Places::default();
        assert!((0..MAX_WATCHES).all(|_| places.take(Quota::Watch, 4)));
        assert!(!places.take(Quota::Watch, 4));
        places.leave(Quota::Watch);
        places.leave(Quota::Watch);
        assert!(places.take(Quota::Watch, 4));
        assert!(places.take(Quota::Stream, 4) && places.take(Quota::Stream, 4) && !places.take(Quota::Stream, 4));
        places.leave(Quota::Stream);
        assert!(places.take(Quota::Any, 4) && places.take(Quota::Any, 4) && !places.take(Quota::Any, 4));
    }
}
