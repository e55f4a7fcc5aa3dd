//! Counters: numbers that count up in equal steps, such as 1, 2, 3.
//!
//! A counter has a start and a step. Independent counters with equal steps and starts of different
//! remainders never hand out equal numbers. Example with step 5: counter A has 1, 6, 11 …, and
//! counter B has 2, 7, 12 …. MySQL's `auto_increment_offset` and `auto_increment_increment` work in
//! this way (MySQL 8.4 manual, 19.1.4).
//!
//! [`Counter`] counts in the memory of this process. The crate `saiban-coordination` has counters
//! in a store that processes share; it gives each process [`Block`]s of numbers.

#[cfg(target_has_atomic = "64")]
mod block;
#[cfg(target_has_atomic = "64")]
mod memory;
mod stride;

#[cfg(target_has_atomic = "64")]
pub use block::Block;
#[cfg(target_has_atomic = "64")]
pub use memory::Counter;
pub use stride::Stride;
