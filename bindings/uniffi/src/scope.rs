//! Which generators of the same nodes share a cursor.

/// Which generators of the same nodes share a cursor, so that none repeats another's ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, uniffi::Enum)]
pub enum Scope {
    /// All generators of this process. A forked process fails with `Forked`.
    Process,
    /// All generators of this user's processes on this machine, also of those that were started
    /// again or made by fork: they share memory in `/dev/shm/saiban-UID`, or in the folder that the
    /// environment variable `SAIBAN_RUN_DIR` names. It needs Linux or macOS, the system's clock,
    /// and a layout whose time, node and sequence have 63 bits or fewer.
    Machine,
}

impl From<Scope> for saiban::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Process => saiban::Scope::Process,
            Scope::Machine => saiban::Scope::Machine,
        }
    }
}

impl From<saiban::Scope> for Scope {
    fn from(scope: saiban::Scope) -> Self {
        match scope {
            saiban::Scope::Machine => Scope::Machine,
            // An unknown scope becomes the one with the weakest promise.
            _ => Scope::Process,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_of_core_has_a_case() {
        let ours = [Scope::Process, Scope::Machine];
        assert_eq!(ours.map(saiban::Scope::from), saiban::Scope::ALL);
        assert_eq!(saiban::Scope::ALL.map(Scope::from), ours);
    }
}
