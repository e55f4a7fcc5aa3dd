//! Reasons why a scheme rejects an option.

use core::fmt;

/// The reason why generators of a scheme do not take an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionProblem {
    /// The option has no meaning for the scheme.
    NotItsOwn,
    /// The scheme's only option is a prefix.
    NoOptions,
    /// The scheme has scalability ids, not nodes.
    Scalability,
    /// The scheme uses no nodes: random bits keep the IDs of its generators different.
    RandomBits,
    /// The scheme uses no nodes: the database rejects an ID that it already has.
    Store,
}

impl fmt::Display for OptionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OptionProblem::NotItsOwn => "leave it out",
            OptionProblem::NoOptions => "it has no options but prefix; leave it out",
            OptionProblem::Scalability => "give scalability instead",
            OptionProblem::RandomBits => "random bits keep its generators apart, also after a restart; leave it out",
            OptionProblem::Store => {
                "the store keeps its generators apart, because it refuses an ID that it has already; leave it out"
            }
        })
    }
}
