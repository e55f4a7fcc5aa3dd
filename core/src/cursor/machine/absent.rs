//! Machine scope on systems without memory that their processes can share: opening always fails.

use super::CursorKey;
use super::words::Words;
use crate::clock::Clock;
use crate::error::Error;
use alloc::sync::Arc;
use core::convert::Infallible;
use core::sync::atomic::AtomicU64;

#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "nobody reads it")]
pub(super) struct Wanted {
    pub(super) key: CursorKey,
    pub(super) namespace: u64,
    pub(super) first_tick: u64,
    pub(super) end_tick: u64,
    pub(super) from_tick: u64,
    pub(super) new_from_tick: u64,
    pub(super) is_known: bool,
    pub(super) has_state_file: bool,
    pub(super) max_jump_ns: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum NotOpened {
    Nowhere,
    Refused(Error),
}

impl NotOpened {
    pub(super) fn into_error(self) -> Error {
        match self {
            NotOpened::Nowhere => Error::NoMachineScope,
            NotOpened::Refused(error) => error,
        }
    }
}

impl From<Error> for NotOpened {
    fn from(error: Error) -> Self {
        NotOpened::Refused(error)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct LockFile;

/// The result of a check of files: there are none.
#[derive(Debug, Default)]
pub struct Checked;

#[derive(Debug)]
pub(super) struct Hold {
    never: Infallible,
}

impl Hold {
    pub(super) fn open(
        _wanted: Wanted,
        _left: Arc<AtomicU64>,
        _lock: Option<&LockFile>,
        _clock: &dyn Clock,
    ) -> Result<Hold, NotOpened> {
        Err(NotOpened::Nowhere)
    }

    pub(super) fn wait_while_busy<T>(mut open: impl FnMut() -> Result<T, NotOpened>) -> Result<T, NotOpened> {
        open()
    }

    pub(super) fn lock_file(&self) -> LockFile {
        match self.never {}
    }

    pub(super) fn words(&self) -> &'static Words {
        match self.never {}
    }

    pub(super) fn path(&self) -> &'static str {
        match self.never {}
    }

    pub(super) fn new_tick(&self) -> u64 {
        match self.never {}
    }

    pub(super) fn extend(&self, _end_tick: u64) {
        match self.never {}
    }

    pub(super) fn close(&self, _clock: &dyn Clock) -> u64 {
        match self.never {}
    }

    pub(super) fn is_there(&self, _checked: &mut Checked) -> bool {
        match self.never {}
    }

    pub(super) fn follow(&self, _clock: &dyn Clock, _checked: &mut Checked) -> Result<&'static Words, Error> {
        match self.never {}
    }
}

/// The cursor files to list: there are none.
pub(crate) mod listing {
    use crate::cursor::IdSpace;
    use crate::error::Error;
    use alloc::vec::Vec;
    use core::ops::Range;

    pub(crate) fn list() -> Result<Vec<IdSpace>, Error> {
        Ok(Vec::new())
    }

    pub(crate) fn clear(_path: &str, _nodes: Option<Range<u64>>) -> Result<usize, Error> {
        Err(Error::NoMachineScope)
    }
}
