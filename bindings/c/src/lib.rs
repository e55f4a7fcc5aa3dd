//! saiban for C. `bindings/c/generate-header` makes the header `include/saiban.h` from these files.
//!
//! This crate has no rules about IDs. It only converts: pointers to references, errors to numbers
//! and a message. One macro, [`ffi::ffi`], defines every exported function: it checks the pointers
//! and stops panics.
//!
//! Imports go one way: `error`, `names` and `given` are below `ffi`. Then follow the values that C
//! passes and gets, then `generator` and its functions, and last `schemes`, `remote` and `inspect`.

#![allow(dead_code, reason = "most constants are there for the header only")]

mod candidates;
mod clock;
mod counter;
mod encoding;
mod error;
mod ffi;
mod generator;
mod given;
mod insert;
mod inspect;
mod layout;
mod lease;
mod messages;
mod names;
mod node;
mod options;
mod parts;
mod properties;
mod range;
mod remote;
mod rollback;
mod schemes;
mod scope;
mod stats;
mod versioned;
mod wide;

#[cfg(test)]
mod tests {
    use crate::candidates::InspectOptions;
    use crate::layout::{Field, LayoutLimits};
    use crate::lease::{LeaseOptions, Status};
    use crate::node::NodePart;
    use crate::options::Options;
    use crate::parts::{Parts, WideParts};
    use crate::properties::{Place, Properties};
    use crate::stats::Stats;
    use crate::versioned::Versioned;
    use std::mem::offset_of;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn structs_keep_the_sizes_that_programs_were_compiled_with() {
        // All options, a lease's status, stats, properties and wide parts may grow at the end, each
        // version with its size in `SIZES`; the other structs may not change within a SONAME.
        assert_eq!(Options::SIZES, [120, 160, 168, 176, 184, 200]);
        assert_eq!((offset_of!(Options, not_before), offset_of!(Options, max_jump_s)), (120, 152));
        assert_eq!((offset_of!(Options, lease), offset_of!(Options, scope)), (160, 168));
        assert_eq!((offset_of!(Options, prefix), offset_of!(Options, store)), (176, 184));
        assert_eq!(offset_of!(Options, name_space), 192);
        assert_eq!((size_of::<LeaseOptions>(), offset_of!(LeaseOptions, wait_s)), (104, 96));
        assert_eq!((size_of::<Status>(), offset_of!(Status, why)), (568, 56));
        assert_eq!((size_of::<Stats>(), offset_of!(Stats, guarantee)), (40, 32));
        assert_eq!((offset_of!(Options, size), offset_of!(Options, node), offset_of!(Options, epoch_ms)), (0, 40, 104));
        assert_eq!((size_of::<Field>(), size_of::<LayoutLimits>(), size_of::<Parts>()), (8, 56, 80));
        assert_eq!((offset_of!(Parts, layout), offset_of!(Parts, scheme), offset_of!(Parts, has_node)), (56, 64, 73));
        assert_eq!(
            (size_of::<WideParts>(), offset_of!(WideParts, timestamp_ms), offset_of!(WideParts, reserved)),
            (104, 32, 99)
        );
        assert_eq!((size_of::<Properties>(), offset_of!(Properties, reserved)), (96, 95));
        assert_eq!((size_of::<InspectOptions>(), offset_of!(InspectOptions, epoch_ms)), (72, 64));
        assert_eq!((size_of::<Place>(), offset_of!(Place, name), size_of::<NodePart>()), (80, 56, 32));
        // The structs have no padding at the end: see their last members.
        assert_eq!((offset_of!(Parts, reserved), offset_of!(Stats, scope)), (80 - 2, 40 - 4));
    }
}
