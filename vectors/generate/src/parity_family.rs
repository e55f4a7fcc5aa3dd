//! Random UUIDs, ULIDs and ObjectIds, written and taken apart by saiban, for tests/parity to compare with what others publish; and
//! what others made, as they write it and take it apart, compared with what saiban makes of it.
//!
//! Both are lines of fields apart by tabs:
//!
//! ```text
//! ulid      text  number  as a UUID  timestamp_ms  random
//! uuid-v1   text  simple  braced  urn  bytes of a GUID  timestamp_ms  sequence  node
//! uuid-v4   text  simple  braced  urn  bytes of a GUID  random
//! uuid-v7   text  simple  braced  urn  bytes of a GUID  timestamp_ms  random
//! objectid  text  timestamp_ms  node  sequence
//! ```

use crate::rng::Rng;
use saiban::encoding::{uuid_from_bytes, uuid_from_guid_bytes, uuid_to_bytes, uuid_to_guid_bytes};
use saiban::generator::UuidParts;
use saiban::{Error, Generator, Leniency, ObjectId, Parts, Ulid, Uuid, UuidForm};
use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

const FORMATS: [&str; 5] = ["ulid", "uuid-v1", "uuid-v4", "uuid-v7", "objectid"];

/// Where the ticks of version 1 begin, and its last whole millisecond.
const V1_FIRST_MS: i64 = -12_219_292_800_000;
const V1_LAST_MS: i64 = V1_FIRST_MS + ((1 << 60) - 1) / 10_000;

/// Prints `count` lines a format whose parts are random; then a tenth as many that generators made, with `made-` before the format.
pub fn print(seed: u64, count: u32) -> ExitCode {
    let print = || -> Result<(), Box<dyn std::error::Error>> {
        let (family, mut rng) = (Family::new()?, Rng::new(seed));
        let mut out = BufWriter::new(std::io::stdout().lock());
        for format in FORMATS {
            for _ in 0..count {
                let id = family.composed(format, &mut rng)?;
                writeln!(out, "{}", family.line(format, id)?)?;
            }
            for id in family.of(format).generate_many(count.div_ceil(10) as usize)? {
                writeln!(out, "made-{}", family.line(format, id)?)?;
            }
        }
        out.flush().map_err(Into::into)
    };
    match print() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads lines that others wrote, with the generator's name and a tab before each: one test a generator, which has to have given `count`.
pub fn read(count: usize, paths: &[&str]) -> ExitCode {
    let family = Family::new().expect("generators");
    let (mut passed, mut failed) = (0, 0);
    let mut test = |name: &str, lines: &[&str]| {
        let wrong: Vec<String> = lines.iter().filter_map(|line| family.compare(line).err()).collect();
        let right = wrong.is_empty() && lines.len() == count;
        *if right { &mut passed } else { &mut failed } += 1;
        let (outcome, same) = (if right { "ok" } else { "FAILED" }, lines.len() - wrong.len());
        println!("{outcome} {name}: saiban reads the same in {same} of {count} IDs");
        wrong.iter().take(3).for_each(|wrong| println!("   {wrong}"));
    };
    for path in paths {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        // Lines of one generator stand together.
        let lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once('\t')).collect();
        if lines.is_empty() {
            test(path, &[]);
        }
        for group in lines.chunk_by(|one, next| one.0 == next.0) {
            test(group[0].0, &group.iter().map(|line| line.1).collect::<Vec<_>>());
        }
    }
    println!("{passed} passed, {failed} failed, 0 skipped");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Family {
    ulid: Ulid<saiban::SystemClock, saiban::PooledEntropy>,
    uuid: [Uuid<saiban::SystemClock, saiban::PooledEntropy>; 3],
    object_id: ObjectId<saiban::SystemClock, saiban::PooledEntropy>,
}

impl Family {
    fn new() -> Result<Self, Error> {
        Ok(Family { ulid: Ulid::new()?, uuid: [Uuid::v1()?, Uuid::v4()?, Uuid::v7()?], object_id: ObjectId::new()? })
    }

    fn of(&self, format: &str) -> &dyn Generator<u128> {
        let [v1, v4, v7] = &self.uuid;
        match format {
            "ulid" => &self.ulid,
            "uuid-v1" => v1,
            "uuid-v4" => v4,
            "uuid-v7" => v7,
            "objectid" => &self.object_id,
            _ => panic!("a format {format}"),
        }
    }

    /// An ID of random parts, their ends now and then, as which it is read back.
    fn composed(&self, format: &str, rng: &mut Rng) -> Result<u128, Error> {
        let [v1, v4, v7] = &self.uuid;
        let mut random =
            |bits: u32| u128::from(rng.edgy((1 << (bits - 64)) - 1)) << 64 | u128::from(rng.edgy(u64::MAX));
        let (random_80, random_122, random_74) = (random(80), random(122), random(74));
        let time_48 = rng.edgy((1 << 48) - 1) as i64;
        let (id, parts) = match format {
            "ulid" => (self.ulid.compose(time_48, random_80)?, (Some(time_48), None, None, Some(random_80))),
            "uuid-v1" => {
                let time = V1_FIRST_MS + rng.edgy((V1_LAST_MS - V1_FIRST_MS) as u64) as i64;
                let (sequence, node) = (rng.edgy((1 << 14) - 1), rng.edgy((1 << 48) - 1));
                let id = v1.compose(&UuidParts {
                    timestamp_ms: Some(time),
                    clock_sequence: Some(sequence as i64),
                    node: Some(node as i64),
                    ..UuidParts::default()
                })?;
                (id, (Some(time), Some(node), Some(sequence), None))
            }
            "uuid-v4" => {
                let id = v4.compose(&UuidParts { random: Some(random_122), ..UuidParts::default() })?;
                (id, (None, None, None, Some(random_122)))
            }
            "uuid-v7" => {
                let parts = UuidParts { timestamp_ms: Some(time_48), random: Some(random_74), ..UuidParts::default() };
                (v7.compose(&parts)?, (Some(time_48), None, None, Some(random_74)))
            }
            _ => {
                let time = rng.edgy(u32::MAX.into()) as i64 * 1_000;
                let (node, sequence) = (rng.edgy((1 << 40) - 1), rng.edgy((1 << 24) - 1));
                let id = self.object_id.compose(time, node as i64, sequence as i64)?;
                (id, (Some(time), Some(node), Some(sequence), None))
            }
        };
        let read = self.of(format).inspect(id)?;
        assert_eq!((read.timestamp_ms, read.node, read.sequence, read.random), parts, "{format} {id}");
        Ok(id)
    }

    /// The line of an ID; each of its texts and bytes is read back as the ID, or the line is not worth comparing.
    fn line(&self, format: &str, id: u128) -> Result<String, Error> {
        let ids = self.of(format);
        let text = ids.to_text(id)?;
        assert_eq!(ids.from_text(&text)?, id);
        let mut line = format!("{format}\t{text}");
        let mut field = |field: &str| {
            line.push('\t');
            line.push_str(field);
        };
        match format {
            "ulid" => {
                field(&id.to_string());
                field(&UuidForm::Hyphenated.encode(id));
            }
            "objectid" => {}
            _ => {
                assert_eq!(text, UuidForm::Hyphenated.encode(id));
                assert_eq!(uuid_from_bytes(uuid_to_bytes(id)), id);
                for form in [UuidForm::Simple, UuidForm::Braced, UuidForm::Urn] {
                    let text = form.encode(id);
                    assert_eq!(form.decode(&text, Leniency::Strict)?, id);
                    field(&text);
                }
                let guid = uuid_to_guid_bytes(id);
                assert_eq!(uuid_from_guid_bytes(guid), id);
                field(&guid.map(|byte| format!("{byte:02x}")).concat());
            }
        }
        let Parts { timestamp_ms, random, sequence, node, .. } = ids.inspect(id)?;
        timestamp_ms.iter().for_each(|time| field(&time.to_string()));
        random.iter().for_each(|random| field(&random.to_string()));
        let (first, second) = if format == "objectid" { (node, sequence) } else { (sequence, node) };
        first.iter().chain(&second).for_each(|number| field(&number.to_string()));
        Ok(line)
    }

    /// Reads the text of a line and writes the line anew.
    fn compare(&self, line: &str) -> Result<(), String> {
        let mut fields = line.split('\t');
        let (Some(format), Some(text)) = (fields.next().filter(|format| FORMATS.contains(format)), fields.next())
        else {
            return Err(format!("{line:?} is not a line of a format"));
        };
        let ours = self.of(format).from_text(text).and_then(|id| self.line(format, id));
        match ours {
            Ok(ours) if ours == line => Ok(()),
            Ok(ours) => Err(format!("theirs {line:?}, ours {ours:?}")),
            Err(error) => Err(format!("theirs {line:?}, ours {error}")),
        }
    }
}
