//! The binding's only unsafe code, for operations whose safe form in Python takes too long.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::ptr::NonNull;

/// Writes elements into a buffer from an index on. Returns `false` and writes nothing if the
/// buffer's elements are not contiguous.
///
/// Safe code writes a part of a buffer through a slice of a memoryview, which takes as long as a
/// thousand IDs.
///
/// # Panics
/// If the elements do not fit.
pub fn write<E: Element>(_py: Python<'_>, target: &PyBuffer<E>, start: usize, elements: &[E]) -> bool {
    let Some(room) = (!target.readonly()).then(|| target.as_slice_ptr()).flatten() else {
        return false;
    };
    assert!(start <= room.len() && elements.len() <= room.len() - start, "as many as there is room for");
    // SAFETY: the buffer's owner keeps its memory in place as long as `target` lives. The memory is
    // writable, is aligned and has this many elements (PyO3 has checked both), and the place is
    // within it. No reference to it exists here, and the elements are Rust's own, so that they
    // cannot overlap. The GIL keeps out other threads of Python, as it does for memoryview's own
    // assignment; without a GIL, memoryview has no more protection.
    unsafe { room.cast::<E>().add(start).copy_from_nonoverlapping(NonNull::from(elements).cast(), elements.len()) };
    true
}

/// Makes objects of a class without calling it, and sets attributes that the class protects, like
/// `object.__new__` and `object.__setattr__`. A call of these from Python takes 100 ns.
pub struct Blank {
    class: Py<PyType>,
    alloc: ffi::allocfunc,
}

impl Blank {
    /// Raises TypeError for a class that `object.__new__` cannot make objects of.
    pub fn of(class: &Bound<'_, PyType>) -> PyResult<Self> {
        // Python checks whether it can make an object, which is then dropped.
        class.py().get_type::<PyAny>().call_method1("__new__", (class,))?;
        // SAFETY: `class` is a type, and this slot of a type is null or such a function.
        let alloc = unsafe {
            let slot = ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_alloc);
            std::mem::transmute::<*mut std::ffi::c_void, Option<ffi::allocfunc>>(slot)
        };
        let alloc = alloc.ok_or_else(|| PyTypeError::new_err("a class that makes no objects"))?;
        Ok(Blank { class: class.clone().unbind(), alloc })
    }

    /// Makes an object with these attributes.
    pub fn make<'py, const COUNT: usize>(
        &self,
        py: Python<'py>,
        attributes: [(&Bound<'py, PyString>, &Bound<'py, PyAny>); COUNT],
    ) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: `object.__new__` has made an object of this class by calling this function. The
        // function returns a new reference, or null and sets an exception.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, (self.alloc)(self.class.bind(py).as_type_ptr(), 0)) }?;
        for (name, value) in attributes {
            // SAFETY: all three are live objects, the name is text, and the object is not a type,
            // which `object.__new__` does not make. The result is 0, or -1 with an exception set.
            if unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) } != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(object)
    }
}
