//! Problems of state files and cursor files.

messages! {
    |f|
    /// The reason why a state file does not belong to a generator.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum StateProblem {
        /// The file is damaged, or is not a state file.
        Damaged =>
            "it is damaged, or not a state file: if it is one, give a new file, and as not_before the time of the \
             last known ID";
        /// The file is empty.
        Empty =>
            "it is empty, and saiban never writes an empty state file: it was truncated, or made by another program. \
             If no ID was ever made with it, delete it; otherwise give a new file, and as not_before the time of the \
             last known ID";
        /// The file was made for another scheme, layout or epoch.
        OtherFormat => "it was made for another scheme, layout or epoch: give each generator its own file";
        /// The file was made for another range of nodes.
        OtherNodes {
            /// The first node of the file's range.
            first: u64,
        } => "it was made for another range of nodes, from {first} on: give that one, or another file";
    }
}

/// The reason why a cursor file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CursorFileProblem {
    /// The file is damaged, or belongs to another program.
    Damaged,
    /// The file has the format of another version of saiban.
    OtherVersion {
        /// The number of the file's format.
        version: u64,
    },
}
