//! Numbers that a shared store hands out: one after the other, in equal steps, or anew each day.
//!
//! [`protocol`] is what a store decides. A process takes numbers a block at a time, and asks for the next block before it has used the first
//! up: [`SharedCounter`] and [`DailyCounter`] are what its owner has. What is in hand is lost when a process ends: there are gaps, and never the same
//! number twice.

mod daily;
mod day;
mod desk;
mod format;
pub mod protocol;
mod shared;
mod size;
mod terms;

pub use daily::{DailyCounter, DailyNumber, DailyOptions};
pub use day::{today, zone_name};
pub use desk::numbers_of as of_store;
pub use format::DailyFormat;
pub use protocol::unknown;
pub use shared::{CounterOptions, CounterStatus, SharedCounter};
pub use size::MOST_AT_ONCE;
pub use terms::{CounterRecord, CounterTerms};
