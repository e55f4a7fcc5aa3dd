//! Which bits of an ID say what: of a layout what the layout says, of the other formats what their specifications do.

use saiban::layout::FieldKind;
use saiban::{Layout, Parts, Scheme};

/// What a field's bits stand for; each has its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Always 0.
    Unused,
    /// Always the same number.
    Constant,
    /// Which version and variant of UUID it is.
    Version,
    /// The time.
    Timestamp,
    /// The node.
    Node,
    /// The sequence.
    Sequence,
    /// Random bits, or those of a hash.
    Random,
    /// How often the clock had stepped back.
    Rollback,
    /// What cannot be told: encrypted, or of no bits of its own.
    Opaque,
}

impl Kind {
    /// Every kind.
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

    /// The name of its class in the style sheet.
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
            // Kinds that core may come to have.
            _ => Kind::Constant,
        }
    }
}

/// Bits next to each other that say one thing. Those of one name belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What they stand for.
    pub kind: Kind,
    /// What they are called: `timestamp`, `node.worker`, `version`.
    pub name: String,
    /// The highest bit, counted from 0 at the lowest.
    pub high: u32,
    /// The lowest bit.
    pub low: u32,
}

impl Field {
    /// How many bits there are.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.high - self.low + 1
    }

    /// The number that these bits of an ID are.
    #[must_use]
    pub const fn value(&self, id: u128) -> u128 {
        (id >> self.low) & (u128::MAX >> (128 - self.bits()))
    }

    /// Where it is: `62–22`, or `63`.
    pub(super) fn place(&self) -> String {
        if self.high == self.low { self.high.to_string() } else { format!("{}–{}", self.high, self.low) }
    }
}

/// The fields of a layout, from the highest bit to the lowest.
#[must_use]
pub fn of_layout(layout: &Layout) -> Vec<Field> {
    let fields = layout.places().map(|place| {
        let (kind, name) = (place.field.kind, place.field.name);
        let name = if name.is_empty() { kind.name().to_owned() } else { format!("{}.{name}", kind.name()) };
        Field { kind: kind.into(), name, high: place.shift + place.field.bits - 1, low: place.shift }
    });
    fields.collect()
}

/// The fields of an ID with these parts. `given` is the layout of the user's own that it was read by.
#[must_use]
pub fn of_parts(parts: &Parts, given: Option<&Layout>) -> Vec<Field> {
    match parts.scheme {
        Scheme::Snowflake | Scheme::Flake => {
            let preset = || parts.layout.and_then(|name| Layout::preset(name).ok());
            given
                .copied()
                .or_else(preset)
                .map_or_else(|| opaque("number", parts.id.bits()), |layout| of_layout(&layout))
        }
        Scheme::UlidFlake => {
            let own = if parts.node.is_some() { Layout::ULID_FLAKE_SCALABLE } else { Layout::ULID_FLAKE };
            of_layout(given.unwrap_or(&own))
        }
        scheme => of_scheme(scheme, parts.layout).unwrap_or_else(|| opaque("bits", parts.id.bits())),
    }
}

/// The fields of a scheme whose layout nobody chooses; of a UUID `version` tells which. `None` where that is not all it takes.
#[must_use]
pub fn of_scheme(scheme: Scheme, version: Option<&str>) -> Option<Vec<Field>> {
    use Kind::{Node, Random, Sequence, Timestamp, Version};
    let (time, uuid_version, variant) = (Timestamp, (Version, "version", 4), (Version, "variant", 2));
    let random_uuid = |kind, name| vec![(kind, name, 48), uuid_version, (kind, name, 12), variant, (kind, name, 62)];
    let timed_uuid = |sizes: [u32; 2]| {
        let [first, second] = sizes.map(|bits| (time, "timestamp", bits));
        let (sequence, node) = ((Sequence, "sequence", 14), (Node, "node", 48));
        vec![first, second, uuid_version, (time, "timestamp", 12), variant, sequence, node]
    };
    let fields = match (scheme, version) {
        (Scheme::Ulid, _) => vec![(time, "timestamp", 48), (Random, "random", 80)],
        (Scheme::ObjectId, _) => vec![(time, "timestamp", 32), (Node, "node", 40), (Sequence, "sequence", 24)],
        (Scheme::UuidV7, _) => {
            vec![(time, "timestamp", 48), uuid_version, (Random, "random", 12), variant, (Random, "random", 62)]
        }
        (Scheme::UuidV4, _) => random_uuid(Random, "random"),
        (Scheme::UuidV1, _) => timed_uuid([32, 16]),
        (Scheme::Uuid, Some("v6")) => timed_uuid([32, 16]),
        (Scheme::Uuid, Some("v3" | "v5")) => random_uuid(Random, "hash"),
        (Scheme::Uuid, Some("nil" | "max")) => vec![(Kind::Constant, "constant", 128)],
        (Scheme::Uuid, Some(_)) => random_uuid(Kind::Opaque, "custom"),
        (Scheme::Randflake, _) => vec![(Kind::Opaque, "encrypted", 64)],
        // Ticks and random part are decimal digits of one number.
        (Scheme::TickId, _) => vec![(Kind::Opaque, "number", 77)],
        _ => return None,
    };
    Some(placed(&fields))
}

fn opaque(name: &'static str, bits: u32) -> Vec<Field> {
    placed(&[(Kind::Opaque, name, bits)])
}

/// The fields with their places, given from the highest to the lowest.
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

    /// Whether each bit is in one field.
    fn covers(fields: &[Field], bits: u32) -> bool {
        let ends = fields.windows(2).all(|pair| pair[0].low == pair[1].high + 1);
        ends && fields.first().is_some_and(|first| first.high == bits - 1)
            && fields.last().is_some_and(|last| last.low == 0)
    }

    #[test]
    fn every_bit_of_every_scheme_is_in_one_field() {
        for (scheme, bits) in
            [(Scheme::Ulid, 128), (Scheme::ObjectId, 96), (Scheme::Randflake, 64), (Scheme::TickId, 77)]
        {
            assert!(covers(&of_scheme(scheme, None).expect("fields"), bits), "{scheme}");
        }
        for scheme in [Scheme::UuidV1, Scheme::UuidV4, Scheme::UuidV7] {
            assert!(covers(&of_scheme(scheme, None).expect("fields"), 128), "{scheme}");
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
