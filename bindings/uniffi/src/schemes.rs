//! The schemes: for each the name of its class, the arguments of its constructor, the parts of its
//! IDs, and docs. The rest is common to all: `class.rs` makes the class, `options.rs` opens
//! generators, and `issuing.rs` has their methods.

use crate::class::class;
use crate::crossing::Crossing;
use crate::error::{SaibanError, guard};
use crate::generator::{Bytes, bytes_source, in_bytes};
use crate::issuing;
use crate::layout::Layout;
use crate::number::{Natural, UuidValue};
use saiban::Scheme;
use std::sync::Arc;

class! {
    /// Makes Snowflake IDs: time, node, sequence. They sort by time, and anyone can read the time
    /// from an ID. Canonical text is decimal.
    ///
    /// ```kotlin
    /// val ids = SnowflakeGenerator(node = 7)       // node 7, which no other machine has
    /// val id = ids.generate()                      // Long
    /// ids.inspect(id).node                         // 7
    /// ```
    /// ```swift
    /// let ids = try SnowflakeGenerator(node: 7)    // node 7, which no other machine has
    /// let id = try ids.generate()                  // Int64
    /// try ids.inspect(id).node                     // 7
    /// ```
    SnowflakeGenerator of Scheme::Snowflake, i64;

    /// A generator for one node or a range of `nodes`, which no other machine has, of this layout
    /// (Twitter's by default: nodes 0 to 1023). The window is Unix milliseconds. Waits at most
    /// `max_wait_ms`: 2 ticks by default.
    ///
    /// - `lease`: the lease of the nodes, in place of `node`, `nodes`, `window`, `not_before` and
    ///   `state`; `NamespaceMismatch` if it is for other IDs, `LeaseLost` if it has ended.
    /// - `store`: the URL of a store, as for `Lease.acquire`: the generator acquires a lease of one
    ///   node from it, in place of `lease`, for its own scheme, layout and secret, and waits for
    ///   the store, at most 10 s. The lease is released with the generator; `lease()` returns
    ///   it.
    /// - `namespace`: the namespace of that lease; by default `default`. Generators whose IDs go
    ///   into one column must use the same namespace.
    /// - `not_before`: the time of the last known ID of these nodes, Unix milliseconds;
    ///   IDs begin with the tick after it. Without it, on the system's clock and with scope
    ///   `Process`, they begin with the tick after the one in which the generator was made, so that
    ///   a restart within a tick repeats nothing.
    /// - `state`: the path of a file that remembers which ticks were used: no ID is repeated even
    ///   if the clock is set back while the program is down. It is locked as long as a generator
    ///   uses it.
    /// - `rollback`: what happens when the clock steps back; by default `Bits` for a layout with a
    ///   rollback field (see `Layout.with_rollback_bits`), else `Hold`.
    /// - `shards`: how many parts a range of nodes is divided into, 1 by default. Threads are given
    ///   one in turn and do not contend; their IDs are ordered among each other by tick only.
    /// - `scope`: which generators of the same node share a cursor, so that none repeats another's
    ///   ID; by default `Machine` where it is available, else `Process` (see `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `NodeRequired`, `NodeOutOfRange` (also for shards), `NodeInUse`; `InvalidLayout` for
    /// a layout without node or sequence, or the policy `Bits` without bits; `InvalidWindow`;
    /// `StateInUse`, `StateMismatch`, `StateUnavailable`; `InvalidArgument` for a negative wait or
    /// a jump below a second; `ClockBackward` where the clock is more than `max_jump_s` behind the
    /// last ID of this machine; with a `store` also as `Lease.acquire`.
    new(
        node=None, nodes=None, layout=None, window=None, not_before=None, state=None, rollback=None,
        shards=None, clock=None, max_jump_s=None, max_wait_ms=None, lease=None, scope=None,
        store=None, namespace=None
    )

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, and 0 to 999,999 nanoseconds after that, rounded down to the tick; the
    /// node need not be the generator's own. Only a layout with a rollback field has another
    /// `rollback` than 0: the number of times that the clock had stepped back.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`,
    /// `RollbackOutOfRange`; `InvalidArgument` for nanoseconds that do not fit a millisecond.
    compose(timestamp_ms: i64, node: i64, sequence: i64, rollback: i64 = 0, submillisecond_ns: i64 = 0)
}

class! {
    /// Makes Randflake IDs: time, node and sequence, encrypted under a secret. Without the secret
    /// an ID reveals nothing. Half of all IDs are negative. Canonical text is base32hex. An ID is
    /// neither a token nor access control: always authorise.
    ///
    /// ```kotlin
    /// val ids = RandflakeGenerator(secret = secret, node = 42) // 16 bytes, the same on every machine
    /// val text = ids.generateText()                            // 3vgoe12ccb8gh
    /// ids.inspect(text).time                                   // only with the secret
    /// ```
    /// ```swift
    /// let ids = try RandflakeGenerator(secret: secret, node: 42) // 16 bytes, the same on every machine
    /// let text = try ids.generateText()                          // 3vgoe12ccb8gh
    /// try ids.inspect(text).time                                 // only with the secret
    /// ```
    RandflakeGenerator of Scheme::Randflake, i64;

    /// A generator under this secret (16 bytes) for one node, 0 to 131071, or a range of `nodes`,
    /// which no other machine has. The window is Unix **seconds**. Waits at most `max_wait_ms`: 2 s
    /// by default. saiban wipes its copies of the secret, but not the buffer in which UniFFI passes
    /// it.
    ///
    /// - `lease`: the lease of the nodes, in place of `node`, `nodes`, `window`, `not_before` and
    ///   `state`; `NamespaceMismatch` if it is for other IDs, `LeaseLost` if it has ended.
    /// - `store`: the URL of a store, as for `Lease.acquire`: the generator acquires a lease of one
    ///   node from it, in place of `lease`, for its own scheme, layout and secret, and waits for
    ///   the store, at most 10 s. The lease is released with the generator; `lease()` returns
    ///   it.
    /// - `namespace`: the namespace of that lease; by default `default`. Generators whose IDs go
    ///   into one column must use the same namespace.
    /// - `not_before`: the time of the last known ID of these nodes, Unix **seconds**;
    ///   IDs begin with the second after it. Without it, on the system's clock and with scope
    ///   `Process`, they begin with the second after the one in which the generator was made, so
    ///   that a restart within a second repeats nothing: the first ID may wait that long.
    /// - `state`: the path of a file that remembers which seconds were used: no ID is repeated even
    ///   if the clock is set back while the program is down. It is locked as long as a generator
    ///   uses it.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `shards`: how many parts a range of nodes is divided into, 1 by default. Threads are given
    ///   one in turn and do not contend.
    /// - `scope`: which generators of the same node share a cursor, so that none repeats another's
    ///   ID; by default `Machine` where it is available, else `Process` (see `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `InvalidSecret`; `NodeRequired`, `NodeOutOfRange` (also for shards), `NodeInUse`;
    /// `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `StateInUse`, `StateMismatch`,
    /// `StateUnavailable`; `InvalidArgument` for a negative wait or a jump below a second;
    /// `ClockBackward` where the clock is more than `max_jump_s` behind the last ID of this
    /// machine; with a `store` also as `Lease.acquire`.
    new(
        secret, node=None, nodes=None, window=None, not_before=None, state=None, rollback=None,
        shards=None, clock=None, max_jump_s=None, max_wait_ms=None, lease=None, scope=None,
        store=None, namespace=None
    )

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, rounded down to the second; the node need not be the generator's own.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    compose(timestamp_ms: i64, node: i64, sequence: i64)
}

class! {
    /// Makes Ulid-Flake IDs: time, and a random part that grows within a millisecond. Stand-alone
    /// IDs are unique within their scope. Scalable IDs are also unique between up to 32 generators,
    /// each with its own scalability id. Canonical text is 13 characters of Crockford's base32; any
    /// case is read, as the specification says.
    ///
    /// ```kotlin
    /// val ids = UlidFlakeGenerator(scalability = 3) // or UlidFlakeGenerator(), stand-alone
    /// ids.generateText()                            // 00CMXB6TAK4SA
    /// ```
    /// ```swift
    /// let ids = try UlidFlakeGenerator(scalability: 3) // or UlidFlakeGenerator(), stand-alone
    /// try ids.generateText()                           // 00CMXB6TAK4SA
    /// ```
    UlidFlakeGenerator of Scheme::UlidFlake, i64;

    /// A generator: stand-alone, or scalable with this scalability id, 0 to 31. Within a
    /// millisecond IDs grow by a random number of `entropy_size` bytes: 1 to 3, scalable 1 to 2.
    /// The epoch is Unix milliseconds (2024-01-01 by default), and so is the window. Waits at most
    /// `max_wait_ms`: 2 by default. `allow_collisions` lets a forked process continue with its
    /// parent's generator or id: random bits do not keep two processes apart, and a few of their
    /// IDs will be equal.
    ///
    /// - `lease`: the lease of the scalability id, in place of `scalability`, `window`,
    ///   `not_before` and `state`, and without `allow_collisions`; `NamespaceMismatch` if it is for
    ///   other IDs, `LeaseLost` if it has ended.
    /// - `store`: the URL of a store, as for `Lease.acquire`: the generator acquires a lease of one
    ///   scalability id from it, in place of `lease`, and waits for the store, at most 10 s. The
    ///   lease is released with the generator; `lease()` returns it.
    /// - `namespace`: the namespace of that lease; by default `default`. Generators whose IDs go
    ///   into one column must use the same namespace.
    /// - `not_before`: the time of the last known ID with this id, Unix milliseconds; IDs
    ///   begin with the millisecond after it. Without it, on the system's clock and with scope
    ///   `Process`, they begin with the millisecond after the one in which the generator was made,
    ///   so that a restart within it repeats nothing.
    /// - `state`: the path of a file that remembers which milliseconds were used: no ID is repeated
    ///   even if the clock is set back while the program is down. It is locked as long as a
    ///   generator uses it.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `scope`: which generators of the same scalability id share a cursor, so that none repeats
    ///   another's ID; by default `Machine` where it is available, else `Process` (see
    ///   `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `NodeOutOfRange` for the scalability id, `NodeInUse`; `InvalidEntropySize`;
    /// `InvalidLayout` for an epoch too far away or the policy `Bits`; `InvalidWindow`;
    /// `StateInUse`, `StateMismatch`, `StateUnavailable`; `InvalidArgument` for a negative wait or
    /// a jump below a second; `ClockBackward` where the clock is more than `max_jump_s` behind the
    /// last ID of this machine; with a `store` also as `Lease.acquire`.
    new(
        scalability=None, entropy_size=None, epoch_ms=None, window=None, not_before=None,
        state=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None,
        allow_collisions=false, lease=None, scope=None, store=None, namespace=None
    )

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds. Only scalable IDs have a scalability id, by default the generator's
    /// own.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange`, `NodeOutOfRange`.
    compose(timestamp_ms: i64, random: i64, scalability: Option<i64> = None)
}

class! {
    /// Makes IDs of a layout of your own, of up to 64 bits: the fields that you choose, in the
    /// order that you choose. Canonical text is decimal. `Layout` has the lifetime, the capacity
    /// and the collision odds.
    ///
    /// ```kotlin
    /// val layout = Layout.fromText("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")
    /// val ids = FlakeGenerator(layout, node = 7)   // node 7, which no other machine has
    /// val id = ids.generate()                      // Long
    /// ids.inspect(id).node                         // 7
    /// ```
    /// ```swift
    /// let layout = try Layout.fromText("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")
    /// let ids = try FlakeGenerator(layout: layout, node: 7) // node 7, which no other machine has
    /// let id = try ids.generate()                           // Int64
    /// try ids.inspect(id).node                              // 7
    /// ```
    FlakeGenerator of Scheme::Flake, i64;

    /// A generator of this layout, of up to 64 bits: for one node or a range of `nodes`, which no
    /// other machine has, if the layout has a node. Without a node, all generators of the scope
    /// share a cursor. The window is Unix milliseconds. Waits at most `max_wait_ms`: 2 ticks by
    /// default.
    ///
    /// - `lease`: the lease of the nodes, in place of `node`, `nodes`, `window`, `not_before` and
    ///   `state`; `NamespaceMismatch` if it is for other IDs, `LeaseLost` if it has ended.
    /// - `store`: the URL of a store, as for `Lease.acquire`: the generator acquires a lease of one
    ///   node from it, in place of `lease`, for its own scheme, layout and secret, and waits for
    ///   the store, at most 10 s. The lease is released with the generator; `lease()` returns
    ///   it.
    /// - `namespace`: the namespace of that lease; by default `default`. Generators whose IDs go
    ///   into one column must use the same namespace.
    /// - `not_before`: the time of the last known ID of these nodes, Unix milliseconds;
    ///   IDs begin with the tick after it. Without it, on the system's clock and with scope
    ///   `Process`, they begin with the tick after the one in which the generator was made, so that
    ///   a restart within a tick repeats nothing.
    /// - `state`: the path of a file that remembers which ticks were used: no ID is repeated even
    ///   if the clock is set back while the program is down. It is locked as long as a generator
    ///   uses it.
    /// - `rollback`: what happens when the clock steps back; by default `Bits` for a layout with a
    ///   rollback field, else `Hold`.
    /// - `shards`: how many parts a range of nodes is divided into, 1 by default. Threads are given
    ///   one in turn and do not contend; their IDs are ordered among each other by tick only.
    /// - `scope`: which generators of the same node share a cursor, so that none repeats another's
    ///   ID; by default `Machine` where it is available, else `Process` (see `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `InvalidLayout` for one of more than 64 bits, which `WideFlake` takes, or the policy
    /// `Bits` without bits; `NodeRequired`, `NodeOutOfRange` (also for shards), `NodeInUse`;
    /// `InvalidWindow`; `StateInUse`, `StateMismatch`, `StateUnavailable`; `InvalidArgument` for a
    /// node if the layout has none, a negative wait or a jump below a second; `ClockBackward` where
    /// the clock is more than `max_jump_s` behind the last ID of this machine; with a `store` also
    /// as `Lease.acquire`.
    new(
        layout, node=None, nodes=None, window=None, not_before=None, state=None, rollback=None,
        shards=None, clock=None, max_jump_s=None, max_wait_ms=None, lease=None, scope=None,
        store=None, namespace=None
    )

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, and 0 to 999,999 nanoseconds after that, rounded down to the tick; the
    /// node need not be the generator's own. A part that the layout does not have is 0.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`,
    /// `RandomOutOfRange`, `RollbackOutOfRange`; `InvalidArgument` for a negative sequence or
    /// random part, and for nanoseconds that do not fit a millisecond.
    compose(
        timestamp_ms: i64, node: i64 = 0, sequence: i64 as Natural = 0, random: i64 as Natural = 0, rollback: i64 = 0,
        submillisecond_ns: i64 = 0
    )
    {
        /// The layout of its IDs.
        pub fn layout(&self) -> Arc<Layout> {
            issuing::layout(&self.0)
        }
    }
}

class! {
    /// Makes IDs of a layout of your own, of 65 to 128 bits: bytes, the highest first, as many as
    /// the layout's bits need. Canonical text is decimal.
    ///
    /// ```kotlin
    /// val ids = WideFlakeGenerator(Layout.fromText("timestamp:48 node:16 sequence:16 random:48"), node = 7)
    /// val id = ids.generate()                      // ByteArray of 16
    /// ```
    /// ```swift
    /// let ids = try WideFlakeGenerator(layout: .fromText("timestamp:48 node:16 sequence:16 random:48"), node: 7)
    /// let id = try ids.generate()                  // Data of 16 bytes
    /// ```
    WideFlakeGenerator of Scheme::Flake, Bytes;

    /// A generator of this layout, of more than 64 bits. For the rest see `Flake`.
    ///
    /// Errors: `InvalidLayout` for one of up to 64 bits, which `Flake` takes; else as of `Flake`.
    new(
        layout, node=None, nodes=None, window=None, not_before=None, state=None, rollback=None,
        shards=None, clock=None, max_jump_s=None, max_wait_ms=None, lease=None, scope=None,
        store=None, namespace=None
    )

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, and 0 to 999,999 nanoseconds after that, rounded down to the tick; the
    /// node need not be the generator's own. A part that the layout does not have is left out, or
    /// 0.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`,
    /// `RandomOutOfRange`, `RollbackOutOfRange`; `InvalidArgument` for a negative sequence or
    /// random part, and for nanoseconds that do not fit a millisecond.
    compose(
        timestamp_ms: i64, node: i64 = 0, sequence: Option<Natural> = None, random: Option<Natural> = None,
        rollback: i64 = 0, submillisecond_ns: i64 = 0
    )
    {
        /// The layout of its IDs.
        pub fn layout(&self) -> Arc<Layout> {
            issuing::layout(&self.0)
        }
    }
}

bytes_source!(WideFlakeGenerator);

class! {
    /// Makes ULIDs: milliseconds, and 80 random bits that grow by one within a millisecond. They
    /// sort by time, and anyone can read the time from an ID. Text is 26 characters of Crockford's
    /// base32, upper case; any case is read, as the specification says, and `from_text` returns
    /// upper case.
    ///
    /// ```kotlin
    /// val ids = UlidGenerator()
    /// val id = ids.generate()                      // 01H455VB4PEX5VSKNK084SN02Q
    /// ids.inspect(id).time                         // 2023-06-30T03:34:18.518Z
    /// ```
    /// ```swift
    /// let ids = try UlidGenerator()
    /// let id = try ids.generate()                  // 01H455VB4PEX5VSKNK084SN02Q
    /// try ids.inspect(id).time                     // 2023-06-30 03:34:18 +0000
    /// ```
    UlidGenerator of Scheme::Ulid, String;

    /// A generator. It needs no node: random bits keep generators apart. The window is Unix
    /// milliseconds. Waits at most `max_wait_ms`: 2 by default.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix milliseconds; IDs begin with
    ///   the millisecond after it. Without it, and on the system's clock, they begin with the
    ///   millisecond after the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `InvalidArgument` for a
    /// negative wait or a jump below a second.
    new(window=None, not_before=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None)

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, the random part has 80 bits.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange`; `InvalidArgument`
    /// for a negative random part.
    compose(timestamp_ms: i64, random: Natural)
    {
        /// Returns the 128 bits as a UUID, for a column of that type. The UUID has no version.
        ///
        /// Errors: as of `inspect`.
        pub fn to_uuid(&self, id: String) -> Result<UuidValue, SaibanError> {
            guard(|| id.into_core(&self.0).map(UuidValue))
        }

        /// The ULID of the same 128 bits.
        pub fn from_uuid(&self, uuid: UuidValue) -> Result<String, SaibanError> {
            guard(|| String::of(&self.0, uuid.0))
        }
    }
}

in_bytes!(UlidGenerator, String);

class! {
    /// Makes UUIDs of version 1, 4 or 7 of RFC 9562, in the language's own type. Version 7 is the
    /// one for keys: milliseconds, and 74 random bits that grow by a random step within a
    /// millisecond, so that a generator's IDs sort in the order in which they were made. Version 4
    /// is random only. With a `prefix` texts are TypeIDs, and the text of every UUID is written and
    /// read, also of another version.
    ///
    /// ```kotlin
    /// val ids = UuidGenerator(7)
    /// val id = ids.generate()                      // java.util.UUID
    /// ids.inspect(id).time                         // 2022-02-22T19:22:22Z
    /// UuidGenerator(7, prefix = "order").toText(id) // order_01fwhe4ydgfk1shh6w1g60eecf
    /// ```
    /// ```swift
    /// let ids = try UuidGenerator(version: 7)
    /// let id = try ids.generate()                  // Foundation's UUID
    /// try ids.inspect(id).time                     // 2022-02-22 19:22:22 +0000
    /// try UuidGenerator(version: 7, prefix: "order").toText(id) // order_01fwhe4ydgfk1shh6w1g60eecf
    /// ```
    UuidGenerator of Scheme::Uuid, UuidValue;

    /// A generator of this version: 1, 4 or 7. It needs no node: random bits keep generators apart.
    /// The window is Unix milliseconds. Waits at most `max_wait_ms`: 2 by default. Version 4 has no
    /// time, and takes no options except the prefix, and the clock, which it does not read.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix milliseconds; IDs begin with
    ///   the millisecond after it. Without it, and on the system's clock, they begin with the
    ///   millisecond after the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `InvalidArgument` for another version, an option that version 4 does not take, a
    /// negative wait or a jump below a second; `InvalidWindow`; `InvalidLayout` for the policy
    /// `Bits`; `EntropyUnavailable`.
    new(
        version, window=None, not_before=None, rollback=None, clock=None, max_jump_s=None,
        max_wait_ms=None
    )

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. Version 7
    /// takes a time, Unix milliseconds, and 74 random bits; version 4 takes 122 random bits;
    /// version 1 a time, a clock sequence of 14 bits and a node of 48. `submillisecond_ns` are 0 to
    /// 999,999 nanoseconds after a time, which is rounded down to the tick: a millisecond, or 100
    /// ns for version 1.
    ///
    /// Errors: `InvalidArgument` for a part that is missing, or that the version does not have;
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange`, `SequenceOutOfRange`,
    /// `NodeOutOfRange`.
    compose(
        timestamp_ms: Option<i64> = None, random: Option<Natural> = None, clock_sequence: Option<i64> = None,
        node: Option<i64> = None, submillisecond_ns: Option<i64> = None
    )
    {
        /// The version: 1, 4 or 7.
        pub fn version(&self) -> i32 {
            issuing::version(&self.0)
        }
    }
}

in_bytes!(UuidGenerator, UuidValue);

class! {
    /// Makes ObjectIds that MongoDB and its drivers accept: seconds, 40 random bits of
    /// the generator, and a counter, which begins each second with the generator's random number
    /// (drivers keep counting across seconds). They sort by second, and anyone can read the second
    /// from an ID. Text is 24 hexadecimal digits.
    ///
    /// ```kotlin
    /// val ids = ObjectIdGenerator()
    /// val id = ids.generate()                      // 6740e5c04f1d9a0b7c3e2a18
    /// ids.inspect(id).sequence                     // the counter: 4074008
    /// ```
    /// ```swift
    /// let ids = try ObjectIdGenerator()
    /// let id = try ids.generate()                  // 6740e5c04f1d9a0b7c3e2a18
    /// try ids.inspect(id).sequence                 // the counter: 4074008
    /// ```
    ObjectIdGenerator of Scheme::ObjectId, String;

    /// A generator. It needs no node, because its node is random. The window is Unix seconds. Waits
    /// at most `max_wait_ms`: 2000 by default. It makes at most 16777216 IDs a second.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix seconds; IDs begin with the
    ///   second after it. Without it, and on the system's clock, they begin with the second after
    ///   the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `EntropyUnavailable`;
    /// `InvalidArgument` for a negative wait or a jump below a second.
    new(window=None, not_before=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None)

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, rounded down to the second; the node, which is random in generated
    /// IDs, has 40 bits, the sequence (the counter) 24.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    compose(timestamp_ms: i64, node: i64, sequence: i64)
}

in_bytes!(ObjectIdGenerator, String);

class! {
    /// Makes tick IDs: the time in ticks of 100 ns as text that sorts, oldest or newest first, and
    /// a few random digits. They are for key-value and table stores, which must enforce uniqueness:
    /// if two processes use one tick, their IDs are equal in 1 of 10,000 cases (descending: 1 of
    /// 1000). Generators of one process and order never use a tick twice. Anyone can read the time
    /// from an ID.
    ///
    /// ```kotlin
    /// TickIdGenerator(TickOrder.ASCENDING).generate()       // 0638996712000000000_0042
    /// TickIdGenerator(TickOrder.DESCENDING).generate()      // 8584375324854775807_042
    /// ```
    /// ```swift
    /// try TickIdGenerator(order: .ascending).generate()     // 0638996712000000000_0042
    /// try TickIdGenerator(order: .descending).generate()    // 8584375324854775807_042
    /// ```
    TickIdGenerator of Scheme::TickId, String;

    /// A generator of IDs in this order, ascending by default. It needs no node. The window is Unix
    /// milliseconds. Waits at most `max_wait_ms`.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix milliseconds; IDs begin with
    ///   the millisecond after it. Without it, and on the system's clock, they begin with the
    ///   millisecond after the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `InvalidArgument` for a
    /// negative wait or a jump below a second.
    new(
        order=None, window=None, not_before=None, rollback=None, clock=None, max_jump_s=None,
        max_wait_ms=None
    )

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, and 0 to 999,999 nanoseconds after that, rounded down to 100; the
    /// random part has 4 decimal digits, descending 3.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange`; `InvalidArgument`
    /// for nanoseconds that do not fit a millisecond.
    compose(timestamp_ms: i64, random: i64, submillisecond_ns: i64 = 0)
}

class! {
    /// Makes TSIDs: time, node, sequence, as in a Snowflake, without an unused bit. They sort by
    /// time, and anyone can read the time from an ID. Canonical text is 13 characters of
    /// Crockford's base32, upper case, and sorts as well; any case is read. Source:
    /// github.com/f4b6a3/tsid-creator.
    ///
    /// ```kotlin
    /// val ids = TsidGenerator(node = 7)            // node 7, which no other machine has
    /// val id = ids.generate()                      // Long: 779566763212828672
    /// ids.toText(id)                               // 0NMCKTX000W00
    /// ```
    /// ```swift
    /// let ids = try TsidGenerator(node: 7)         // node 7, which no other machine has
    /// let id = try ids.generate()                  // Int64: 779566763212828672
    /// try ids.toText(id)                           // 0NMCKTX000W00
    /// ```
    ///
    /// As signed numbers IDs are negative from 2089-09-06; the layouts last until 2159-05-15.
    TsidGenerator of Scheme::Tsid, i64;

    /// A generator for one node or a range of `nodes`, which no other machine has, of this layout.
    /// `Layout.preset` has three: `tsid-1024`, the default, with nodes 0 to 1023 and 4096 IDs a
    /// millisecond and node; `tsid-256` with nodes 0 to 255 and 16,384 IDs; `tsid-4096` with nodes
    /// 0 to 4095 and 1024 IDs. The window is Unix milliseconds. A call waits at most `max_wait_ms`:
    /// 2 ticks by default.
    ///
    /// - `lease`: the lease that owns the nodes, in place of `node`, `nodes`, `window`,
    ///   `not_before` and `state`; `NamespaceMismatch` for a lease of other IDs, `LeaseLost` if it
    ///   has ended.
    /// - `store`: the URL of a store, as for `Lease.acquire`: the generator acquires a lease of one
    ///   node from it, in place of `lease`, for its own scheme, layout and secret, and waits for
    ///   the store, at most 10 s. The lease is released with the generator; `lease()` returns
    ///   it.
    /// - `namespace`: the namespace of that lease; by default `default`. Generators whose IDs go
    ///   into one column must use the same namespace.
    /// - `not_before`: the time of the last known ID of these nodes, Unix milliseconds;
    ///   IDs begin with the tick after it. Without it, on the system's clock and with scope
    ///   `Process`, they begin with the tick after the one in which the generator was made, so that
    ///   a restart within a tick repeats nothing.
    /// - `state`: the path of a file that remembers which ticks were used, so that no ID is
    ///   repeated even if the clock is set back while the program is down. A generator locks the
    ///   file as long as it uses it.
    /// - `rollback`: what happens when the clock steps back; by default `Bits` for a layout with a
    ///   rollback field (see `Layout.with_rollback_bits`), else `Hold`.
    /// - `shards`: how many parts a range of nodes is divided into, 1 by default. Threads use the
    ///   parts in turn and do not contend; between parts IDs are ordered by tick only.
    /// - `scope`: which generators of one node share a cursor, so that none repeats another's ID;
    ///   by default `Machine` where it is available, else `Process` (see `Stats.scope`).
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `NodeRequired`, `NodeOutOfRange` (also for shards), `NodeInUse`; `InvalidLayout` for
    /// a layout without node or sequence, or the policy `Bits` without bits; `InvalidWindow`;
    /// `StateInUse`, `StateMismatch`, `StateUnavailable`; `InvalidArgument` for a negative wait or
    /// a jump below a second; `ClockBackward` where the clock is more than `max_jump_s` behind the
    /// last ID of this machine; with a `store` also as `Lease.acquire`.
    new(
        node=None, nodes=None, layout=None, window=None, not_before=None, state=None, rollback=None,
        shards=None, clock=None, max_jump_s=None, max_wait_ms=None, lease=None, scope=None,
        store=None, namespace=None
    )

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, and 0 to 999,999 nanoseconds after that, rounded down to the tick; the
    /// node need not be the generator's own. `rollback`, the number of times that the clock had
    /// stepped back, is 0 for a layout without a rollback field.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`,
    /// `RollbackOutOfRange`; `InvalidArgument` for nanoseconds outside 0 to 999,999.
    compose(timestamp_ms: i64, node: i64, sequence: i64, rollback: i64 = 0, submillisecond_ns: i64 = 0)
}

class! {
    /// Makes XIDs: an ObjectId's 96 bits in shorter text. The bits are seconds, 40 random bits of
    /// the generator, and a counter, which begins each second with the generator's random number.
    /// They sort by second, and anyone can read the second from an ID. Text is 20 characters of
    /// base32hex, lower case; upper case is refused unless lenient. Source: github.com/rs/xid.
    ///
    /// ```kotlin
    /// val ids = XidGenerator()
    /// val id = ids.generate()                      // 9m4e2mr0ui3e8a215n4g
    /// ids.inspect(id).sequence                     // the counter: 4271561
    /// ```
    /// ```swift
    /// let ids = try XidGenerator()
    /// let id = try ids.generate()                  // 9m4e2mr0ui3e8a215n4g
    /// try ids.inspect(id).sequence                 // the counter: 4271561
    /// ```
    XidGenerator of Scheme::Xid, String;

    /// A generator. It needs no node, because its node is random. The window is Unix seconds. Waits
    /// at most `max_wait_ms`: 2000 by default. It makes at most 16777216 IDs a second.
    ///
    /// - `not_before`: the time of the last ID known to be used, Unix seconds; IDs begin with the
    ///   second after it. Without it, and on the system's clock, they begin with the second after
    ///   the one in which the generator was made.
    /// - `rollback`: what happens when the clock steps back, `Hold` by default, or `Error`.
    /// - `max_jump_s`: how far the clock may jump ahead of the time since boot, at least 1 second;
    ///   by default a day.
    ///
    /// Errors: `InvalidWindow`; `InvalidLayout` for the policy `Bits`; `EntropyUnavailable`;
    /// `InvalidArgument` for a negative wait or a jump below a second.
    new(window=None, not_before=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None)

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time
    /// is Unix milliseconds, rounded down to the second; the node, which is random in generated
    /// IDs, has 40 bits, the sequence (the counter) 24.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    compose(timestamp_ms: i64, node: i64, sequence: i64)
}

in_bytes!(XidGenerator, String);
