//! Makes IDs for the other languages, and reads theirs: lines of language, scheme, the ID as a
//! decimal number, and its text, separated by tabs.

use saiban::{
    FlakeGenerator, Generator, IdValue, Layout, ObjectIdGenerator, Options, RandflakeGenerator, Secret,
    SnowflakeGenerator, UlidFlakeGenerator, UlidGenerator, UuidGenerator,
};
use std::error::Error;

/// The node of Rust's example, which no other program may use.
const NODE: u64 = 6;

/// One generator of each scheme, by name: of `i64` IDs, and of wider ones.
pub struct Ids {
    narrow: [(&'static str, Box<dyn Generator<Id = i64>>); 5],
    wide: [(&'static str, Box<dyn Generator<Id = u128>>); 3],
}

impl Ids {
    /// Builds the generators. All languages share the environment: SAIBAN_SECRET is Randflake's
    /// secret, 32 hexadecimal digits, and SAIBAN_LAYOUT is the layout of "flake".
    pub fn open() -> Result<Self, Box<dyn Error>> {
        let secret = Secret::from_hex(&setting("SAIBAN_SECRET")?)?;
        let layout = Layout::from_text(&setting("SAIBAN_LAYOUT")?)?;
        let scalable = UlidFlakeGenerator::scalable(NODE)?;
        Ok(Ids {
            narrow: [
                ("snowflake", Box::new(SnowflakeGenerator::new(NODE)?)),
                ("randflake", Box::new(RandflakeGenerator::new(&secret, NODE)?)),
                ("ulid-flake", Box::new(UlidFlakeGenerator::new()?)),
                ("ulid-flake-scalable", Box::new(scalable)),
                ("flake", Box::new(FlakeGenerator::new(layout, &Options::node(NODE))?)),
            ],
            wide: [
                ("uuid-v7", Box::new(UuidGenerator::v7()?)),
                ("ulid", Box::new(UlidGenerator::new()?)),
                ("objectid", Box::new(ObjectIdGenerator::new()?)),
            ],
        })
    }

    /// Prints one ID of each scheme.
    pub fn emit(&self) -> Result<(), Box<dyn Error>> {
        for (scheme, ids) in &self.narrow {
            emit(scheme, ids.as_ref())?;
        }
        for (scheme, ids) in &self.wide {
            emit(scheme, ids.as_ref())?;
        }
        Ok(())
    }

    /// Reads all languages' IDs from text, and prints their parts.
    pub fn read(&self, lines: &str) -> Result<(), Box<dyn Error>> {
        for line in lines.lines() {
            let [language, scheme, number, text] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("{line:?}: not language, scheme, number and text").into());
            };
            let parts = if let Some((_, ids)) = self.narrow.iter().find(|(name, _)| *name == scheme) {
                read(ids.as_ref(), number, text)?
            } else if let Some((_, ids)) = self.wide.iter().find(|(name, _)| *name == scheme) {
                read(ids.as_ref(), number, text)?
            } else {
                return Err(format!("{scheme}: no such scheme").into());
            };
            println!("rust\t{language}\t{scheme}\t{number}\t{parts}");
        }
        Ok(())
    }
}

fn setting(name: &str) -> Result<String, Box<dyn Error>> {
    std::env::var(name).map_err(|_| format!("{name} is not set").into())
}

fn emit<I: IdValue>(scheme: &str, ids: &dyn Generator<Id = I>) -> Result<(), Box<dyn Error>> {
    let id = ids.generate()?;
    println!("rust\t{scheme}\t{id}\t{}", ids.to_text(id)?);
    Ok(())
}

/// Returns the parts of the ID with this text, which must equal this number.
fn read<I: IdValue>(ids: &dyn Generator<Id = I>, number: &str, text: &str) -> Result<String, Box<dyn Error>> {
    let id = ids.from_text(text)?;
    if id.to_string() != number {
        return Err(format!("{text}: stands for {id}, not {number}").into());
    }
    let parts = ids.inspect(id)?;
    let timestamp_ms = parts.timestamp_ms.ok_or("these schemes all tell the time")?;
    let part = |part: Option<u128>| part.map_or("-".to_owned(), |part| part.to_string());
    let (node, sequence) = (part(parts.node.map(u128::from)), part(parts.sequence.map(u128::from)));
    Ok(format!("{timestamp_ms}\t{node}\t{sequence}\t{}", part(parts.random)))
}
