//! The results of the rounds.

use crate::rows::Row;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Single IDs a second, with this many connections.
    Singles(usize),
    /// Single IDs over one connection, on cores that do not sleep.
    SinglesAwake,
    /// The server's CPU for a single ID, in µs.
    Cpu(usize),
    /// A latency quantile in per mille, in µs.
    Latency { load: Load, per_mille: u16 },
    /// Requests a second with a response in time.
    Answered,
    /// IDs a second in batches of this size.
    Batch(u32),
    /// IDs a second in a stream.
    Stream,
}

/// The load while latencies are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// This many connections, each of which sends its next request after a response.
    Closed(usize),
    /// One connection, on cores that do not sleep.
    Awake,
    /// Requests at a fixed rate.
    Paced,
}

/// One value a round for each row and column.
#[derive(Default)]
pub struct Samples(Vec<(&'static str, Column, f64)>);

/// A summary of all rounds.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

impl Samples {
    pub fn add(&mut self, row: Row, column: Column, value: f64) {
        self.0.push((row.name, column, value));
    }

    pub fn of(&self, row: Row, column: Column) -> Option<Summary> {
        let mut values: Vec<f64> = self
            .0
            .iter()
            .filter(|(name, other, _)| *name == row.name && *other == column)
            .map(|(_, _, value)| *value)
            .collect();
        values.sort_unstable_by(f64::total_cmp);
        let middle = values.len() / 2;
        let median =
            if values.len() % 2 == 1 { *values.get(middle)? } else { values.get(middle - 1)?.midpoint(values[middle]) };
        Some(Summary { median, least: *values.first()?, most: *values.last()? })
    }
}
