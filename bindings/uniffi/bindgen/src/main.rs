//! UniFFI's generator, in the version that the library is built with.

#![forbid(unsafe_code)]

fn main() {
    uniffi::uniffi_bindgen_main();
}
