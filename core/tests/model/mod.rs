//! The cursor's rule in its plainest form, to be read with docs/decisions/cursor.md and compared
//! with `step`.
//!
//! The model remembers every issued position and checks all candidates in order. It shares no code
//! with the core: no state word, no shifts, no masks.

use saiban::cursor::internal::{Lane, Limits, Pace, Step};

/// The ticks of the model; positions are searched up to one tick past the last.
pub const TICKS: u64 = 8;

/// A position: a tick, and the low part within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub tick: u64,
    pub low: u64,
}

/// All positions that one cursor has issued, in order.
#[derive(Clone, Debug, Default)]
pub struct History {
    issued: Vec<Place>,
}

/// The outcome of a request at this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Take this many places from this one on.
    Take(Place, u64),
    /// Wait until the clock reaches the second tick; the next place is in the first.
    Wait(u64, u64),
    /// Refuse: the clock is behind this tick, and the limits only go forward.
    Behind(u64),
    NotBegun,
    /// Refuse: this tick lies past the window.
    Over(u64),
}

impl History {
    /// Returns a history that issued every place before this one.
    pub fn all_before(place: Place, slots: u64) -> Self {
        let mut issued = Vec::new();
        for tick in 0..=place.tick {
            for low in 0..slots {
                if (Place { tick, low }) < place {
                    issued.push(Place { tick, low });
                }
            }
        }
        History { issued }
    }

    /// Returns the last place issued.
    fn last(&self) -> Option<Place> {
        self.issued.last().copied()
    }

    /// Returns whether any place of this tick was issued.
    fn has_reached(&self, tick: u64) -> bool {
        self.issued.iter().any(|place| place.tick == tick)
    }

    /// Returns whether a place may be issued, regardless of the window: it must be new, and must
    /// not precede others.
    fn is_free(&self, place: Place, now: u64, pace: Pace) -> bool {
        let Some(last) = self.last() else {
            return place.tick >= now && place.low == pace.first;
        };
        if place <= last || place.tick < now {
            return false;
        }
        if place.tick == last.tick {
            // Within a tick a place advances by at least the increment.
            place.low >= last.low.saturating_add(pace.increment)
        } else {
            place.low == pace.first
        }
    }

    /// Returns the first free place.
    fn next(&self, now: u64, limits: &Limits, pace: Pace) -> Place {
        for tick in 0..=TICKS {
            for low in 0..limits.slots {
                if self.is_free(Place { tick, low }, now, pace) {
                    return Place { tick, low };
                }
            }
        }
        panic!("nothing is free, not even past the end");
    }

    /// The rule for one cursor.
    pub fn verdict(&self, now: u64, limits: &Limits, pace: Pace) -> Verdict {
        if let Some(last) = self.last() {
            if limits.forward_only && last.tick > now + limits.borrow {
                return Verdict::Behind(last.tick);
            }
        }
        let place = self.next(now, limits, pace);
        if place.tick >= limits.end_tick {
            return Verdict::Over(place.tick);
        }
        if place.tick < limits.first_tick {
            return Verdict::NotBegun;
        }
        if !self.has_reached(place.tick) && place.tick > now + limits.borrow {
            return Verdict::Wait(place.tick, place.tick - limits.borrow);
        }
        let mut count = 0;
        for low in place.low..limits.slots {
            if count < pace.want {
                assert!(!self.issued.contains(&Place { tick: place.tick, low }));
                count += 1;
            }
        }
        Verdict::Take(place, count)
    }
}

/// The rule for the cursor in use and the next one, which a step back of the clock moves to.
pub fn verdict_back(same: &History, next: &History, now: u64, limits: &Limits, pace: Pace) -> (Lane, Verdict) {
    if let Some(taken) = taken_back(same, next, now, limits, pace) {
        return taken;
    }
    let alone = same.verdict(now, &hold(limits), pace);
    if let Verdict::Wait(tick, _) | Verdict::Over(tick) = alone {
        // Finds the first later reading at which either cursor can take a place.
        for later in now + 1..TICKS {
            if taken_back(same, next, later, limits, pace).is_some() {
                return (Lane::Same, Verdict::Wait(tick, later));
            }
        }
    }
    (Lane::Same, alone)
}

/// Returns the lane and the places taken at this reading, if any.
fn taken_back(same: &History, next: &History, now: u64, limits: &Limits, pace: Pace) -> Option<(Lane, Verdict)> {
    let taken = |lane, verdict| match verdict {
        Verdict::Take(..) => Some((lane, verdict)),
        _ => None,
    };
    match same.verdict(now, &forward(limits), pace) {
        Verdict::Behind(_) => taken(Lane::Next, next.verdict(now, &forward(limits), pace))
            .or_else(|| taken(Lane::Same, same.verdict(now, &hold(limits), pace))),
        verdict => taken(Lane::Same, verdict),
    }
}

fn forward(limits: &Limits) -> Limits {
    Limits { forward_only: true, ..*limits }
}

fn hold(limits: &Limits) -> Limits {
    Limits { forward_only: false, ..*limits }
}

/// Returns the place of a state word.
pub fn place_of(state: u64, limits: &Limits) -> Place {
    let width = 2_u64.pow(limits.bits);
    Place { tick: state / width, low: state % width }
}

/// Returns the state word of this place; past the last place of a tick it is the start of the next.
fn state_of(place: Place, limits: &Limits) -> u64 {
    let width = 2_u64.pow(limits.bits);
    if place.low == limits.slots { (place.tick + 1) * width } else { place.tick * width + place.low }
}

/// Converts the verdict to the core's type.
pub fn in_words(verdict: Verdict, limits: &Limits) -> Step {
    match verdict {
        Verdict::Take(place, count) => Step::Take {
            position: state_of(place, limits),
            count,
            next: state_of(Place { low: place.low + count, ..place }, limits),
        },
        Verdict::Wait(tick, until) => Step::Wait { tick, until },
        Verdict::Behind(tick) => Step::Behind { tick },
        Verdict::NotBegun => Step::NotBegun,
        Verdict::Over(tick) => Step::Over { tick },
    }
}
