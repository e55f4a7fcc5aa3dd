//! The error that ends the bench, as text.

pub type Failure = Box<dyn std::error::Error + Send + Sync>;
