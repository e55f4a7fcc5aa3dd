//! Numbers one after the other, in equal steps: for who wants small numbers, and has one place that hands them out.
//!
//! A counter has a start and a step. Independent ones with the same step and other remainders never hand out the same number, as
//! databases with `auto_increment_offset` and `auto_increment_increment` do (MySQL 8.4 manual, 19.1.4): of 5, A counts 1, 6, 11 …, B 2, 7, 12 ….
//! [`Counter`] counts in this process's memory; counters in a store that processes share are `saiban-coordination`'s, which gives
//! each process [`Block`]s of numbers.

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
