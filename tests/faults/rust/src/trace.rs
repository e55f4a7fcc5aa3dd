//! A generator on a clock with prescribed readings.

use crate::cell::Made;
use crate::plan::Trace;

/// Requests as many IDs at each reading as the plan says. `ask(now_ms)` returns `None` for a
/// refusal, and then the next reading follows, because at this one `ask` would refuse again.
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

/// Runs one generator through all readings.
pub fn follow<T: Ord>(trace: &Trace, mut ask: impl FnMut(u64) -> Option<T>) -> Made<T> {
    let mut made = Made::new();
    made.before = read(&trace.before, &mut made.refused, &mut ask);
    made.after = read(&trace.after, &mut made.refused, &mut ask);
    made
}

/// Uses one generator before each fault and another after it. `start` returns a generating
/// function.
pub fn restarted<T: Ord, A: FnMut(u64) -> Option<T>>(traces: &[Trace], mut start: impl FnMut() -> A) -> Made<T> {
    let mut made = Made::new();
    for trace in traces {
        made.before.extend(read(&trace.before, &mut made.refused, start()));
        made.after.extend(read(&trace.after, &mut made.refused, start()));
    }
    made
}
