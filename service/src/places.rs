//! How many requests are answered at a time, and for what there is room when that many are.

use crate::problem::{Code, Problem};
use crate::service::Service;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

impl Service {
    /// Begins a request, unless there are too many.
    pub(crate) fn begin(self: &Arc<Self>, room: Room) -> Result<InFlight, Problem> {
        let limit = self.limits().max_in_flight;
        let has_room = self.places.take(room, limit);
        let request = InFlight { service: Arc::clone(self), room };
        if room.is_counted() {
            self.metrics.in_flight.inc();
        }
        if has_room {
            return Ok(request);
        }
        self.metrics.overloaded.inc();
        let what = match room {
            Room::Stream => {
                format!("{} streams are open already, or {limit} requests (limits.max_in_flight)", most_streams(limit))
            }
            Room::Health => format!("{MOST_HEALTH} calls for health are being answered already"),
            Room::Watch => format!("{MOST_WATCHES} watch its health or use reflection already"),
            Room::Any | Room::Kept => format!("{limit} requests are being answered already (limits.max_in_flight)"),
        };
        Err(Problem::new(Code::Overloaded, format!("{what}: try again in a second, or elsewhere")))
    }

    /// How many requests are being answered.
    pub(crate) fn in_flight(&self) -> usize {
        self.places.all.load(Ordering::Relaxed)
    }
}

/// What room a request takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Of `limits.max_in_flight`.
    Any,
    /// The same, at most half of it: streams may last as long as the caller likes.
    Stream,
    /// The same, and what is kept for leases, and for who looks what is wrong: they must go on whatever others ask.
    Kept,
    /// Calls for health over gRPC, which need no token: they take no room of who has one.
    Health,
    /// Watching health, and reflection, which last as long as the caller likes and have little to do.
    Watch,
}

impl Room {
    /// Whether it is one of the requests in flight.
    fn is_counted(self) -> bool {
        !matches!(self, Room::Health | Room::Watch)
    }
}

/// How many calls for health are answered at a time.
const MOST_HEALTH: usize = 256;

/// How many watch health, or use reflection, at a time.
const MOST_WATCHES: usize = 1024;

fn most_streams(limit: usize) -> usize {
    limit.div_ceil(2)
}

/// How many requests are being answered.
#[derive(Default)]
pub(crate) struct Places {
    /// All but those for health, and those that watch.
    all: AtomicUsize,
    streams: AtomicUsize,
    health: AtomicUsize,
    watches: AtomicUsize,
}

impl Places {
    /// Takes a place, which is to be left again, and says whether there was room for it.
    fn take(&self, room: Room, limit: usize) -> bool {
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

    fn leave(&self, room: Room) {
        match room {
            Room::Health => self.health.fetch_sub(1, Ordering::Relaxed),
            Room::Watch => self.watches.fetch_sub(1, Ordering::Relaxed),
            Room::Stream => self.all.fetch_sub(1, Ordering::Relaxed) + self.streams.fetch_sub(1, Ordering::Relaxed),
            Room::Any | Room::Kept => self.all.fetch_sub(1, Ordering::Relaxed),
        };
    }
}

/// A request that is being answered, until it is dropped.
pub(crate) struct InFlight {
    service: Arc<Service>,
    room: Room,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.service.places.leave(self.room);
        if self.room.is_counted() {
            self.service.metrics.in_flight.dec();
        }
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
