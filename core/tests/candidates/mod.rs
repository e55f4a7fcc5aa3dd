//! Short accessors for the result of an inspector.

#![allow(dead_code, reason = "each file of tests uses what it needs")]

use saiban::inspect::{Candidate, Candidates};
use saiban::{Inspector, Parts, Secret};

pub const NOW_MS: i64 = 1_763_700_000_000;

pub const YEAR_MS: i64 = 31_557_600_000;

pub const SECRET: Secret = Secret::new([0x5a; 16]);

pub fn found(inspector: &Inspector, id: i64) -> Vec<Parts> {
    inspector.inspect(id).iter().copied().collect()
}

pub fn first(candidates: &Candidates) -> Candidate {
    *candidates.ranked().next().expect("a candidate")
}

pub fn first_of(text: &str) -> Candidate {
    first(&Inspector::at(NOW_MS).inspect_text(text).expect("candidates"))
}

pub fn why(candidate: &Candidate) -> Vec<String> {
    candidate.reasons().map(|reason| reason.to_string()).collect()
}
