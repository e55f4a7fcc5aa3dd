//! IDs for the other languages, and theirs read here: lines of language, scheme, ID and text, between tabs.

use saiban::{Generator, Options, OsEntropy, Randflake, Secret, Snowflake, SystemClock, UlidFlake, UlidFlakeFormat};
use std::error::Error;

/// Rust's part of the fleet: nobody else may have this node.
const NODE: i64 = 6;

/// One generator of each scheme, by name.
pub struct Ids([(&'static str, Box<dyn Generator>); 4]);

impl Ids {
    /// The generators. The secret is 32 hexadecimal digits in the environment variable SAIBAN_SECRET.
    pub fn open() -> Result<Self, Box<dyn Error>> {
        let digits =
            std::env::var("SAIBAN_SECRET").map_err(|_| "SAIBAN_SECRET is not set: give 32 hexadecimal digits")?;
        let secret = Secret::from_hex(&digits)?;
        let scalable = UlidFlakeFormat { scalability: Some(NODE), ..UlidFlakeFormat::default() };
        let scalable: UlidFlake = UlidFlake::build(scalable, &Options::default(), SystemClock, OsEntropy)?;
        Ok(Ids([
            ("snowflake", Box::new(Snowflake::new(NODE)?)),
            ("randflake", Box::new(Randflake::new(&secret, NODE)?)),
            ("ulid-flake", Box::new(UlidFlake::new()?)),
            ("ulid-flake-scalable", Box::new(scalable)),
        ]))
    }

    /// Prints one ID of each scheme.
    pub fn emit(&self) -> Result<(), Box<dyn Error>> {
        for (scheme, ids) in &self.0 {
            let id = ids.generate()?;
            println!("rust\t{scheme}\t{id}\t{}", ids.to_text(id)?);
        }
        Ok(())
    }

    /// Reads everybody's IDs from their text, and prints what they are made of.
    pub fn read(&self, lines: &str) -> Result<(), Box<dyn Error>> {
        for line in lines.lines() {
            let [language, scheme, id, text] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("{line:?}: not language, scheme, ID and text").into());
            };
            let known = self.0.iter().find(|(name, _)| *name == scheme);
            let (_, ids) = known.ok_or_else(|| format!("{scheme}: no such scheme"))?;
            let value = ids.from_text(text)?;
            if id.parse() != Ok(value) {
                return Err(format!("{text}: stands for {value}, not {id}").into());
            }
            let parts = ids.inspect(value)?;
            let timestamp_ms = parts.timestamp_ms.ok_or("these schemes all tell the time")?;
            let part = |part: Option<u128>| part.map_or("-".to_owned(), |part| part.to_string());
            let (node, sequence) = (part(parts.node.map(u128::from)), part(parts.sequence.map(u128::from)));
            let random = part(parts.random);
            println!("rust\t{language}\t{scheme}\t{id}\t{timestamp_ms}\t{node}\t{sequence}\t{random}");
        }
        Ok(())
    }
}
