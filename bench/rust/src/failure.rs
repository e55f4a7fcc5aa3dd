//! What went wrong, in words: the bench ends with it.

pub type Failure = Box<dyn std::error::Error>;
