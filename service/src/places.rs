//! Admission control: how many requests of each kind are answered at a time.
//!
//! `in_flight` takes and frees the places; `server` determines the kind of each request.

use crate::problem::{Code, Problem};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The kind of place that a request takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
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

impl Room {
    /// Returns whether the request counts as in flight.
    pub(crate) fn is_counted(self) -> bool {
        !matches!(self, Room::Health | Room::Watch)
    }

    /// Returns the error for a request of this kind when all places are taken.
    pub(crate) fn overloaded(self, limit: usize) -> Problem {
        let what = match self {
            Room::Stream => {
                format!("{} streams are open already, or {limit} requests (limits.max_in_flight)", most_streams(limit))
            }
            Room::Health => format!("{MOST_HEALTH} calls for health are being answered already"),
            Room::Watch => format!("{MOST_WATCHES} watch its health or use reflection already"),
            Room::Any | Room::Kept => format!("{limit} requests are being answered already (limits.max_in_flight)"),
        };
        Problem::new(Code::Overloaded, format!("{what}: try again in a second, or elsewhere"))
    }
}

/// The maximum number of health checks at a time.
const MOST_HEALTH: usize = 256;

/// The maximum number of `Health/Watch` and reflection streams at a time.
const MOST_WATCHES: usize = 1024;

fn most_streams(limit: usize) -> usize {
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
    pub(crate) fn take(&self, room: Room, limit: usize) -> bool {
        match room {
            Room::Health => return self.health.fetch_add(1, Ordering::Relaxed) < MOST_HEALTH,
            Room::Watch => return self.watches.fetch_add(1, Ordering::Relaxed) < MOST_WATCHES,
            _ => {}
        }
        let kept = if room == Room::Kept { (limit / 8).max(8) } else { 0 };
        let has_room = self.all.fetch_add(1, Ordering::Relaxed) < limit + kept;
        let may_stream = room != Room::Stream || self.streams.fetch_add(1, Ordering::Relaxed) < most_streams(limit);
        has_room && may_stream
    }

    /// Frees a place.
    pub(crate) fn leave(&self, room: Room) {
        match room {
            Room::Health => self.health.fetch_sub(1, Ordering::Relaxed),
            Room::Watch => self.watches.fetch_sub(1, Ordering::Relaxed),
            Room::Stream => self.all.fetch_sub(1, Ordering::Relaxed) + self.streams.fetch_sub(1, Ordering::Relaxed),
            Room::Any | Room::Kept => self.all.fetch_sub(1, Ordering::Relaxed),
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
    fn who_watches_takes_no_room_of_streams_nor_of_requests() {
        let places = Places::default();
        assert!((0..MOST_WATCHES).all(|_| places.take(Room::Watch, 4)));
        assert!(!places.take(Room::Watch, 4));
        places.leave(Room::Watch);
        places.leave(Room::Watch);
        assert!(places.take(Room::Watch, 4));
        assert!(places.take(Room::Stream, 4) && places.take(Room::Stream, 4) && !places.take(Room::Stream, 4));
        places.leave(Room::Stream);
        assert!(places.take(Room::Any, 4) && places.take(Room::Any, 4) && !places.take(Room::Any, 4));
    }
}
