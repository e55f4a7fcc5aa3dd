//! Which generators share a cursor.

use crate::error::{Error, Excerpt};

/// Which generators of the same nodes share a cursor, so that they cannot repeat each other's IDs.
///
/// ```
/// use saiban::{Generator, Layout, Options, Scope, Snowflake, SystemClock};
/// let build = || Snowflake::<_>::build(Layout::TWITTER, &Options::node(7), SystemClock);
/// let (one, other) = (build()?, build()?);          // in this process, in a child, or in any other process of this user
/// assert_ne!(one.generate()?, other.generate()?);
/// # if cfg!(any(target_os = "linux", target_vendor = "apple")) {
/// assert_eq!(one.stats()?.scope, Scope::Machine);
/// # }
///
/// let alone = Snowflake::<_>::build(Layout::TWITTER, &Options::node(8).scope(Scope::Process), SystemClock)?;
/// assert_eq!(alone.stats()?.scope, Scope::Process);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// All generators of this process. A copy made by fork issues nothing.
    Process,
    /// All generators of this user's processes on this machine, also those that were restarted or forked: what was issued is kept in memory
    /// that they share, in `/dev/shm/saiban-UID` or the folder that `SAIBAN_RUN_DIR` names, until the machine is started again. It needs
    /// Linux or macOS, and a layout whose time, node and sequence have 63 bits or fewer together.
    Machine,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 2] = [Scope::Process, Scope::Machine];

    /// The name in every language and the command: `process`, `machine`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Process => "process",
            Scope::Machine => "machine",
        }
    }

    /// The scope of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|scope| scope.name() == name).ok_or(Error::UnknownScope { name: Excerpt::new(name) })
    }
}
