//! Makes IDs of either width and converts them for Python.
//!
//! Calls that may wait for a clock or a disk release the GIL. An ID that needs no wait is made with
//! the GIL held, which is faster.

use crate::arguments::wrong_type;
use crate::error::Result;
use crate::form::{self, Number};
use crate::held::Held;
use crate::lease::Lease;
use crate::raw;
use pyo3::buffer::{Element, PyBuffer, PyUntypedBuffer};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PySlice};
use saiban::error::Defect;
use saiban::scheme::IdForm;
use saiban::{Attempt, Error, Generator};
use std::borrow::Cow;
use std::ops::Deref;
use std::time::Duration;

/// The number of IDs between two checks for Ctrl-C.
const CHUNK: usize = 8192;

/// The number of IDs that are made before they are copied to a buffer: as many as fit into the
/// nearest cache beside the copied ones.
const COPIED: usize = 2048;

/// A generator whose IDs have this type in the core.
pub struct Made<I: Number> {
    ids: Held<I>,
    form: IdForm,
    bits: u32,
}

impl<I: Number> Deref for Made<I> {
    type Target = dyn Generator<Id = I> + Send + Sync;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &**self.ids
    }
}

impl<I: Number> Made<I> {
    pub fn new(ids: Held<I>) -> Self {
        Made { form: ids.scheme().info().form, bits: ids.bits(), ids }
    }

    /// Returns the lease of the IDs, as a Python object.
    pub fn lease(&self) -> Option<&Py<Lease>> {
        self.ids.lease()
    }

    /// Converts an ID to a Python object.
    #[inline]
    pub fn show<'py>(&self, py: Python<'py>, id: I) -> Result<Bound<'py, PyAny>> {
        Ok(match self.form {
            IdForm::Integer => id.int(py),
            IdForm::Text => form::text_of(py, |buffer| self.write_into(id, None, buffer))?.into_any(),
            IdForm::Uuid => form::uuid(py, id.any(self.bits).value())?,
        })
    }

    /// Converts an ID that was just made or read to bytes.
    pub fn show_bytes<'py>(&self, py: Python<'py>, id: I) -> Bound<'py, PyBytes> {
        form::bytes_of(py, id.any(self.bits))
    }

    /// Converts a Python object to an ID.
    pub fn read(&self, value: &Bound<'_, PyAny>) -> Result<I> {
        form::read(&**self, self.form, value)
    }

    /// Returns an ID if it needs no wait.
    #[inline]
    fn at_once(&self) -> Option<I> {
        if self.ids.may_block() {
            return None;
        }
        match self.try_generate() {
            Ok(Attempt::Ready(id)) => Some(id),
            _ => None,
        }
    }

    /// Returns an ID as a Python object if it needs no wait. It reports no error: the caller then
    /// calls `make`, which fails in the same way.
    #[inline]
    pub fn shown_at_once<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let shown = || self.at_once().and_then(|id| self.show(py, id).ok());
        saiban::error::guard(|| Ok::<_, Defect>(shown())).ok().flatten()
    }

    pub fn make(&self, py: Python<'_>) -> Result<I> {
        match self.at_once() {
            Some(id) => Ok(id),
            None => self.ids.ask(py, |ids| ids.generate()),
        }
    }

    /// Returns whether an ID may have to wait for the disk, or for a store of leases.
    pub fn may_block(&self) -> bool {
        self.ids.may_block()
    }

    /// Makes an ID, or returns how long to wait. Fails if that is longer than `left`.
    pub fn try_make_within(&self, left: Duration) -> Result<Attempt<I>> {
        self.try_generate_within(left).map_err(|error| self.ids.failure(error))
    }

    pub fn try_make(&self, py: Python<'_>) -> Result<Option<I>> {
        let attempt = match self.ids.may_block() {
            true => self.ids.ask(py, |ids| ids.try_generate())?,
            false => self.try_generate().map_err(|error| self.ids.failure(error))?,
        };
        Ok(match attempt {
            Attempt::Ready(id) => Some(id),
            Attempt::Wait(_) => None,
        })
    }

    pub fn make_many(&self, py: Python<'_>, wanted: usize) -> Result<Vec<I>> {
        // Pass a number that is too large unchanged, so that the core refuses it.
        let first = if wanted > saiban::generator::MAX_AT_ONCE { wanted } else { wanted.min(CHUNK) };
        let mut ids = self.ids.ask(py, |ids| ids.generate_many(first))?;
        while ids.len() < wanted {
            py.check_signals()?;
            let more = CHUNK.min(wanted - ids.len());
            ids.extend(self.ids.ask(py, |ids| ids.generate_many(more))?);
        }
        Ok(ids)
    }

    pub fn show_many<'py>(&self, py: Python<'py>, ids: Vec<I>) -> Result<Bound<'py, PyList>> {
        if self.form == IdForm::Integer {
            return Ok(PyList::new(py, ids)?);
        }
        let shown = PyList::empty(py);
        for id in ids {
            shown.append(self.show(py, id)?)?;
        }
        Ok(shown)
    }

    /// Fills a buffer in which each ID takes `size` elements; `spread` converts IDs to elements.
    fn fill_with<E: Element>(
        &self,
        py: Python<'_>,
        buffer: &Bound<'_, PyAny>,
        wanted: &str,
        size: usize,
        spread: impl for<'a> Fn(&'a [I]) -> Cow<'a, [E]>,
    ) -> Result<usize> {
        let wrong = || wrong_type("buffer", wanted, buffer);
        let target = PyUntypedBuffer::get(buffer).map_err(|_| wrong())?;
        // An empty array.array has a pointer of its own, which is not aligned.
        if target.item_count() == 0 && E::is_compatible_format(target.format()) {
            return Ok(0);
        }
        let target = target.into_typed::<E>().map_err(|_| wrong())?;
        if target.readonly() || target.dimensions() != 1 {
            return Err(wrong());
        }
        if target.item_count() % size != 0 {
            let what = "the buffer has room for a part of an ID: give as many bytes for each as its id_bytes has: 16 \
                        of most, of an ObjectId 12";
            return Err(Error::InvalidArgument { what }.into());
        }
        let length = target.item_count() / size;
        let mut ids = vec![I::default(); length.min(COPIED)];
        let mut written = 0;
        while written < length {
            let want = ids.len().min(length - written);
            let part = &mut ids[..want];
            let made = match self.ids.ask(py, |ids| ids.fill(part)) {
                Ok(made) => made,
                Err(_) if written > 0 => break,
                Err(failure) => return Err(failure),
            };
            copy(py, &target, buffer, written * size, &spread(&ids[..made]))?;
            written += made;
            if made < want {
                break;
            }
            py.check_signals()?;
        }
        Ok(written)
    }
}

impl Made<i64> {
    /// Fills a Python buffer; returns the number of IDs written.
    pub fn fill(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>) -> Result<usize> {
        self.fill_with(py, buffer, "a writable, one-dimensional buffer of signed 64-bit integers", 1, |ids| {
            Cow::Borrowed(ids)
        })
    }
}

impl Made<u128> {
    /// Fills a Python buffer; returns the number of IDs written.
    pub fn fill(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>) -> Result<usize> {
        // As many bytes as Parts.id_bytes has.
        let size = self.ids.bits().div_ceil(8) as usize;
        self.fill_with(py, buffer, "a writable, one-dimensional buffer of bytes", size, |ids| {
            Cow::Owned(ids.iter().flat_map(|id| id.to_be_bytes().into_iter().skip(16 - size)).collect())
        })
    }
}

/// Writes elements into a buffer from an index on. If the elements are not contiguous, such as
/// every second element of an array, it writes through a slice of a memoryview.
fn copy<E: Element>(
    py: Python<'_>,
    target: &PyBuffer<E>,
    buffer: &Bound<'_, PyAny>,
    start: usize,
    elements: &[E],
) -> PyResult<()> {
    if raw::write(py, target, start, elements) {
        return Ok(());
    }
    let slice = PySlice::new(py, start as isize, (start + elements.len()) as isize, 1);
    PyBuffer::<E>::get(&PyMemoryView::from(buffer)?.get_item(slice)?)?.copy_from_slice(py, elements)
}
