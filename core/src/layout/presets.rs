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

    /// The presets by name, most used first.
    pub const PRESETS: [(&'static str, Layout); 5] = [
        ("twitter", Self::TWITTER),
        ("discord", Self::DISCORD),
        ("instagram", Self::INSTAGRAM),
        ("sonyflake", Self::SONYFLAKE),
        ("sonyflake_v2", Self::SONYFLAKE_V2),
    ];

    /// The preset of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn preset(name: &str) -> Result<Layout, Error> {
        Self::PRESETS
            .iter()
            .find(|(preset, _)| *preset == name)
            .map(|(_, layout)| *layout)
            .ok_or(Error::UnknownLayout { name: Excerpt::new(name) })
    }
}
