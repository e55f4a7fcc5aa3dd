//! Keeps integers that the core cannot hold, as they were written, for the message of the current
//! call.

use pyo3::prelude::*;
use saiban::Error;
use std::cell::RefCell;

/// Longer numbers are shown in hexadecimal, because Python limits the length of decimal text.
const DECIMAL_BITS: usize = 1_024;

thread_local! {
    /// The integers of the current call, each with the name of its argument.
    static WRITTEN: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Keeps an integer for which core gets a substitute.
pub fn keep(name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let value = value.call_method0("__index__")?;
    let bits: usize = value.call_method0("bit_length")?.extract()?;
    let format = if bits <= DECIMAL_BITS { "d" } else { "#x" };
    let digits: String = value.call_method1("__format__", (format,))?.extract()?;
    WRITTEN.with_borrow_mut(|written| written.push((name.to_owned(), digits)));
    Ok(())
}

/// Clears the kept integers at the end of a call.
pub fn forget() {
    WRITTEN.with_borrow_mut(Vec::clear);
}

/// Returns the error with the integers that were kept.
pub fn as_written(error: saiban_coordination::Error) -> saiban_coordination::Error {
    WRITTEN.with_borrow(|written| error.with_numbers(written.iter().map(|(_, digits)| &**digits)))
}

/// Returns the message of an error, with the integers that were kept.
pub fn message(error: &Error) -> String {
    WRITTEN.with_borrow(|written| {
        let numbers: Vec<_> = written.iter().map(|(name, digits)| (name.as_str(), digits.as_str())).collect();
        error.with_numbers(&numbers).to_string()
    })
}
