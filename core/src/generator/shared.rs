//! Implements [`Generator`] for `Arc`, so that several owners can share a generator.

use super::Generator;
use std::sync::Arc;

impl<G: Generator + ?Sized> Generator for Arc<G> {
    type Id = G::Id;

    crate::forward_generator! {
        |this| (**this);
        scheme bits encoding prefix layout try_generate try_generate_within generate fill stats compose inspect range
        from_text_as to_text_as write write_into generate_text
    }
}
