//! Compares ULID, UUID, ObjectId and the encoders with the usual Rust crates: see `tests/`.
//! programs use: see `tests/`.

#![forbid(unsafe_code)]
