//! The rule of the cursor in the plainest form that we know, to be read beside
//! docs/decisions/cursor.md and compared with `step`.
//!
//! It remembers every position that was ever issued and checks all candidates, one after the
//! other. It shares no code with the
//! core: no state word, no shifts, no masks.

use saiban::cursor::internal::{Lane, Limits, Pace, Step};

/// Ticks of the small world; positions are looked for up to one tick past the last.
pub const TICKS: u64 = 8;

/// A place in time: a tick, and what of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub tick: u64,
    pub low: u64,
}

/// Everything that one cursor has issued, in order.
#[derive(Clone, Debug, Default)]
pub struct History {
    issued: Vec<Place>,
}

/// What may be had now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// So many places from this one on.
    Take(Place, u64),
    /// Nothing before the clock reaches the second tick; the first is that of the next place.
    Wait(u64, u64),
    /// Nothing: the clock is behind this tick, and only what goes forward is wanted.
    Behind(u64),
    NotBegun,
    /// Nothing more: this tick is no longer ours.
    Over(u64),
}

impl History {
    /// Whoever has issued every place before this one.
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

    /// The place of the last one issued.
    fn last(&self) -> Option<Place> {
        self.issued.last().copied()
    }

    /// Whether this tick was reached: something of it was issued.
    fn has_reached(&self, tick: u64) -> bool {
        self.issued.iter().any(|place| place.tick == tick)
    }

    /// Whether a place may be issued at all, whatever the window: it must not come again, and
    /// nothing goes back.
    fn is_free(&self, place: Place, now: u64, pace: Pace) -> bool {
        let Some(last) = self.last() else {
            return place.tick >= now && place.low == pace.first;
        };
        if place <= last || place.tick < now {
            return false;
        }
        if place.tick == last.tick {
            // Within a tick it advances by the increment.
            place.low >= last.low.saturating_add(pace.increment)
        } else {
            place.low == pace.first
        }
    }

    /// The next place to issue: the first one free.
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

    /// The rule, for one cursor.
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

/// The rule, for a cursor in use and the one that is next, where a step back of the clock moves on.
pub fn verdict_back(same: &History, next: &History, now: u64, limits: &Limits, pace: Pace) -> (Lane, Verdict) {
    if let Some(taken) = taken_back(same, next, now, limits, pace) {
        return taken;
    }
    let alone = same.verdict(now, &hold(limits), pace);
    if let Verdict::Wait(tick, _) | Verdict::Over(tick) = alone {
        // Whichever comes first, if the clock continues from here.
        for later in now + 1..TICKS {
            if taken_back(same, next, later, limits, pace).is_some() {
                return (Lane::Same, Verdict::Wait(tick, later));
            }
        }
    }
    (Lane::Same, alone)
}

/// What is taken at this reading of the clock, if anything is.
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

/// The place that a state word stands for.
pub fn place_of(state: u64, limits: &Limits) -> Place {
    let width = 2_u64.pow(limits.bits);
    Place { tick: state / width, low: state % width }
}

/// The state word that stands for this place; past the last of a tick that is the start of the
/// next.
fn state_of(place: Place, limits: &Limits) -> u64 {
    let width = 2_u64.pow(limits.bits);
    if place.low == limits.slots { (place.tick + 1) * width } else { place.tick * width + place.low }
}

/// The verdict in the words of the core.
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
