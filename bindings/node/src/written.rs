//! Keeps integers that core cannot hold, as they were written, for the message of the current call.

use napi::bindgen_prelude::BigInt;
use saiban::Error;
use std::cell::RefCell;
use std::fmt::Write;

/// Longer numbers, in 64-bit words, are shown in hexadecimal.
const DECIMAL_WORDS: usize = 16;
/// The largest power of ten in a word, and its zeros.
const TEN_19: u128 = 10_000_000_000_000_000_000;

thread_local! {
    /// The integers of the current call, each with the name of its argument.
    static WRITTEN: RefCell<Vec<(&'static str, String)>> = const { RefCell::new(Vec::new()) };
}

/// Keeps an integer for which core gets a substitute.
pub fn keep(name: &'static str, integer: &BigInt) {
    WRITTEN.with_borrow_mut(|written| written.push((name, digits(integer))));
}

/// Clears the kept integers at the end of a call.
pub fn forget() {
    WRITTEN.with_borrow_mut(Vec::clear);
}

/// Takes the kept integers, for a message on another thread.
pub fn take() -> Vec<(&'static str, String)> {
    WRITTEN.take()
}

/// Returns the error with the integers that were kept in this call.
pub fn as_written_now(error: saiban_coordination::Error) -> saiban_coordination::Error {
    WRITTEN.with_borrow(|written| as_written(error, written))
}

/// Returns the error with these integers.
pub fn as_written(error: saiban_coordination::Error, numbers: &[(&'static str, String)]) -> saiban_coordination::Error {
    error.with_numbers(numbers.iter().map(|(_, digits)| &**digits))
}

/// Returns the message of an error, with the integers that were kept.
pub fn message(error: &Error) -> String {
    WRITTEN.with_borrow(|written| {
        let numbers: Vec<_> = written.iter().map(|(name, digits)| (*name, digits.as_str())).collect();
        error.with_numbers(&numbers).to_string()
    })
}

fn digits(integer: &BigInt) -> String {
    let mut words = integer.words.clone();
    while words.last() == Some(&0) {
        words.pop();
    }
    let mut text = String::from(if integer.sign_bit { "-" } else { "" });
    let mut groups = Vec::new();
    if words.len() > DECIMAL_WORDS {
        text.push_str("0x");
        let _ = write!(text, "{:x}", words.pop().unwrap_or(0));
        groups.extend(words.iter().map(|word| format!("{word:016x}")));
    } else {
        loop {
            let group = words.iter_mut().rev().fold(0, |rest, word| {
                let number = rest << 64 | u128::from(*word);
                *word = (number / TEN_19) as u64;
                number % TEN_19
            });
            let is_first = words.iter().all(|word| *word == 0);
            groups.push(if is_first { group.to_string() } else { format!("{group:019}") });
            if is_first {
                break;
            }
        }
    }
    text.extend(groups.into_iter().rev());
    text
}
