//! Nodes in parts: converts between a node and the values of its named parts.
//!
//! Public methods of [`Layout`], for layouts such as `node.datacenter:5 node.worker:5`.

use super::{Field, FieldKind, Layout, Slot};
use crate::error::{Error, Excerpt};

impl Layout {
    /// Returns the parts of the node with their positions within the node, from the highest bit to
    /// the lowest.
    fn node_slots(&self) -> impl Iterator<Item = (Field, Slot)> {
        let mut below = self.node.bits;
        self.spec.fields().into_iter().filter(|field| field.kind == FieldKind::Node).map(move |field| {
            below -= field.bits;
            (field, Slot::new(below, field.bits))
        })
    }

    /// Returns the name of a part. It borrows from the layout.
    fn name_of(&self, field: &Field) -> &str {
        // A node in one piece has no name of its own, and is called `node`.
        self.spec.names().iter().find(|name| **name == field.name).map_or(FieldKind::Node.name(), |name| name.as_str())
    }

    /// Returns whether the node consists of named parts.
    #[must_use]
    pub fn has_node_parts(&self) -> bool {
        !self.spec.names().is_empty()
    }

    /// Returns the names and values of a node's parts, from the highest bit to the lowest.
    ///
    /// A node without parts is returned as one part called `node`. A layout without a node returns
    /// no parts.
    ///
    /// # Errors
    /// `NodeOutOfRange` for a node that the layout does not have.
    ///
    /// ```
    /// use saiban::Layout;
    /// let layout = Layout::from_text("timestamp:42 node.datacenter:5 node.worker:5 sequence:12")?;
    /// let node = layout.node_of_parts(&[("worker", 3), ("datacenter", 2)])?;
    /// assert_eq!(node, 67);
    /// assert!(layout.node_parts(67)?.eq([("datacenter", 2), ("worker", 3)]));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    pub fn node_parts(&self, node: i64) -> Result<impl Iterator<Item = (&str, u64)>, Error> {
        match u64::try_from(node) {
            Ok(checked) if checked <= self.max_node() => Ok(self.parts_of_node(checked)),
            _ => Err(Error::NodeOutOfRange { node, max: self.max_node() }),
        }
    }

    /// Returns the names and values of the parts of a node that is in range.
    pub(crate) fn parts_of_node(&self, node: u64) -> impl Iterator<Item = (&str, u64)> {
        self.node_slots().map(move |(field, slot)| (self.name_of(&field), slot.get(node)))
    }

    /// Returns the node with these parts. Each part is given once by its name, in any order.
    ///
    /// # Errors
    /// `UnknownName` for a name that no part has; `InvalidArgument` for a part that is missing or
    /// occurs twice; `NodeOutOfRange` for a value that does not fit its part.
    pub fn node_of_parts(&self, parts: &[(&str, i64)]) -> Result<i64, Error> {
        if let Some((name, _)) = parts.iter().find(|(name, _)| self.parts_of_node(0).all(|(known, _)| known != *name)) {
            return Err(Error::UnknownNodePart { name: Excerpt::new(name) });
        }
        let mut node = 0;
        for (field, slot) in self.node_slots() {
            let name = self.name_of(&field);
            let part = Excerpt::new(name);
            let mut given = parts.iter().filter(|(of, _)| *of == name);
            let value = match (given.next(), given.next()) {
                (Some((_, value)), None) => *value,
                (Some(_), Some(_)) => return Err(Error::NodePartTwice { part }),
                (None, _) => return Err(Error::NodePartMissing { part }),
            };
            match u64::try_from(value) {
                Ok(value) if value <= slot.max() => node |= slot.put(value),
                _ => return Err(Error::NodePartOutOfRange { part, value, bits: slot.bits }),
            }
        }
        Ok(node as i64)
    }
}
