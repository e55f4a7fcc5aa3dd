//! Scope: which generators of the same nodes share a cursor.

named_enum! {
    /// The scope of a generator: which generators of the same nodes share its cursor, and so never
    /// repeat its IDs.
    ///
    /// ```
    /// use saiban::{Generator, Layout, Options, Scope, SnowflakeGenerator, SystemClock};
    /// let build = || SnowflakeGenerator::build(Layout::TWITTER, &Options::node(7), SystemClock);
    /// let (one, other) = (build()?, build()?);  // in one or several processes of this user
    /// assert_ne!(one.generate()?, other.generate()?);
    /// # if cfg!(any(target_os = "linux", target_vendor = "apple")) {
    /// assert_eq!(one.stats()?.scope, Scope::Machine);
    /// # }
    ///
    /// let alone = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(8).scope(Scope::Process), SystemClock)?;
    /// assert_eq!(alone.stats()?.scope, Scope::Process);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[non_exhaustive]
    pub enum Scope else UnknownScope {
        /// The generators of this process. A forked copy of a generator issues nothing.
        Process "process",
        /// The generators of all processes of this user on this machine, including restarted and
        /// forked processes.
        ///
        /// They count in shared memory, which lasts until the machine restarts: in
        /// `/dev/shm/saiban-UID`, or in the folder that `SAIBAN_RUN_DIR` names. Machine scope needs
        /// Linux or macOS, and a layout whose time, node and sequence have at most 63 bits
        /// together.
        Machine "machine",
    }
}
