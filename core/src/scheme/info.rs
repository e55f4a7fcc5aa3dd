//! The types of the properties in the registry of schemes: fields, options, parts, order.
//!
//! They are public. The rows of the table consist of them.

use crate::error::OptionProblem;

/// A field of an ID, for schemes with one fixed layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IdField {
    /// The name of the field.
    pub name: &'static str,
    /// The kind: what the bits hold.
    pub kind: IdFieldKind,
    /// The width in bits.
    pub bits: u32,
}

/// The kind of a field: what its bits hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IdFieldKind {
    /// The time, or a part of it.
    Timestamp,
    /// The node.
    Node,
    /// The sequence or counter.
    Sequence,
    /// Random bits.
    Random,
    /// The version or variant of a UUID.
    Version,
    /// A number without fields, such as encrypted bits.
    Opaque,
}

/// The type of an ID in languages that have a type for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdForm {
    /// An integer: signed up to 64 bits, unsigned above.
    Integer,
    /// The canonical text.
    Text,
    /// The language's type for UUIDs.
    Uuid,
}

/// What makes the IDs of two generators differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeptApartBy {
    /// Nodes, which the user assigns or a lease assigns.
    Nodes,
    /// Nodes if the layout has a node field, or else its random bits.
    Layout,
    /// Random bits, which each generator chooses by itself.
    RandomBits,
    /// The store, which rejects an ID that it already has.
    Store,
}

impl KeptApartBy {
    /// Returns why a generator accepts neither a node nor the other options for nodes.
    pub(super) const fn reason(self) -> OptionProblem {
        match self {
            KeptApartBy::Nodes | KeptApartBy::Layout => OptionProblem::NotItsOwn,
            KeptApartBy::RandomBits => OptionProblem::RandomBits,
            KeptApartBy::Store => OptionProblem::Store,
        }
    }
}

/// The order of the IDs of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeOrder {
    /// IDs sort by time, the oldest first.
    Ascending,
    /// An option determines whether the oldest or the newest ID comes first.
    ByOption,
    /// The layout determines whether IDs sort by time.
    ByLayout,
    /// IDs do not sort by time.
    None,
}

named_enum! {
    /// An option of generators.
    #[non_exhaustive]
    pub enum GeneratorOption {
        /// A node.
        Node "node",
        /// A half-open range of nodes.
        Nodes "nodes",
        /// A lease, which assigns nodes and time.
        Lease "lease",
        /// The URL of the store from which the generator acquires its own lease.
        Store "store",
        /// The namespace of the generator's own lease.
        Namespace "namespace",
        /// The layout.
        Layout "layout",
        /// The secret with which IDs are encrypted.
        Secret "secret",
        /// The scalability id.
        Scalability "scalability",
        /// The number of random bytes of the step by which IDs grow within a tick.
        EntropySize "entropy_size",
        /// The epoch, the time of tick 0, in Unix milliseconds.
        EpochMs "epoch_ms",
        /// Whether a forked child may continue to use its parent's generator, so that IDs may
        /// repeat.
        AllowCollisions "allow_collisions",
        /// The order of the IDs: oldest first or newest first.
        Order "order",
        /// The half-open interval of time in which IDs may be issued.
        Window "window",
        /// The time of the last ID known to be used.
        NotBefore "not_before",
        /// The path of the state file.
        State "state",
        /// The policy when the clock steps back.
        Rollback "rollback",
        /// The number of parts into which a range of nodes is divided.
        Shards "shards",
        /// Whether generators of one process or of one machine share a cursor.
        Scope "scope",
        /// The prefix of the IDs' text.
        Prefix "prefix",
        /// The clock that the generator reads.
        Clock "clock",
        /// The maximum jump of the clock ahead of the time since boot, in seconds.
        MaxJump "max_jump_s",
        /// The longest wait for an ID.
        MaxWait "max_wait_ms",
    }
}

named_enum! {
    /// A part of an ID.
    #[non_exhaustive]
    pub enum Part {
        /// The time, in Unix milliseconds.
        Timestamp "timestamp_ms",
        /// The nanoseconds within the millisecond.
        Submillisecond "submillisecond_ns",
        /// The node; for a Ulid-Flake the scalability id.
        Node "node",
        /// The sequence; for an ObjectId the counter, for a UUID v1 the clock sequence.
        Sequence "sequence",
        /// The random part.
        Random "random",
        /// The number of times that the clock had stepped back.
        Rollback "rollback",
    }
}
