//! Generators that run where the data are: in Redis, and in PostgreSQL. Each is a text, made for one layout, whose IDs are those of that layout.

use crate::error::Error;
use crate::layout::Layout;
use alloc::string::{String, ToString};

const LUA: &str = include_str!("snowflake.lua");
const SQL: &str = include_str!("snowflake.sql");

/// The widest field that a number of Lua holds exactly, with room to count on.
const MOST_BITS: u32 = 52;

/// The longest name of a function, characters: PostgreSQL cuts off what is beyond 63, and the sequence's name is longer.
const LONGEST_NAME: usize = 48;

/// How long PostgreSQL's function waits for the clock.
const MAX_WAIT_S: u32 = 2;

/// The lock of PostgreSQL's functions: the text `said` in ASCII, beside a hash of the sequence's name.
const LOCK: u32 = 0x7361_6964;

impl Layout {
    /// A script for Redis that makes IDs of this layout: for `EVAL`, or `SCRIPT LOAD` and `EVALSHA`, with any client. `KEYS[1]` is a hash whose field
    /// `node` says which node the IDs have, `ARGV[1]` how many are wanted: 4096 at most, as others wait meanwhile. It answers a list of texts, as
    /// numbers of Redis's scripts hold no 64 bits; or the error `SAIBAN_WAIT` and the microseconds after which to ask again, at first too: until the
    /// next tick. A key is of one layout. A server that has forgotten (it wrote nothing to the disk, or a failover lost something) and whose clock is
    /// behind as well makes IDs again.
    ///
    /// ```
    /// use saiban::Layout;
    /// let script = Layout::TWITTER.redis_script()?;
    /// assert!(script.contains("of the layout unused:1 timestamp:41"));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for a layout that is not made of time, node and sequence, of at most 64 bits, as [`Layout::MASTODON`], which has no node.
    pub fn redis_script(&self) -> Result<String, Error> {
        let mut script = self.lua()?;
        script.push_str("\nreturn generate(KEYS, ARGV)\n");
        Ok(script)
    }

    /// The same as a library of functions, for `FUNCTION LOAD` (Redis 7), of one function of this name: `FCALL name 1 key count`.
    ///
    /// ```
    /// use saiban::Layout;
    /// let library = Layout::TWITTER.redis_library("saiban_snowflake")?;
    /// assert!(library.starts_with("#!lua name=saiban_snowflake\n"));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Layout::redis_script`], and for a name that is not made of 1 to 48 small letters, digits and `_`.
    pub fn redis_library(&self, name: &str) -> Result<String, Error> {
        check_name(name)?;
        let mut library = String::from("#!lua name=");
        library.push_str(name);
        library.push('\n');
        library.push_str(&self.lua()?);
        library.push_str("\nredis.register_function(\"");
        library.push_str(name);
        library.push_str("\", generate)\n");
        Ok(library)
    }

    /// SQL that makes a function of this name in PostgreSQL (12 and later), which makes IDs of this layout and node: for `DEFAULT name()` of a column.
    /// Function and sequence are made in the first schema of the `search_path`, and the function is of that wherever it is called, with the rights of
    /// who made it. It waits where the clock is behind or a tick is used up, as the first is from the beginning: 2 seconds at most, and fails where
    /// that is not enough. The SQL may be run again, for another node too; another layout needs another name. A server that has forgotten (an
    /// asynchronous failover, a backup that was put back) and whose clock is behind as well makes IDs again.
    ///
    /// ```
    /// use saiban::Layout;
    /// let sql = Layout::TWITTER.postgres_function("saiban_snowflake", 5)?;
    /// assert!(sql.contains("CREATE OR REPLACE FUNCTION saiban_snowflake() RETURNS bigint"));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Layout::redis_library`]; `NodeOutOfRange`.
    pub fn postgres_function(&self, name: &str, node: i64) -> Result<String, Error> {
        check_name(name)?;
        self.check_plain()?;
        if self.position_bits() > 62 {
            return Err(Error::InvalidArgument {
                what: "a function of PostgreSQL counts time and sequence in one number: give a layout whose two have at most 62 bits together",
            });
        }
        let fixed = self.compose_ms(self.epoch_ms(), node, 0)?;
        let known = [("NAME", name.to_string()), ("NODE", node.to_string()), ("FIXED", fixed.to_string())];
        Ok(self.write(SQL, &known))
    }

    fn lua(&self) -> Result<String, Error> {
        self.check_plain()?;
        let fixed = self.compose_ms(self.epoch_ms(), 0, 0)? as u64;
        let halves = [("FIXED_HIGH", (fixed >> 32).to_string()), ("FIXED_LOW", (fixed & 0xffff_ffff).to_string())];
        Ok(self.write(LUA, &halves))
    }

    /// Whether it is made of what a script can count.
    fn check_plain(&self) -> Result<(), Error> {
        let slots = self.slots();
        let is_plain =
            slots.iter().all(|slot| slot.bits <= MOST_BITS) && !self.has_rollback() && !self.has_random_start();
        if !is_plain || !self.has_node() || !self.has_sequence() || self.has_random() || self.size_bits() > 64 {
            return Err(Error::InvalidArgument {
                what: "a script needs a layout of at most 64 bits that is made of time, node and sequence, of at most 52 bits each, without random \
                       parts, a random start or rollback bits: give another one",
            });
        }
        Ok(())
    }

    /// What follows `No ID comes twice`. Of 64 bits the highest is the sign: where it is the time's, the later half is negative.
    fn order(&self) -> &'static str {
        let [timestamp, ..] = self.slots();
        if self.is_time_ordered() && timestamp.shift + timestamp.bits < 64 {
            ", and none is smaller than one that was made before"
        } else {
            ""
        }
    }

    /// A template with what it needs of the layout in it.
    fn write(&self, template: &str, more: &[(&str, String)]) -> String {
        let [timestamp, node, sequence] = self.slots();
        let numbers: [(&str, i128); 11] = [
            ("TICK_US", self.tick_us().into()),
            ("EPOCH_US", i128::from(self.epoch_ms()) * 1_000),
            ("LAST_TICK", timestamp.max().into()),
            ("MAX_NODE", node.max().into()),
            ("MAX_SEQUENCE", sequence.max().into()),
            ("SEQUENCE_BITS", sequence.bits.into()),
            ("TIMESTAMP_SHIFT", timestamp.shift.into()),
            ("NODE_SHIFT", node.shift.into()),
            ("SEQUENCE_SHIFT", sequence.shift.into()),
            ("MAX_WAIT_S", MAX_WAIT_S.into()),
            ("LOCK", LOCK.into()),
        ];
        let mut text = String::new();
        for (index, piece) in template.split('@').enumerate() {
            let number = numbers.iter().find(|(name, _)| *name == piece).map(|(_, number)| number.to_string());
            let given = || more.iter().find(|(name, _)| *name == piece).map(|(_, value)| value.clone());
            match index % 2 {
                0 => text.push_str(piece),
                _ if piece == "LAYOUT" => text.push_str(&self.to_string()),
                _ if piece == "ORDER" => text.push_str(self.order()),
                _ => text.push_str(&number.or_else(given).unwrap_or_default()),
            }
        }
        text
    }
}

/// A name that needs no quotes in SQL or Lua, with what is added to it.
fn check_name(name: &str) -> Result<(), Error> {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if is_plain && (1..=LONGEST_NAME).contains(&name.len()) && !name.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(());
    }
    Err(Error::InvalidArgument {
        what: "the function's name is not made of 1 to 48 small letters, digits and _, the first no digit: give saiban_snowflake, say",
    })
}
