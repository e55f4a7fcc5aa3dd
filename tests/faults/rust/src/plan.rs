//! The plan that `tests/faults/plan.py` makes for all harnesses.

use serde::Deserialize;

#[derive(Deserialize)]
pub struct Plan {
    /// The divisor of saiban's own counts: 1, or more for a quick run.
    pub saiban_divisor: u64,
    pub burst: Burst,
    pub step_1s: Trace,
    pub step_2ms: Trace,
    pub oscillating: Trace,
    pub restart: Restart,
    pub restart_2ms: Vec<Trace>,
    pub fork: Fork,
    pub threads: Threads,
}

#[derive(Deserialize)]
pub struct Burst {
    pub ids: u64,
}

/// Readings of the clock, in Unix ms, with the number of requested IDs: before and after the fault.
#[derive(Deserialize)]
pub struct Trace {
    pub before: Vec<(u64, u64)>,
    pub after: Vec<(u64, u64)>,
}

#[derive(Deserialize)]
pub struct Restart {
    pub start_ms: u64,
    pub ticks: u64,
    pub ids: u64,
}

#[derive(Deserialize)]
pub struct Fork {
    pub children: u64,
    pub ids: u64,
}

#[derive(Deserialize)]
pub struct Threads {
    pub threads: u64,
    pub ids: u64,
}

impl Plan {
    pub fn read(path: &str) -> Plan {
        let text = std::fs::read_to_string(path).expect("the plan can be read");
        serde_json::from_str(&text).expect("the plan is what plan.py writes")
    }

    /// Returns the three faults of the clock, with the names of their columns.
    pub fn traces(&self) -> [(&'static str, &Trace); 3] {
        [("step_1s", &self.step_1s), ("step_2ms", &self.step_2ms), ("oscillating", &self.oscillating)]
    }
}
