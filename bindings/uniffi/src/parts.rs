//! An ID taken apart.

/// The parts of an ID. What a scheme does not have is absent. `time` is the timestamp in the language's own type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Parts {
    /// `snowflake`, `randflake` or `ulid-flake`.
    pub scheme: String,
    /// The layout's name, where it is a known one: `twitter`, `discord`, …
    pub layout: Option<String>,
    /// The ID itself.
    pub id: i64,
    /// When its tick began, Unix milliseconds.
    pub timestamp_ms: i64,
    /// The node; of a scalable Ulid-Flake the scalability id.
    pub node: Option<i64>,
    /// The sequence number within the tick.
    pub sequence: Option<i64>,
    /// The random part.
    pub random: Option<i64>,
    /// How often the clock had stepped back, where the layout has bits for it.
    #[uniffi(default = None)]
    pub rollback: Option<i64>,
    /// Which of several secrets this was read with: 0 for the secret, 1 and up for the old ones; see `inspect`.
    #[uniffi(default = None)]
    pub secret_index: Option<i64>,
}

impl From<saiban::Parts> for Parts {
    fn from(parts: saiban::Parts) -> Self {
        // Parts are fields of at most 63 bits, and the schemes here have IDs of 64 bits, all with a time.
        fn signed(value: impl TryInto<i64>) -> i64 {
            value.try_into().unwrap_or(i64::MAX)
        }
        Parts {
            scheme: parts.scheme.name().into(),
            layout: parts.layout.map(Into::into),
            id: parts.id.as_i64().unwrap_or(0),
            timestamp_ms: parts.timestamp_ms.unwrap_or(0),
            node: parts.node.map(signed),
            sequence: parts.sequence.map(signed),
            random: parts.random.map(signed),
            rollback: parts.rollback.map(signed),
            secret_index: parts.secret_index.map(signed),
        }
    }
}
