//! Reasons why a scheme rejects an option.

messages! {
    |f|
    /// The reason why generators of a scheme do not take an option.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum OptionProblem {
        /// The option has no meaning for the scheme.
        NotItsOwn => "leave it out";
        /// The scheme's only option is a prefix.
        NoOptions => "it has no options but prefix; leave it out";
        /// The scheme has scalability ids, not nodes.
        Scalability => "give scalability instead";
        /// The scheme uses no nodes: random bits keep the IDs of its generators different.
        RandomBits => "random bits keep its generators apart, also after a restart; leave it out";
        /// The scheme uses no nodes: the database rejects an ID that it already has.
        Store =>
            "the store keeps its generators apart, because it refuses an ID that it has already; leave it out";
    }
}
