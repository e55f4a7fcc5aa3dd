//! What a generator does when the clock steps back.

/// What a generator does when the clock has stepped back, behind the tick of its last ID. It never
/// repeats an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, uniffi::Enum)]
pub enum Rollback {
    /// Continues in the tick that was reached; when that is used up, waits for the clock to return,
    /// at most `max_wait_ms`, and then fails with `ClockBackward`.
    Hold,
    /// Fails with `ClockBackward` at once, until the clock has returned.
    Error,
    /// Counts the step in the layout's rollback bits and continues at the clock's time. If the
    /// clock is also behind the last ID of the next value, for example after 2^bits − 1 steps
    /// within the replayed time, it holds.
    Bits,
}

impl From<Rollback> for saiban::Rollback {
    fn from(rollback: Rollback) -> Self {
        match rollback {
            Rollback::Hold => saiban::Rollback::Hold,
            Rollback::Error => saiban::Rollback::Error,
            Rollback::Bits => saiban::Rollback::Bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_of_core_has_a_case() {
        let ours = [Rollback::Hold, Rollback::Error, Rollback::Bits];
        assert_eq!(ours.map(saiban::Rollback::from), saiban::Rollback::ALL);
    }
}
