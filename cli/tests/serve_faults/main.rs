//! `saiban serve` under faults: the program itself, with real stores and real connections.
//!
//! It is a test of the command's crate, because cargo builds the program for that crate and passes
//! its path.

#![cfg(feature = "serve")]

mod caller;
mod crowd;
mod disk;
mod door;
mod fleet;
mod frames;
mod greed;
mod instance;
mod leases;
mod life;
#[path = "../../../coordination/tests/servers/mod.rs"]
mod servers;
mod slow;
mod worker;
