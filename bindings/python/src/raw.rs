//! The binding's only unsafe code: what Python's checked ways to do it take too long for.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::ptr::NonNull;

/// Writes elements into a buffer from this place on; `false` where its elements do not lie side by
/// side, and nothing was written.
///
/// In safe code a part of a buffer is written through a slice of a memoryview, a piece of which
/// takes as long as a thousand IDs.
///
/// # Panics
/// When they do not fit.
pub fn write<E: Element>(_py: Python<'_>, target: &PyBuffer<E>, start: usize, elements: &[E]) -> bool {
    let Some(room) = (!target.readonly()).then(|| target.as_slice_ptr()).flatten() else {
        return false;
    };
    assert!(start <= room.len() && elements.len() <= room.len() - start, "as many as there is room for");
    // SAFETY: the buffer's owner keeps its memory in place as long as `target` lives; it may be
    // written, is aligned and of so many elements (PyO3 has checked both), and the place is within
    // it. No reference to it exists here, and the elements are Rust's own, so that they cannot
    // overlap. Other threads of Python are kept out by the GIL, as from what memoryview's own
    // assignment does; where there is none it does no more.
    unsafe { room.cast::<E>().add(start).copy_from_nonoverlapping(NonNull::from(elements).cast(), elements.len()) };
    true
}

/// Makes objects of a class without calling it, and sets their attributes though the class forbids
/// it, as `object.__new__` and `object.__setattr__` do: each call of these takes 100 ns.
pub struct Blank {
    class: Py<PyType>,
    alloc: ffi::allocfunc,
}

impl Blank {
    /// Raises TypeError for a class that `object.__new__` cannot make objects of.
    pub fn of(class: &Bound<'_, PyType>) -> PyResult<Self> {
        // Python checks whether it can; what it makes is not needed.
        class.py().get_type::<PyAny>().call_method1("__new__", (class,))?;
        // SAFETY: `class` is a type, and what this slot of a type holds is null or such a function.
        let alloc = unsafe {
            let slot = ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_alloc);
            std::mem::transmute::<*mut std::ffi::c_void, Option<ffi::allocfunc>>(slot)
        };
        let alloc = alloc.ok_or_else(|| PyTypeError::new_err("a class that makes no objects"))?;
        Ok(Blank { class: class.clone().unbind(), alloc })
    }

    /// An object with these attributes.
    pub fn make<'py, const COUNT: usize>(
        &self,
        py: Python<'py>,
        attributes: [(&Bound<'py, PyString>, &Bound<'py, PyAny>); COUNT],
    ) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: `object.__new__` has made an object of this class, and called this function of it
        // to do so; it answers a new reference, or null and an exception.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, (self.alloc)(self.class.bind(py).as_type_ptr(), 0)) }?;
        for (name, value) in attributes {
            // SAFETY: all three are live objects, the name is text, and the object is no type:
            // those `object.__new__` does not make. The answer is 0, or -1 and an exception.
            if unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) } != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(object)
    }
}
