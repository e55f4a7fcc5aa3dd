//! The layouts of known formats, as constants of [`Layout`], and their names.
//!
//! Each preset is data only. The command, the bindings and `Layout::from_text` look presets up by
//! name.

use super::{Layout, LayoutSpec};
use crate::error::{Error, Excerpt};

const fn preset(spec: LayoutSpec) -> Layout {
    match spec.check() {
        Ok(layout) => layout,
        Err(_) => panic!("a preset is a valid layout"),
    }
}

/// Returns TSID's layout with `node` node bits and `sequence` sequence bits.
const fn tsid(node: u32, sequence: u32) -> Layout {
    preset(LayoutSpec::new().timestamp(42).node(node).sequence(sequence).epoch_ms(1_577_836_800_000))
}

impl Layout {
    /// The layout of Twitter's Snowflake. It lasts until 2080-07-10.
    ///
    /// Bits: 1 unused, 41 time (ms since 2010-11-04T01:42:54.657Z), 10 machine, 12 sequence.
    ///
    /// Source: github.com/twitter-archive/snowflake, tag snowflake-2010, `IdWorker.scala`.
    pub const TWITTER: Layout =
        preset(LayoutSpec::new().unused(1).timestamp(41).node(10).sequence(12).epoch_ms(1_288_834_974_657));

    /// The layout of Discord's snowflake. As signed integers, its IDs are negative from 2084 on.
    ///
    /// Bits: 42 time (ms since 2015-01-01), 10 node (5 worker, 5 process), 12 increment.
    ///
    /// Source: Discord developer documentation, "Snowflakes".
    pub const DISCORD: Layout =
        preset(LayoutSpec::new().timestamp(42).node(10).sequence(12).epoch_ms(1_420_070_400_000));

    /// The layout of Instagram's ID. The highest bit is a time bit: IDs are negative from 2046 on.
    ///
    /// Bits: 41 time (ms since 2011-08-24T21:07:01.721Z), 13 shard, 10 sequence.
    ///
    /// Source: Instagram Engineering, "Sharding & IDs at Instagram" (2012).
    pub const INSTAGRAM: Layout =
        preset(LayoutSpec::new().timestamp(41).node(13).sequence(10).epoch_ms(1_314_220_021_721));

    /// The layout of Sonyflake, version 1. Its sequence is above the machine.
    ///
    /// Bits: 1 unused, 39 time (units of 10 ms since 2014-09-01), 8 sequence, 16 machine.
    ///
    /// Source: github.com/sony/sonyflake, README and `sonyflake.go`.
    pub const SONYFLAKE: Layout = preset(
        LayoutSpec::new().unused(1).timestamp(39).sequence(8).node(16).epoch_ms(1_409_529_600_000).tick_us(10_000),
    );

    /// The layout of Sonyflake, version 2: the bits of version 1, since 2025-01-01.
    ///
    /// Source: github.com/sony/sonyflake, `v2/sonyflake.go`.
    pub const SONYFLAKE_V2: Layout = preset(
        LayoutSpec::new().unused(1).timestamp(39).sequence(8).node(16).epoch_ms(1_735_689_600_000).tick_us(10_000),
    );

    /// The default layout of github.com/bwmarrin/snowflake: Twitter's, with Twitter's epoch.
    ///
    /// [`Layout::name`] returns `twitter` for it; [`Layout::preset`] accepts `bwmarrin` as well.
    ///
    /// Source: github.com/bwmarrin/snowflake, `snowflake.go`: `Epoch`, `NodeBits`, `StepBits`.
    pub const BWMARRIN: Layout = Self::TWITTER;

    /// The layout of Mastodon's ID, to compose and inspect IDs. It has no node to distinguish
    /// generators.
    ///
    /// Bits: 48 time (ms since the Unix epoch), 16 of a hash and a sequence of the database.
    ///
    /// Source: github.com/mastodon/mastodon, `lib/mastodon/snowflake.rb`, `timestamp_id`.
    pub const MASTODON: Layout = preset(LayoutSpec::new().timestamp(48).sequence(16));

    /// The layout of Baidu's UidGenerator. Its time ended on 2024-11-20, 13:24:16 UTC.
    ///
    /// Bits: 1 sign, 28 time (s since 2016-05-20 00:00 in China, UTC+8), 22 worker, 13 sequence. To
    /// generate IDs, set a later epoch, as the users of UidGenerator do.
    ///
    /// Source: github.com/baidu/uid-generator, README and `DefaultUidGenerator.java`.
    pub const BAIDU: Layout = preset(
        LayoutSpec::new().unused(1).timestamp(28).node(22).sequence(13).epoch_ms(1_463_673_600_000).tick_us(1_000_000),
    );

    /// The content of a Randflake ID before encryption. It lasts until 2058-11-05T17:10:23Z.
    ///
    /// Bits: 30 time (s since 2024-10-27T03:33:20Z), 17 node, 17 sequence. The layout has no name,
    /// because its IDs are not Randflakes without the cipher.
    ///
    /// Source: github.com/gosuda/randflake, README and specification.
    pub const RANDFLAKE: Layout =
        preset(LayoutSpec::new().timestamp(30).node(17).sequence(17).epoch_ms(1_730_000_000_000).tick_us(1_000_000));

    /// The layout of a stand-alone Ulid-Flake. The name of the preset is `ulid-flake`.
    ///
    /// Bits: 1 unused, 43 time (ms since 2024-01-01), 20 random. The random part grows by 1 to 255
    /// within a millisecond. The generator [`crate::UlidFlakeGenerator`] also has larger steps.
    ///
    /// Source: github.com/ulid-flake/spec (2024), stand-alone version.
    pub const ULID_FLAKE: Layout =
        preset(LayoutSpec::new().unused(1).timestamp(43).random_step(20, 255).epoch_ms(1_704_067_200_000));

    /// The layout of a scalable Ulid-Flake. The name of the preset is `ulid-flake-scalable`.
    ///
    /// Bits: 1 unused, 43 time (ms since 2024-01-01), 15 random, 5 scalability id. The random part
    /// grows by 1 to 255 within a millisecond.
    ///
    /// Source: github.com/ulid-flake/spec (2024), scalable version.
    pub const ULID_FLAKE_SCALABLE: Layout =
        preset(LayoutSpec::new().unused(1).timestamp(43).random_step(15, 255).node(5).epoch_ms(1_704_067_200_000));

    /// TSID for 256 nodes: 16,384 IDs per millisecond and node. The name of the preset is
    /// `tsid-256`.
    pub const TSID_256: Layout = tsid(8, 14);

    /// TSID for 1024 nodes: 4096 IDs per millisecond and node. The name of the preset is
    /// `tsid-1024`.
    ///
    /// Bits: 42 time (ms since 2020-01-01), 10 node, 12 sequence. This is the default of
    /// tsid-creator.
    ///
    /// Source: github.com/f4b6a3/tsid-creator, README.
    pub const TSID_1024: Layout = tsid(10, 12);

    /// TSID for 4096 nodes: 1024 IDs per millisecond and node. The name of the preset is
    /// `tsid-4096`.
    pub const TSID_4096: Layout = tsid(12, 10);

    /// The presets of Snowflakes and their names, most used first.
    pub const PRESETS: [(&'static str, Layout); 7] = [
        ("twitter", Self::TWITTER),
        ("discord", Self::DISCORD),
        ("instagram", Self::INSTAGRAM),
        ("sonyflake", Self::SONYFLAKE),
        ("sonyflake_v2", Self::SONYFLAKE_V2),
        ("mastodon", Self::MASTODON),
        ("baidu", Self::BAIDU),
    ];

    /// Further names that [`Layout::preset`] accepts. `bwmarrin` is Twitter's layout; the others
    /// are layouts of other schemes.
    pub const READ_ONLY: &[(&'static str, Layout)] = &[
        ("bwmarrin", Self::BWMARRIN),
        ("ulid-flake", Self::ULID_FLAKE),
        ("ulid-flake-scalable", Self::ULID_FLAKE_SCALABLE),
        ("tsid-256", Self::TSID_256),
        ("tsid-1024", Self::TSID_1024),
        ("tsid-4096", Self::TSID_4096),
    ];

    /// The names that [`Layout::preset`] accepts, separated by commas, for error messages.
    const KNOWN: &str = "twitter (or bwmarrin), discord, instagram, sonyflake, sonyflake_v2, mastodon, baidu, ulid-flake, \
                         ulid-flake-scalable, tsid-256, tsid-1024, tsid-4096";

    /// Returns the preset with this name: one of [`Layout::PRESETS`] or of [`Layout::READ_ONLY`].
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn preset(name: &str) -> Result<Layout, Error> {
        let found = Self::PRESETS.iter().chain(Self::READ_ONLY).find(|(preset, _)| *preset == name);
        found
            .map(|(_, layout)| *layout)
            .ok_or_else(|| Error::UnknownLayout { name: Excerpt::new(name), known: &Self::KNOWN })
    }

    /// Returns the name of the preset if this layout is one of [`Layout::PRESETS`].
    ///
    /// The names are `twitter`, `discord`, `instagram`, `sonyflake`, `sonyflake_v2`, `mastodon` and
    /// `baidu`.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        Self::PRESETS.iter().find(|(_, layout)| layout == self).map(|(name, _)| *name)
    }
}
