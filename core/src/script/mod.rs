//! Generators that run inside Redis and PostgreSQL.
//!
//! The methods of [`Layout`] return a Lua script or SQL that makes IDs of this layout. The
//! templates are `snowflake.lua` and `snowflake.sql`.

use crate::error::Error;
use crate::layout::Layout;
use alloc::string::{String, ToString};

const LUA: &str = include_str!("snowflake.lua");
const SQL: &str = include_str!("snowflake.sql");

/// The width of the widest field, in bits. Numbers of Lua are exact up to 2^53, and the script adds
/// to a field's value.
const MAX_BITS: u32 = 52;

/// The length of the longest name of a function, in characters. PostgreSQL cuts off names after 63,
/// and the name of the sequence is longer than that of the function.
const LONGEST_NAME: usize = 48;

/// The longest time that the function in PostgreSQL waits for the clock, in seconds.
const MAX_WAIT_S: u32 = 2;

/// The first key of the advisory lock of functions in PostgreSQL: `said` in ASCII. The second key
/// is a hash of the sequence's name.
const LOCK: u32 = 0x7361_6964;

impl Layout {
    /// Returns a Lua script for Redis that makes IDs of this layout.
    ///
    /// Run the script with any client: with `EVAL`, or with `SCRIPT LOAD` and `EVALSHA`.
    ///
    /// - `KEYS[1]` is a hash, whose field `node` contains the node. Use one key for each layout.
    /// - `ARGV[1]` is the number of IDs, at most 4096, because other clients wait while a script
    ///   runs.
    /// - The result is a list of decimal texts, because numbers in Redis scripts cannot hold 64
    ///   bits. The list may be shorter than requested.
    /// - If no ID is available, the result is the error `SAIBAN_WAIT` and the microseconds after
    ///   which to retry. The first call for a key returns it too, until the next tick.
    ///
    /// IDs can repeat if the server has lost data and its clock is behind as well. A server loses
    /// data if it does not write to disk, or in a failover.
    ///
    /// ```
    /// use saiban::Layout;
    /// let script = Layout::TWITTER.redis_script()?;
    /// assert!(script.contains("of the layout unused:1 timestamp:41"));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if the layout does not consist of time, node and sequence, or has more
    /// than 64 bits. Fields of more than 52 bits, rollback bits and random starts are errors too.
    /// [`Layout::MASTODON`], for example, has no node.
    pub fn redis_script(&self) -> Result<String, Error> {
        let mut script = self.lua()?;
        script.push_str("\nreturn generate(KEYS, ARGV)\n");
        Ok(script)
    }

    /// Returns the script as a library for `FUNCTION LOAD` (Redis 7), with one function of this
    /// name.
    ///
    /// Call the function with `FCALL name 1 key count`. See [`Layout::redis_script`] for its
    /// arguments and result.
    ///
    /// ```
    /// use saiban::Layout;
    /// let library = Layout::TWITTER.redis_library("saiban_snowflake")?;
    /// assert!(library.starts_with("#!lua name=saiban_snowflake\n"));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Layout::redis_script`]. `InvalidArgument` also if the name does not consist of 1 to 48
    /// lower-case letters, digits and `_`, or begins with a digit.
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

    /// Returns SQL that creates a function in PostgreSQL (12 and later), which makes IDs of this
    /// layout and node.
    ///
    /// Use the function as the default of a column: `DEFAULT name()`.
    ///
    /// - The SQL creates the function and a sequence in the first schema of the `search_path`. The
    ///   function uses this sequence, whatever the `search_path` of its caller is.
    /// - The function runs with the rights of the role that created it (`SECURITY DEFINER`).
    /// - The function waits up to 2 seconds if the clock is behind, or if the IDs of the tick are
    ///   used up. Then it fails. A new function treats its first tick as used up.
    /// - You may run the SQL again, also with another node. Another layout needs another name.
    ///
    /// IDs can repeat if the server has lost data and its clock is behind as well. A server loses
    /// data in an asynchronous failover, or when it is restored from a backup.
    ///
    /// ```
    /// use saiban::Layout;
    /// let sql = Layout::TWITTER.postgres_function("saiban_snowflake", 5)?;
    /// assert!(sql.contains("CREATE OR REPLACE FUNCTION saiban_snowflake() RETURNS bigint"));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// - As [`Layout::redis_library`].
    /// - `InvalidArgument` if time and sequence have more than 62 bits together.
    /// - `NodeOutOfRange` if the node does not fit the layout.
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

    /// Checks that a script can make IDs of this layout.
    ///
    /// # Errors
    /// `InvalidArgument`, as [`Layout::redis_script`].
    fn check_plain(&self) -> Result<(), Error> {
        let slots = self.slots();
        let is_plain =
            slots.iter().all(|slot| slot.bits <= MAX_BITS) && !self.has_rollback() && !self.has_random_start();
        if !is_plain || !self.has_node() || !self.has_sequence() || self.has_random() || self.size_bits() > 64 {
            return Err(Error::InvalidArgument {
                what: "a script needs a layout of at most 64 bits that is made of time, node and sequence, of at most 52 bits each, without random \
                       parts, a random start or rollback bits: give another one",
            });
        }
        Ok(())
    }

    /// Returns the text after `No ID comes twice` in a template: whether IDs increase.
    ///
    /// If bit 63, the sign, belongs to the time, IDs of the later half of the time are negative.
    fn order(&self) -> &'static str {
        let [timestamp, ..] = self.slots();
        if self.is_time_ordered() && timestamp.shift + timestamp.bits < 64 {
            ", and none is smaller than one that was made before"
        } else {
            ""
        }
    }

    /// Returns a template with its placeholders (`@NAME@`) replaced by values of the layout and by
    /// `more`.
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

/// Checks that a name needs no quotes in SQL or Lua, even with saiban's suffixes.
///
/// # Errors
/// `InvalidArgument`.
fn check_name(name: &str) -> Result<(), Error> {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if is_plain && (1..=LONGEST_NAME).contains(&name.len()) && !name.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(());
    }
    Err(Error::InvalidArgument {
        what: "the function's name is not made of 1 to 48 small letters, digits and _, the first no digit: give saiban_snowflake, say",
    })
}
