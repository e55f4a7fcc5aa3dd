//! The binding's only unsafe code, for operations whose safe form in Python takes too long.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
#[cfg(unix)]
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyType};
use std::ffi::c_void;
#[cfg(unix)]
use std::ffi::{CStr, c_int};
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
pub struct Blank<const COUNT: usize> {
    class: Py<PyType>,
    alloc: ffi::allocfunc,
    names: [Py<PyString>; COUNT],
    /// The offset of each attribute in an object. `None` if the class does not keep them in slots.
    offsets: Option<[usize; COUNT]>,
}

impl<const COUNT: usize> Blank<COUNT> {
    /// Prepares for objects that have these attributes and no others.
    ///
    /// Raises TypeError for a class that `object.__new__` cannot make objects of.
    pub fn of(class: &Bound<'_, PyType>, names: [&str; COUNT]) -> PyResult<Self> {
        let py = class.py();
        // Python checks whether it can make an object, which is then dropped.
        py.get_type::<PyAny>().call_method1("__new__", (class,))?;
        // SAFETY: `class` is a type, and this slot of a type is null or such a function.
        let alloc = unsafe {
            let slot = ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_alloc);
            std::mem::transmute::<*mut c_void, Option<ffi::allocfunc>>(slot)
        };
        let alloc = alloc.ok_or_else(|| PyTypeError::new_err("a class that makes no objects"))?;
        let names = names.map(|name| PyString::intern(py, name).unbind());
        let mut blank = Blank { class: class.clone().unbind(), alloc, names, offsets: None };
        blank.offsets = blank.find_offsets(py)?;
        Ok(blank)
    }

    /// Finds the offsets of the attributes: makes an object whose attributes are new objects, and
    /// looks where their addresses are in its memory.
    fn find_offsets(&self, py: Python<'_>) -> PyResult<Option<[usize; COUNT]>> {
        let values: [_; COUNT] = std::array::from_fn(|_| PyList::empty(py).into_any());
        let object = self.make(py, values.clone())?;
        let Ok(size) = object.get_type().getattr("__basicsize__") else { return Ok(None) };
        let size: usize = size.extract()?;
        let words = size / size_of::<usize>();
        // SAFETY: an object of a class without items, as all that `object.__new__` makes, has this
        // many bytes, which its allocation has set to zero, and is aligned for pointers.
        let memory = unsafe { std::slice::from_raw_parts(object.as_ptr().cast::<usize>(), words) };
        let mut offsets = [0; COUNT];
        for (offset, value) in offsets.iter_mut().zip(&values) {
            let mut found = (0..words).filter(|index| memory[*index] == value.as_ptr() as usize);
            let (Some(index), None) = (found.next(), found.next()) else { return Ok(None) };
            *offset = index * size_of::<usize>();
        }
        Ok(Some(offsets))
    }

    /// Makes an object with these values of the attributes.
    pub fn make<'py>(&self, py: Python<'py>, values: [Bound<'py, PyAny>; COUNT]) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: `object.__new__` has made an object of this class by calling this function. The
        // function returns a new reference, or null and sets an exception.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, (self.alloc)(self.class.bind(py).as_type_ptr(), 0)) }?;
        if let Some(offsets) = &self.offsets {
            for (offset, value) in offsets.iter().zip(values) {
                // SAFETY: every object of the class has a pointer to this attribute there, which is
                // null in a new object, and nobody else has the object yet. The reference to the
                // value moves there. Setting an attribute by its name takes 20 ns.
                unsafe { object.as_ptr().byte_add(*offset).cast::<*mut ffi::PyObject>().write(value.into_ptr()) }
            }
            return Ok(object);
        }
        for (name, value) in self.names.iter().zip(values) {
            // SAFETY: all three are live objects, the name is text, and the object is not a type,
            // which `object.__new__` does not make. The result is 0, or -1 with an exception set.
            if unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) } != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(object)
    }
}

/// A function of CPython that makes an int of bytes, the lowest first.
#[cfg(unix)]
enum FromBytes {
    /// `PyLong_FromUnsignedNativeBytes`, since 3.13, in the stable ABI since 3.14.
    Native(MakeNative),
    /// `_PyLong_FromByteArray`, which older versions have, in this form.
    Private(MakePrivate),
}

#[cfg(unix)]
type MakeNative = unsafe extern "C" fn(*const u8, usize, c_int) -> *mut ffi::PyObject;
#[cfg(unix)]
type MakePrivate = unsafe extern "C" fn(*const u8, usize, c_int, c_int) -> *mut ffi::PyObject;

#[cfg(unix)]
impl FromBytes {
    fn find(py: Python<'_>) -> Option<Self> {
        // SAFETY: the name ends with a null byte. The result is null, or the symbol's address.
        let find = |name: &CStr| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        let is_native = py.version_info() >= (3, 13);
        let address = find(if is_native { c"PyLong_FromUnsignedNativeBytes" } else { c"_PyLong_FromByteArray" });
        if address.is_null() {
            return None;
        }
        // SAFETY: CPython declares the functions of these names so, in the versions of the enum.
        Some(unsafe {
            match is_native {
                true => FromBytes::Native(std::mem::transmute::<*mut c_void, MakeNative>(address)),
                false => FromBytes::Private(std::mem::transmute::<*mut c_void, MakePrivate>(address)),
            }
        })
    }
}

/// Makes an int of a number of 128 bits. Returns `None` where CPython's function for it is not
/// found, or fails.
///
/// PyO3 joins two ints of 64 bits, because the stable ABI has no such function before 3.14: five
/// objects instead of one.
#[cfg(unix)]
pub fn wide_int(py: Python<'_>, number: u128) -> Option<Bound<'_, PyAny>> {
    static FROM_BYTES: PyOnceLock<Option<FromBytes>> = PyOnceLock::new();
    let bytes = number.to_le_bytes();
    let (is_little_endian, is_signed) = (1, 0);
    // SAFETY: the pointer is to this many bytes, and the GIL is held. The result is a new
    // reference, or null with an exception set.
    let made = unsafe {
        match FROM_BYTES.get_or_init(py, || FromBytes::find(py)).as_ref()? {
            FromBytes::Native(make) => make(bytes.as_ptr(), bytes.len(), is_little_endian),
            FromBytes::Private(make) => make(bytes.as_ptr(), bytes.len(), is_little_endian, is_signed),
        }
    };
    // SAFETY: as above.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }.ok()
}

#[cfg(not(unix))]
pub fn wide_int(_py: Python<'_>, _number: u128) -> Option<Bound<'_, PyAny>> {
    None
}
