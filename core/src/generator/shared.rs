//! Implements [`Generator`] for `Arc`, so that several owners can share a generator.

use super::{Attempt, ComposeParts, Generator, Stats};
use crate::encoding::{Encoding, Leniency, Text};
use crate::error::Error;
use crate::id::Parts;
use crate::layout::Layout;
use crate::prefix::Prefix;
use crate::scheme::Scheme;
use core::ops::RangeInclusive;
use core::time::Duration;
use std::sync::Arc;

impl<G: Generator + ?Sized> Generator for Arc<G> {
    type Id = G::Id;

    fn scheme(&self) -> Scheme {
        (**self).scheme()
    }

    fn bits(&self) -> u32 {
        (**self).bits()
    }

    fn encoding(&self) -> Encoding {
        (**self).encoding()
    }

    fn prefix(&self) -> Option<Prefix> {
        (**self).prefix()
    }

    fn layout(&self) -> Option<&Layout> {
        (**self).layout()
    }

    fn try_generate(&self) -> Result<Attempt<G::Id>, Error> {
        (**self).try_generate()
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<G::Id>, Error> {
        (**self).try_generate_within(left)
    }

    fn generate(&self) -> Result<G::Id, Error> {
        (**self).generate()
    }

    fn fill(&self, ids: &mut [G::Id]) -> Result<usize, Error> {
        (**self).fill(ids)
    }

    fn stats(&self) -> Result<Stats, Error> {
        (**self).stats()
    }

    fn compose(&self, parts: &ComposeParts) -> Result<G::Id, Error> {
        (**self).compose(parts)
    }

    fn inspect(&self, id: G::Id) -> Result<Parts, Error> {
        (**self).inspect(id)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<G::Id>, Error> {
        (**self).range(start_ms, end_ms)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<G::Id, Error> {
        (**self).from_text_as(text, leniency)
    }

    fn to_text_as(&self, id: G::Id, encoding: Option<Encoding>) -> Result<Text, Error> {
        (**self).to_text_as(id, encoding)
    }

    fn write(&self, id: G::Id, encoding: Option<Encoding>) -> Result<Text, Error> {
        (**self).write(id, encoding)
    }

    fn generate_text(&self, encoding: Option<Encoding>) -> Result<Text, Error> {
        (**self).generate_text(encoding)
    }
}
