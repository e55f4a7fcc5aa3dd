//! The named parts of a node.

use crate::ffi::{Fill, Out, Slice, ffi};
use crate::layout::Layout;
use std::ffi::c_char;

/// A part of the node: {"worker", 3}.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NodePart {
    /// Its name, at most 16 characters, with a NUL at the end.
    pub name: [c_char; 24],
    /// Its number.
    pub value: i64,
}

impl NodePart {
    /// Returns the name up to its NUL. Without a NUL it returns all bytes, which no part is named.
    fn name(&self) -> String {
        let bytes: Vec<u8> = self.name.iter().map(|byte| *byte as u8).take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Returns a short text, filled up with NULs.
pub(crate) fn text_of(text: &str) -> [c_char; 24] {
    let mut places = [0; 24];
    // The last byte stays a NUL.
    for (place, byte) in places[..23].iter_mut().zip(text.bytes()) {
        *place = byte as c_char;
    }
    places
}

ffi! {
    /// Makes a node of its parts, each given once by its name, in any order.
    ///
    /// - parts, count: saiban_node_part parts[] = {{"datacenter", 2}, {"worker", 3}};
    /// - node: the node, for saiban_options and for composing.
    ///
    /// Errors: UNKNOWN_NAME for a name that no part has; INVALID_ARGUMENT for a part that is
    /// missing or given twice; NODE_OUT_OF_RANGE for a number that does not fit its part.
    fn saiban_layout_node_of_parts(layout: &Layout, parts: Slice<NodePart>, count: usize, node: Out<i64>) {
        let parts = parts.get(count)?;
        let names: Vec<_> = parts.iter().map(NodePart::name).collect();
        let parts: Vec<_> = names.iter().zip(parts).map(|(name, part)| (name.as_str(), part.value)).collect();
        node.set(layout.core.node_of_parts(&parts)?);
    }

    /// Takes a node apart.
    ///
    /// - parts, capacity: where its parts go, from the highest bit to the lowest, and how many fit;
    ///   the lowest are left out. SAIBAN_FIELDS_MAX is always enough.
    /// - count: how many were written; 0 where the node has no parts with names.
    ///
    /// Errors: NODE_OUT_OF_RANGE for a node that is not of this layout.
    fn saiban_layout_node_parts(
        layout: &Layout, node: u64, parts: Fill<NodePart>, capacity: usize, count: Out<usize>,
    ) {
        let has_names = layout.core.has_node_parts();
        // A node has at most 63 bits.
        let parts_of_node = layout.core.node_parts(i64::try_from(node).unwrap_or(i64::MAX))?;
        let named = parts_of_node.filter(|_| has_names).zip(parts.get(capacity)?);
        let written = named.map(|((name, value), place)| {
            // Parts have at most 63 bits.
            place.write(NodePart { name: text_of(name), value: value as i64 })
        });
        count.set(written.count());
    }
}
