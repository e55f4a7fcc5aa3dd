//! The content of a state file, as text that a person can read.
//!
//! Only the other files of `state/` use it.
//!
//! ```text
//! saiban state 1
//! counter 42
//! scheme snowflake
//! layout unused 1, timestamp 41, node 10, sequence 12
//! epoch 1288834974657 Unix ms
//! tick 1000 us
//! nodes 7 to 7
//! ticks below 474865024000 may have been used
//! which is until 1763699998657 Unix ms
//! checksum 89abcdef
//! ```
//!
//! Scheme, layout, epoch and tick are spelled out: they are the fingerprint of the format, and
//! equal on every machine and in every version. The counter is near the start, so that a truncated
//! write is detected. The checksum is the CRC-32 (IEEE 802.3) of all bytes before its line.
//! Newlines fill the rest of the record.

use super::Identity;
use crate::error::StateProblem;
use crate::layout::{Field, FieldKind, Layout, LayoutSpec};
use alloc::format;
use alloc::string::String;
use core::fmt::Write;

/// The size of a record in the file, in bytes: one block of most disks and file systems.
///
/// The text fits the first 512 bytes, the smallest sector. A power loss therefore hardly ever
/// leaves a mixture of two records.
pub(super) const RECORD: usize = 4096;

const FIRST_LINE: &str = "saiban state 1";

/// The owner of a file: the IDs whose ticks it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    /// The lines of scheme, layout, epoch and tick.
    format: String,
    first_node: u64,
    end_node: u64,
}

impl Owner {
    pub(super) fn of(identity: &Identity<'_>) -> Self {
        let layout = identity.layout;
        let format = format!(
            "scheme {}\nlayout {}\nepoch {} Unix ms\ntick {} us\n",
            identity.scheme,
            fields(layout.spec()),
            layout.epoch_ms(),
            layout.tick_us(),
        );
        Owner { format, first_node: identity.first_node, end_node: identity.end_node }
    }

    /// Checks that `other` may use a file of this owner.
    ///
    /// # Errors
    /// `OtherFormat` if scheme, layout, epoch or tick differ; `OtherNodes` if only the nodes
    /// differ.
    pub(super) fn check(&self, other: &Owner) -> Result<(), StateProblem> {
        if self.format != other.format {
            return Err(StateProblem::OtherFormat);
        }
        if self != other {
            return Err(StateProblem::OtherNodes { first: self.first_node });
        }
        Ok(())
    }
}

/// Returns the fields as text, from the highest bit to the lowest.
///
/// Adjacent unused fields are merged, and so are the parts of a node. Names, the start of a
/// sequence and the step of a random part are left out: they do not change which IDs are possible.
fn fields(spec: &LayoutSpec) -> String {
    let mut text = String::new();
    let mut before: Option<Field> = None;
    for field in spec.fields() {
        match &mut before {
            Some(before) if before.kind == field.kind && is_one(field.kind) => before.bits += field.bits,
            _ => before.replace(field).iter().for_each(|field| add_field(&mut text, field)),
        }
    }
    before.iter().for_each(|field| add_field(&mut text, field));
    text
}

/// Returns whether adjacent fields of this kind are equivalent to one field.
fn is_one(kind: FieldKind) -> bool {
    matches!(kind, FieldKind::Unused | FieldKind::Node)
}

fn add_field(text: &mut String, field: &Field) {
    let comma = if text.is_empty() { "" } else { ", " };
    // Writing to a `String` never returns an error.
    let _ = write!(text, "{comma}{} {}", field.kind.name(), field.bits);
    let _ = match field.kind {
        FieldKind::Constant => write!(text, " = {}", field.value),
        FieldKind::Random if field.step == 0 => text.write_str(" afresh"),
        _ => Ok(()),
    };
}

/// A record: one state of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) owner: Owner,
    /// Ticks below this one may have been used.
    pub(super) end: u64,
    /// The number of the record. The record with the highest number is the newest.
    pub(super) counter: u64,
}

impl Record {
    /// Returns the bytes of the record. `layout` is needed to convert the end to a time.
    pub(super) fn bytes(&self, layout: &Layout) -> [u8; RECORD] {
        let Owner { format, first_node, end_node } = &self.owner;
        let mut text = format!(
            "{FIRST_LINE}\ncounter {}\n{format}nodes {first_node} to {}\n\
             ticks below {} may have been used\nwhich is until {} Unix ms\n",
            self.counter,
            end_node - 1,
            self.end,
            layout.tick_start_ms(self.end),
        );
        let _ = writeln!(text, "checksum {:08x}", crc32fast::hash(text.as_bytes()));
        let mut bytes = [b'\n'; RECORD];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        bytes
    }

    /// Parses the bytes of a record.
    ///
    /// # Errors
    /// `Damaged` if the bytes are not an intact record; `OtherFormat` for a record of a later
    /// version.
    pub(super) fn read(bytes: &[u8]) -> Result<Record, StateProblem> {
        if bytes.len() != RECORD {
            return Err(StateProblem::Damaged);
        }
        let end = bytes.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 1);
        let text = core::str::from_utf8(&bytes[..end]).map_err(|_| StateProblem::Damaged)?;
        let (body, checksum) = text.rsplit_once('\n').ok_or(StateProblem::Damaged)?;
        // The checksum includes the newline at the end of the body.
        let body = &text[..=body.len()];
        if checksum != format!("checksum {:08x}", crc32fast::hash(body.as_bytes())) {
            return Err(StateProblem::Damaged);
        }
        match body.split_once('\n') {
            Some((FIRST_LINE, rest)) => parse(rest).ok_or(StateProblem::Damaged),
            _ => Err(StateProblem::OtherFormat),
        }
    }
}

/// Parses the lines between the first and the checksum, which are known to be intact.
fn parse(text: &str) -> Option<Record> {
    let (counter, text) = text.strip_prefix("counter ")?.split_once('\n')?;
    let nodes_at = text.find("nodes ")?;
    let mut lines = text[nodes_at..].lines();
    let (first, last) = lines.next()?.strip_prefix("nodes ")?.split_once(" to ")?;
    let end = lines.next()?.strip_prefix("ticks below ")?.strip_suffix(" may have been used")?;
    let owner = Owner {
        format: text[..nodes_at].into(),
        first_node: first.parse().ok()?,
        end_node: last.parse::<u64>().ok()?.checked_add(1)?,
    };
    Some(Record { owner, end: end.parse().ok()?, counter: counter.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(layout: &Layout) -> Record {
        let identity = Identity { scheme: "snowflake", layout, first_node: 7, end_node: 8 };
        Record { owner: Owner::of(&identity), end: 474_865_024_000, counter: 42 }
    }

    #[test]
    fn a_record_reads_as_its_documentation_shows() {
        let text = "saiban state 1\n\
            counter 42\n\
            scheme snowflake\n\
            layout unused 1, timestamp 41, node 10, sequence 12\n\
            epoch 1288834974657 Unix ms\n\
            tick 1000 us\n\
            nodes 7 to 7\n\
            ticks below 474865024000 may have been used\n\
            which is until 1763699998657 Unix ms\n\
            checksum ";
        let bytes = record(&Layout::TWITTER).bytes(&Layout::TWITTER);
        let read = core::str::from_utf8(&bytes).expect("text");
        assert!(read.starts_with(text), "{read}");
        assert!(read[text.len() + 8..].bytes().all(|byte| byte == b'\n'));
        assert_eq!(read.len(), RECORD);
        assert_eq!(Record::read(&bytes), Ok(record(&Layout::TWITTER)));
    }

    #[test]
    fn the_longest_record_fits_the_smallest_sector() {
        let spec = LayoutSpec::new().unused(20).timestamp(11).unused(10).random_step(10, 1).unused(3).node(10);
        let layout = spec.epoch_ms(i64::MIN).tick_us(9_007_199_254_740_991).check().expect("a layout");
        let identity = Identity {
            scheme: "a-scheme-with-a-long-name",
            layout: &layout,
            first_node: u64::MAX - 2,
            end_node: u64::MAX,
        };
        let record = Record { owner: Owner::of(&identity), end: u64::MAX, counter: u64::MAX };
        let bytes = record.bytes(&layout);
        assert!(bytes[500..].iter().all(|byte| *byte == b'\n'));
        assert_eq!(Record::read(&bytes), Ok(record));
        // A wide layout can have more fields. This one has the most possible, and no two are
        // merged.
        let constants = (0..13).fold(LayoutSpec::new().timestamp(63), |spec, _| spec.constant(1, 1));
        let spec = constants.node(30).random(22).epoch_ms(i64::MIN).tick_us(1_000);
        let layout = spec.check().expect("a layout");
        let identity = Identity { scheme: "flake", layout: &layout, first_node: (1 << 30) - 2, end_node: 1 << 30 };
        // More saves than a disk can perform in its lifetime.
        let record = Record { owner: Owner::of(&identity), end: layout.ticks(), counter: 1 << 50 };
        let bytes = record.bytes(&layout);
        assert!(bytes[512..].iter().all(|byte| *byte == b'\n'));
        assert_eq!(Record::read(&bytes), Ok(record));
    }

    #[test]
    fn no_single_byte_of_a_record_changes_unnoticed() {
        let bytes = record(&Layout::TWITTER).bytes(&Layout::TWITTER);
        let mut changed = bytes;
        for at in 0..RECORD {
            for value in (0..=u8::MAX).filter(|value| *value != bytes[at]) {
                // The trailing newlines are alike: a few values suffice there.
                if at >= 512 && !matches!(value, 0 | b' ' | b'\r' | b'0' | 0xff) {
                    continue;
                }
                changed[at] = value;
                assert_eq!(Record::read(&changed), Err(StateProblem::Damaged), "byte {at} as {value}");
            }
            changed[at] = bytes[at];
        }
    }

    #[test]
    fn unused_bits_described_in_pieces_make_the_same_format() {
        let pieces = LayoutSpec::new().unused(2).unused(2).timestamp(40).node(10).unused(4).unused(1).sequence(5);
        assert_eq!(fields(&pieces), "unused 4, timestamp 40, node 10, unused 5, sequence 5");
    }

    #[test]
    fn a_later_versions_record_is_not_called_damaged() {
        let mut text = String::from("saiban state 2\nwhatever it says\n");
        let checksum = format!("checksum {:08x}\n", crc32fast::hash(text.as_bytes()));
        text.push_str(&checksum);
        text.extend(core::iter::repeat_n('\n', RECORD - text.len()));
        assert_eq!(Record::read(text.as_bytes()), Err(StateProblem::OtherFormat));
        assert_eq!(Record::read(&text.as_bytes()[1..]), Err(StateProblem::Damaged));
    }

    #[test]
    fn another_format_and_other_nodes_are_distinguished() {
        let twitter = Layout::TWITTER;
        let owner =
            |scheme, layout, first_node, end_node| Owner::of(&Identity { scheme, layout, first_node, end_node });
        let ours = owner("snowflake", &twitter, 7, 8);
        assert_eq!(ours.check(&ours), Ok(()));
        assert_eq!(ours.check(&owner("ulid-flake", &twitter, 7, 8)), Err(StateProblem::OtherFormat));
        assert_eq!(ours.check(&owner("snowflake", &Layout::DISCORD, 7, 8)), Err(StateProblem::OtherFormat));
        let epoch = twitter.spec().epoch_ms(0).check().expect("a layout");
        assert_eq!(ours.check(&owner("snowflake", &epoch, 7, 8)), Err(StateProblem::OtherFormat));
        let tick = twitter.spec().tick_us(10_000).check().expect("a layout");
        assert_eq!(ours.check(&owner("snowflake", &tick, 7, 8)), Err(StateProblem::OtherFormat));
        for nodes in [7..9, 6..8, 8..9] {
            let other = owner("snowflake", &twitter, nodes.start, nodes.end);
            assert_eq!(ours.check(&other), Err(StateProblem::OtherNodes { first: 7 }));
        }
    }
}
