//! The messages and services that `service/generate` generates from `service/proto`.

include!("proto/saiban_id.v1.rs");

/// The encoded descriptors, for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!("proto/saiban_id.v1.bin");
