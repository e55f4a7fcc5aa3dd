//! The fields of an ID: which bits hold what. They come from the layout, or else from the scheme's
//! specification.
//!
//! The drawings and tables of both pages use them.

use saiban::layout::FieldKind;
use saiban::scheme::{GeneratorOption, IdField, IdFieldKind};
use saiban::{Layout, Parts, Scheme};

/// What a field holds. Each kind has its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Always 0.
    Unused,
    /// A fixed number.
    Constant,
    /// The version or variant of a UUID.
    Version,
    /// The timestamp.
    Timestamp,
    /// The node.
    Node,
    /// The sequence.
    Sequence,
    /// Random bits, or bits of a hash.
    Random,
    /// How often the clock was set back.
    Rollback,
    /// Bits whose meaning is unknown, for example because they are encrypted.
    Opaque,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 9] = [
        Kind::Unused,
        Kind::Constant,
        Kind::Version,
        Kind::Timestamp,
        Kind::Node,
        Kind::Sequence,
        Kind::Random,
        Kind::Rollback,
        Kind::Opaque,
    ];

    /// Returns the name of the CSS class.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Kind::Unused => "k-unused",
            Kind::Constant => "k-constant",
            Kind::Version => "k-version",
            Kind::Timestamp => "k-timestamp",
            Kind::Node => "k-node",
            Kind::Sequence => "k-sequence",
            Kind::Random => "k-random",
            Kind::Rollback => "k-rollback",
            Kind::Opaque => "k-opaque",
        }
    }
}

impl From<FieldKind> for Kind {
    fn from(kind: FieldKind) -> Self {
        match kind {
            FieldKind::Unused => Kind::Unused,
            FieldKind::Timestamp => Kind::Timestamp,
            FieldKind::Node => Kind::Node,
            FieldKind::Sequence => Kind::Sequence,
            FieldKind::Random => Kind::Random,
            FieldKind::Rollback => Kind::Rollback,
            // Kinds that the core may add.
            _ => Kind::Constant,
        }
    }
}

impl From<IdFieldKind> for Kind {
    fn from(kind: IdFieldKind) -> Self {
        match kind {
            IdFieldKind::Timestamp => Kind::Timestamp,
            IdFieldKind::Node => Kind::Node,
            IdFieldKind::Sequence => Kind::Sequence,
            IdFieldKind::Random => Kind::Random,
            IdFieldKind::Version => Kind::Version,
            // Opaque fields, and kinds that the core may add.
            _ => Kind::Opaque,
        }
    }
}

/// Adjacent bits that hold one thing. Several fields of one name form one part of the ID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What the bits hold.
    pub kind: Kind,
    /// The name: `timestamp`, `node.worker`, `version`.
    pub name: String,
    /// The number of the highest bit; 0 is the lowest bit of the ID.
    pub high: u32,
    /// The number of the lowest bit.
    pub low: u32,
}

impl Field {
    /// Returns the number of bits.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.high - self.low + 1
    }

    /// Returns the value of this field in an ID.
    #[must_use]
    pub const fn value(&self, id: u128) -> u128 {
        (id >> self.low) & (u128::MAX >> (128 - self.bits()))
    }

    /// Returns the bit numbers as text: `62–22`, or `63`.
    pub(super) fn place(&self) -> String {
        if self.high == self.low { self.high.to_string() } else { format!("{}–{}", self.high, self.low) }
    }
}

/// Returns the fields of a layout, from the highest bit to the lowest.
#[must_use]
pub fn of_layout(layout: &Layout) -> Vec<Field> {
    let fields = layout.places().map(|place| {
        let (kind, name) = (place.field.kind, place.field.name);
        let name = if name.is_empty() { kind.name().to_owned() } else { format!("{}.{name}", kind.name()) };
        Field { kind: kind.into(), name, high: place.shift + place.field.bits - 1, low: place.shift }
    });
    fields.collect()
}

/// Returns the fields of an ID with these parts. `given` is the user's layout with which the ID was
/// parsed, if any.
#[must_use]
pub fn of_parts(parts: &Parts, given: Option<&Layout>) -> Vec<Field> {
    let preset = || parts.layout.and_then(|name| Layout::preset(name).ok());
    let ulid_flake = || {
        let own = if parts.node.is_some() { Layout::ULID_FLAKE_SCALABLE } else { Layout::ULID_FLAKE };
        parts.scheme.takes(GeneratorOption::Scalability).then_some(own)
    };
    let layout = given.copied().or_else(preset).or_else(ulid_flake);
    layout
        .map(|layout| of_layout(&layout))
        .or_else(|| of_scheme(parts.scheme, parts.layout))
        .unwrap_or_else(|| placed(&[(Kind::Opaque, "number", parts.id.bits())]))
}

/// Returns the fields of a scheme with a fixed format, or `None` if its fields depend on a layout.
/// `version` is the version of a UUID.
#[must_use]
pub fn of_scheme(scheme: Scheme, version: Option<&str>) -> Option<Vec<Field>> {
    // UUID versions that saiban only reads have the fields of a version that it generates.
    let (like, hash) = match version.filter(|_| scheme == Scheme::Uuid) {
        None => (scheme, None),
        Some("v6") => (Scheme::UuidV1, None),
        Some("v3" | "v5") => (Scheme::UuidV4, Some((Kind::Random, "hash"))),
        Some("nil" | "max") => return Some(placed(&[(Kind::Constant, "constant", 128)])),
        Some(_) => (Scheme::UuidV4, Some((Kind::Opaque, "custom"))),
    };
    let shown = |field: &IdField| match hash {
        Some((kind, name)) if field.kind == IdFieldKind::Random => (kind, name, field.bits),
        _ => (Kind::from(field.kind), field.name, field.bits),
    };
    let fields: Vec<_> = like.info().fields.iter().map(shown).collect();
    if fields.is_empty() { None } else { Some(placed(&fields)) }
}

/// Assigns bit numbers to fields, which are in order from the highest bit to the lowest.
fn placed(fields: &[(Kind, &str, u32)]) -> Vec<Field> {
    let mut above = fields.iter().map(|(_, _, bits)| bits).sum::<u32>();
    let place = |&(kind, name, bits): &(Kind, &str, u32)| {
        let high = above - 1;
        above -= bits;
        Field { kind, name: name.to_owned(), high, low: above }
    };
    fields.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether each bit is in exactly one field.
    fn covers(fields: &[Field], bits: u32) -> bool {
        let ends = fields.windows(2).all(|pair| pair[0].low == pair[1].high + 1);
        ends && fields.first().is_some_and(|first| first.high == bits - 1)
            && fields.last().is_some_and(|last| last.low == 0)
    }

    #[test]
    fn every_bit_of_every_scheme_is_in_one_field() {
        let chosen = |scheme: Scheme| scheme.takes(GeneratorOption::Layout) || scheme.takes(GeneratorOption::EpochMs);
        for scheme in Scheme::ALL.into_iter().filter(|scheme| !chosen(*scheme) && *scheme != Scheme::Uuid) {
            let bits = scheme.info().bits.expect("a width of its own");
            assert!(covers(&of_scheme(scheme, None).expect("fields"), bits), "{scheme}");
        }
        for version in ["v2", "v3", "v5", "v6", "v8", "nil", "max"] {
            assert!(covers(&of_scheme(Scheme::Uuid, Some(version)).expect("fields"), 128), "{version}");
        }
        for (name, layout) in Layout::PRESETS {
            assert!(covers(&of_layout(&layout), layout.size_bits()), "{name}");
        }
        assert_eq!(of_scheme(Scheme::Flake, None), None, "its layout says");
    }

    #[test]
    fn a_field_is_where_its_layout_puts_it() {
        let fields = of_layout(&Layout::TWITTER);
        let places: Vec<_> = fields.iter().map(|field| (field.name.as_str(), field.place())).collect();
        assert_eq!(
            places.iter().map(|(name, place)| (*name, place.as_str())).collect::<Vec<_>>(),
            [("unused", "63"), ("timestamp", "62–22"), ("node", "21–12"), ("sequence", "11–0")]
        );
        assert_eq!(fields[2].value(1_741_610_183_685_074_945), 7);
    }

    #[test]
    fn the_version_of_a_uuid_is_where_the_specification_has_it() {
        let fields = of_scheme(Scheme::UuidV7, None).expect("fields");
        let id = 0x017f_22e2_79b0_7cc3_98c4_dc0c_0c07_398f;
        let value = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.value(id));
        assert_eq!(
            (value("version"), value("variant"), value("timestamp")),
            (Some(7), Some(2), Some(0x017f_22e2_79b0))
        );
    }
}
