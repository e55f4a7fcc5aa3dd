//! `saiban serve` while things fail: the program itself, over real stores, asked over real
//! connections.
//!
//! It stands with the command's tests, because cargo builds the program for them and says where it
//! is.

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
