//! Compares UUIDs, TypeIDs, ULIDs, ObjectIds and their parts between saiban and published packages.
//!
//! [`print`] writes random IDs and their parts as saiban reads them; tests/parity compares these
//! with the packages. [`read`] compares the IDs that packages made, and the parts that they show,
//! with saiban.
//!
//! Both formats are lines with fields separated by tabs:
//!
//! ```text
//! ulid      text  number  as a UUID  timestamp_ms  random
//! uuid-v1   text  simple  braced  urn  bytes of a GUID  timestamp_ms  sequence  node
//! uuid-v4   text  simple  braced  urn  bytes of a GUID  random
//! uuid-v7   text  simple  braced  urn  bytes of a GUID  timestamp_ms  random
//! objectid  text  timestamp_ms  node  sequence
//! typeid    text  as a UUID  timestamp_ms  random
//! ```

use crate::rng::Rng;
use saiban::encoding::{uuid_from_bytes, uuid_from_guid_bytes, uuid_to_bytes, uuid_to_guid_bytes};
use saiban::{
    AnyGenerator, ComposeParts, Error, Generator, GeneratorSpec, Leniency, Options, Parts, PooledEntropy, Prefix,
    Scheme, SystemClock, UuidForm,
};
use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

const FORMATS: [&str; 6] = ["ulid", "uuid-v1", "uuid-v4", "uuid-v7", "objectid", "typeid"];

/// The time of the first tick of version 1, and its last whole millisecond.
const V1_FIRST_MS: i64 = -12_219_292_800_000;
const V1_LAST_MS: i64 = V1_FIRST_MS + ((1 << 60) - 1) / 10_000;

/// Prints `count` lines of random parts for each format. Then it prints a tenth as many lines of
/// generated IDs, whose format begins with `made-`.
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

/// Reads lines that other packages wrote, each after the generator's name and a tab. Each generator
/// is one test, which passes if all of its `count` lines agree with saiban.
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
        // The lines of one generator are adjacent.
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

/// Returns the specification of a format's IDs. The IDs of TypeIDs are UUIDs v7.
fn spec(format: &str) -> Result<GeneratorSpec, Error> {
    match format {
        "typeid" => Ok(GeneratorSpec::new(Scheme::UuidV7).prefix(Prefix::new("sales_order")?)),
        scheme => Ok(GeneratorSpec::new(Scheme::from_name(scheme)?)),
    }
}

/// A generator for each format, in the order of `FORMATS`.
struct Family(Vec<Box<dyn Generator<Id = u128> + Send + Sync>>);

impl Family {
    fn new() -> Result<Self, Error> {
        let build = |format: &&str| match spec(format)?.build(&Options::default(), SystemClock, PooledEntropy)? {
            AnyGenerator::Wide(ids) => Ok(ids),
            AnyGenerator::Narrow(_) => panic!("IDs of {format} have more than 64 bits"),
        };
        FORMATS.iter().map(build).collect::<Result<_, _>>().map(Family)
    }

    fn of(&self, format: &str) -> &dyn Generator<Id = u128> {
        let place = FORMATS.iter().position(|known| *known == format);
        &*self.0[place.unwrap_or_else(|| panic!("a format {format}"))]
    }

    /// Composes an ID of random parts, often at their limits. The ID must read back as its parts.
    fn composed(&self, format: &str, rng: &mut Rng) -> Result<u128, Error> {
        let mut random =
            |bits: u32| u128::from(rng.edgy((1 << (bits - 64)) - 1)) << 64 | u128::from(rng.edgy(u64::MAX));
        let (random_80, random_122, random_74) = (random(80), random(122), random(74));
        let time_48 = rng.edgy((1 << 48) - 1) as i64;
        let parts = match format {
            "ulid" => ComposeParts::at_ms(time_48).random(random_80),
            "uuid-v1" => {
                let time = V1_FIRST_MS + rng.edgy((V1_LAST_MS - V1_FIRST_MS) as u64) as i64;
                let (sequence, node) = (rng.edgy((1 << 14) - 1), rng.edgy((1 << 48) - 1));
                ComposeParts::at_ms(time).submillisecond_ns(0).sequence(sequence).node(node as i64)
            }
            "uuid-v4" => ComposeParts::default().random(random_122),
            "uuid-v7" | "typeid" => ComposeParts::at_ms(time_48).random(random_74),
            _ => {
                let time = rng.edgy(u32::MAX.into()) as i64 * 1_000;
                let (node, sequence) = (rng.edgy((1 << 40) - 1), rng.edgy((1 << 24) - 1));
                ComposeParts::at_ms(time).node(node as i64).sequence(sequence)
            }
        };
        let id = self.of(format).compose(&parts)?;
        assert_eq!(ComposeParts::from(self.of(format).inspect(id)?), parts, "{format} {id}");
        Ok(id)
    }

    /// Returns the line of an ID. Each of its texts and bytes must read back as the ID, or
    /// comparing the line would be pointless.
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
            "typeid" => field(&UuidForm::Hyphenated.encode(id)),
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

    /// Reads the text of a line, and compares the line with the one that saiban writes for this ID.
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
