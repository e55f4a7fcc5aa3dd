//! A generator on a clock that is told what to show.

use crate::cell::Made;
use crate::plan::Trace;

/// Goes through the readings and asks for an ID as often as they say: `ask(now_ms)`, `None` where
/// it is refused. A reading is left at its first refusal: the same clock would refuse again.
fn read<T>(readings: &[(u64, u64)], refused: &mut u64, mut ask: impl FnMut(u64) -> Option<T>) -> Vec<T> {
    let mut ids = Vec::new();
    for &(now_ms, count) in readings {
        for _ in 0..count {
            match ask(now_ms) {
                Some(id) => ids.push(id),
                None => {
                    *refused += 1;
                    break;
                }
            }
        }
    }
    ids
}

/// One generator, all the readings.
pub fn follow<T: Ord>(trace: &Trace, mut ask: impl FnMut(u64) -> Option<T>) -> Made<T> {
    let mut made = Made::new();
    made.before = read(&trace.before, &mut made.refused, &mut ask);
    made.after = read(&trace.after, &mut made.refused, &mut ask);
    made
}

/// A generator for what comes before the fault and another for what comes after it; `start` answers
/// what asks them.
pub fn restarted<T: Ord, A: FnMut(u64) -> Option<T>>(traces: &[Trace], mut start: impl FnMut() -> A) -> Made<T> {
    let mut made = Made::new();
    for trace in traces {
        made.before.extend(read(&trace.before, &mut made.refused, start()));
        made.after.extend(read(&trace.after, &mut made.refused, start()));
    }
    made
}
