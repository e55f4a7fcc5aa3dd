//! The default source of randomness for generators: the default of their type parameter.

#[cfg(not(feature = "pooled-entropy"))]
use super::OsEntropy;
#[cfg(feature = "pooled-entropy")]
use super::PooledEntropy;

/// The default source of randomness for generators: `PooledEntropy` with the feature
/// `pooled-entropy`, else [`OsEntropy`](crate::OsEntropy). Without `std`, that does not implement
/// [`Entropy`](crate::Entropy): name another source.
#[cfg(feature = "pooled-entropy")]
pub type DefaultEntropy = PooledEntropy;
/// The default source of randomness for generators: `PooledEntropy` with the feature
/// `pooled-entropy`, else [`OsEntropy`](crate::OsEntropy). Without `std`, that does not implement
/// [`Entropy`](crate::Entropy): name another source.
#[cfg(not(feature = "pooled-entropy"))]
pub type DefaultEntropy = OsEntropy;
