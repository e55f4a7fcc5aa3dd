//! ULID, UUID, ObjectId and the encoders give, for the same bits, what the crates give that Rust
//! programs use: see `tests/`.

#![forbid(unsafe_code)]
