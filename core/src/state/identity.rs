//! The generator to which a state file belongs. Generators pass an [`Identity`] when they open a
//! file.

use crate::layout::Layout;

/// The IDs whose ticks a state file counts: scheme, layout and nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity<'a> {
    /// The name of the scheme.
    pub scheme: &'static str,
    /// The layout.
    pub layout: &'a Layout,
    /// The first node.
    pub first_node: u64,
    /// The node after the last.
    pub end_node: u64,
}
