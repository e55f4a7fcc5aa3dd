//! The layouts of known formats. Each is data; none has code of its own.

use super::{Layout, LayoutSpec};
use crate::error::{Error, Excerpt};

const fn preset(spec: LayoutSpec) -> Layout {
    match spec.check() {
        Ok(layout) => layout,
        Err(_) => panic!("a preset is a valid layout"),
    }
}

impl Layout {
    /// Twitter's Snowflake: 1 unused | 41 ms since 2010-11-04T01:42:54.657Z | 10 machine | 12 sequence.
    ///
    /// Lasts until 2080-07-10. Source: github.com/twitter-archive/snowflake, tag snowflake-2010, `IdWorker.scala`.
    pub const TWITTER: Layout =
        preset(LayoutSpec::new().unused(1).timestamp(41).node(10).sequence(12).epoch_ms(1_288_834_974_657));

    /// Discord's snowflake: 42 ms since 2015-01-01 | 10 node = 5 worker + 5 process | 12 increment.
    ///
    /// As a signed integer an ID is negative from 2084 on. Source: Discord developer documentation, "Snowflakes".
    pub const DISCORD: Layout =
        preset(LayoutSpec::new().timestamp(42).node(10).sequence(12).epoch_ms(1_420_070_400_000));

    /// Instagram's ID: 41 ms since 2011-08-24T21:07:01.721Z | 13 shard | 10 sequence.
    ///
    /// Its highest bit is a time bit: IDs are negative from 2046 on. Source: Instagram Engineering, "Sharding & IDs at
    /// Instagram" (2012).
    pub const INSTAGRAM: Layout =
        preset(LayoutSpec::new().timestamp(41).node(13).sequence(10).epoch_ms(1_314_220_021_721));

    /// Sonyflake, version 1: 1 unused | 39 times 10 ms since 2014-09-01 | 8 sequence | 16 machine.
    ///
    /// The sequence stands above the machine. Source: github.com/sony/sonyflake, README and `sonyflake.go`.
    pub const SONYFLAKE: Layout = preset(
        LayoutSpec::new().unused(1).timestamp(39).sequence(8).node(16).epoch_ms(1_409_529_600_000).tick_us(10_000),
    );

    /// Sonyflake, version 2: as version 1, since 2025-01-01.
    ///
    /// Source: github.com/sony/sonyflake, `v2/sonyflake.go`.
    pub const SONYFLAKE_V2: Layout = preset(
        LayoutSpec::new().unused(1).timestamp(39).sequence(8).node(16).epoch_ms(1_735_689_600_000).tick_us(10_000),
    );

    /// What github.com/bwmarrin/snowflake makes unless it is told otherwise: Twitter's layout, epoch included. Its name is therefore `twitter`;
    /// `bwmarrin` is read as well.
    ///
    /// Source: github.com/bwmarrin/snowflake, `snowflake.go`: `Epoch`, `NodeBits`, `StepBits`.
    pub const BWMARRIN: Layout = Self::TWITTER;

    /// Mastodon's ID: 48 ms since the Unix epoch | 16 of a hash and a sequence of the database's. To compose and to inspect: no node tells
    /// two generators apart.
    ///
    /// Source: github.com/mastodon/mastodon, `lib/mastodon/snowflake.rb`, `timestamp_id`.
    pub const MASTODON: Layout = preset(LayoutSpec::new().timestamp(48).sequence(16));

    /// Baidu's UidGenerator: 1 sign | 28 s since 2016-05-20 00:00 in China (UTC+8) | 22 worker | 13 sequence.
    ///
    /// Ended on 2024-11-20, 13:24:16 UTC: to generate give it a later epoch, as its users do. Source: github.com/baidu/uid-generator,
    /// README and `DefaultUidGenerator.java`.
    pub const BAIDU: Layout = preset(
        LayoutSpec::new().unused(1).timestamp(28).node(22).sequence(13).epoch_ms(1_463_673_600_000).tick_us(1_000_000),
    );

    /// What a Randflake ID holds before it is encrypted: 30 s since 2024-10-27T03:33:20Z | 17 node | 17 sequence. Lasts until
    /// 2058-11-05T17:10:23Z. No preset by name: without the cipher its IDs are no Randflakes.
    ///
    /// Source: github.com/gosuda/randflake, README and specification.
    pub const RANDFLAKE: Layout =
        preset(LayoutSpec::new().timestamp(30).node(17).sequence(17).epoch_ms(1_730_000_000_000).tick_us(1_000_000));

    /// Ulid-Flake, stand-alone: 1 unused | 43 ms since 2024-01-01 | 20 random, which grow by 1 to 255 within a millisecond. Read by the name
    /// `ulid-flake`. The generator [`crate::UlidFlake`] has further steps.
    ///
    /// Source: github.com/ulid-flake/spec (2024), stand-alone version.
    pub const ULID_FLAKE: Layout =
        preset(LayoutSpec::new().unused(1).timestamp(43).random_step(20, 255).epoch_ms(1_704_067_200_000));

    /// Ulid-Flake, scalable: 1 unused | 43 ms since 2024-01-01 | 15 random, which grow by 1 to 255 within a millisecond | 5 scalability id.
    /// Read by the name `ulid-flake-scalable`.
    ///
    /// Source: github.com/ulid-flake/spec (2024), scalable version.
    pub const ULID_FLAKE_SCALABLE: Layout =
        preset(LayoutSpec::new().unused(1).timestamp(43).random_step(15, 255).node(5).epoch_ms(1_704_067_200_000));

    /// The presets of Snowflakes by name, most used first.
    pub const PRESETS: [(&'static str, Layout); 7] = [
        ("twitter", Self::TWITTER),
        ("discord", Self::DISCORD),
        ("instagram", Self::INSTAGRAM),
        ("sonyflake", Self::SONYFLAKE),
        ("sonyflake_v2", Self::SONYFLAKE_V2),
        ("mastodon", Self::MASTODON),
        ("baidu", Self::BAIDU),
    ];

    /// Names that are read, and never told: `bwmarrin` is Twitter's, and IDs of the others are those of another scheme.
    const READ_ONLY: [(&'static str, Layout); 3] = [
        ("bwmarrin", Self::BWMARRIN),
        ("ulid-flake", Self::ULID_FLAKE),
        ("ulid-flake-scalable", Self::ULID_FLAKE_SCALABLE),
    ];

    /// The preset of this name: one of [`Layout::PRESETS`], `bwmarrin`, which is Twitter's, `ulid-flake` or `ulid-flake-scalable`.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn preset(name: &str) -> Result<Layout, Error> {
        let found = Self::PRESETS.iter().chain(&Self::READ_ONLY).find(|(preset, _)| *preset == name);
        found.map(|(_, layout)| *layout).ok_or(Error::UnknownLayout { name: Excerpt::new(name) })
    }

    /// Whether these are Ulid-Flake's IDs, stand-alone or scalable, whatever their steps within a millisecond.
    ///
    /// ```
    /// use saiban::Layout;
    /// assert!(Layout::ULID_FLAKE.is_ulid_flake());
    /// assert!(Layout::from_text("unused:1 timestamp:43,epoch=2024-01-01 random:15,step=32767 node:5")?.is_ulid_flake());
    /// assert!(!Layout::from_text("unused:1 timestamp:43 random:20,step=255")?.is_ulid_flake(), "of another epoch");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub fn is_ulid_flake(&self) -> bool {
        self.reads_as(&Self::ULID_FLAKE) || self.reads_as(&Self::ULID_FLAKE_SCALABLE)
    }

    /// The preset's name when this is one of [`Layout::PRESETS`]: `twitter`, `discord`, `instagram`, `sonyflake`, `sonyflake_v2`, `mastodon`, `baidu`.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        Self::PRESETS.iter().find(|(_, layout)| layout == self).map(|(name, _)| *name)
    }
}
