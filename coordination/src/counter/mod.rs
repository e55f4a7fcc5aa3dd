//! Counters in a shared store: numbers in equal steps, or numbers that restart each day.
//!
//! [`SharedCounter`] and [`DailyCounter`] are the public types; [`protocol`] has the rules of
//! stores.
//!
//! A process fetches numbers in blocks, and the next block before the current one is used up.
//! Prefetched numbers are lost when a process ends. So there are gaps, but no number is handed out
//! twice.

mod daily;
mod day;
mod format;
pub mod protocol;
mod shared;
mod supply;
mod terms;

pub use crate::pool::MAX_BLOCK_SIZE;
pub use daily::{DailyCounter, DailyNumber, DailyOptions};
pub use day::{today, zone_name};
pub use format::DailyFormat;
pub use protocol::unknown;
pub use shared::{CounterOptions, CounterStatus, SharedCounter};
pub use supply::numbers_of as of_store;
pub use terms::{CounterRecord, CounterTerms};
