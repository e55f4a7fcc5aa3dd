//! The macro for the class of a scheme. Schemes differ in names, arguments and docs.

/// The type of an argument of a constructor. One without a default must be given.
macro_rules! argument {
    (allow_collisions false) => { bool };
    ($name:ident None) => { Option<$crate::class::argument!($name)> };
    (layout) => { std::sync::Arc<$crate::layout::Layout> };
    (secret) => { Vec<u8> };
    (order) => { $crate::tick_order::TickOrder };
    (nodes) => { $crate::convert::Interval };
    (window) => { $crate::convert::Interval };
    (state) => { String };
    (rollback) => { $crate::rollback::Rollback };
    (clock) => { std::sync::Arc<$crate::clock::ManualClock> };
    (lease) => { std::sync::Arc<$crate::lease::Lease> };
    (store) => { String };
    (namespace) => { String };
    (scope) => { $crate::scope::Scope };
    ($number:ident) => { i64 };
}

/// An argument as a field of `Given`.
macro_rules! given {
    ($name:ident) => {
        Some($name)
    };
    ($name:ident $default:tt) => {
        $name
    };
}

/// The class of a scheme, whose IDs are `$id`. `new` lists its arguments, with the defaults of
/// optional ones; `prefix`, which every scheme takes, follows them. `compose` also lists types, and
/// after `as` the type that a number is converted to. Further methods of the class are in braces.
macro_rules! class {
    (
        $(#[$doc:meta])*
        $class:ident of $scheme:expr, $id:ident;
        $(#[$new_doc:meta])*
        new($($option:ident $(= $default:tt)?),*)
        $(#[$compose_doc:meta])*
        compose($($part:ident: $type:ty $(as $number:ident)? $(= $part_default:tt)?),*)
        $({ $($more:tt)* })?
    ) => {
        $(#[$doc])*
        #[derive(uniffi::Object)]
        #[repr(C)]
        pub struct $class(saiban_coordination::Issuer<<$id as $crate::crossing::Crossing>::Core>);

        $crate::generator::generator!($class, $id);

        #[uniffi::export]
        #[allow(clippy::wrong_self_convention, reason = "to_ and from_ are a pair")]
        impl $class {
            $(#[$new_doc])*
            ///
            /// With a `prefix`, at most 63 letters `a` to `z` with underscores between them, the
            /// text of an ID is the prefix, an underscore, and the number in Crockford's base32,
            /// lower case, in full width. The numbers are those of IDs without a prefix.
            /// `from_text` reports `TextCharacter` for text with another prefix, and the
            /// constructor `InvalidArgument` for a prefix that is not possible.
            #[uniffi::constructor(default($($($option = $default,)?)* prefix = None))]
            #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
            pub fn new(
                $($option: $crate::class::argument!($option $($default)?),)*
                prefix: Option<String>,
            ) -> Result<Self, $crate::error::SaibanError> {
                $crate::error::guard(|| {
                    let given = $crate::options::Given {
                        $($option: $crate::class::given!($option $($default)?),)*
                        prefix,
                        ..Default::default()
                    };
                    Ok($class(given.open($scheme)?))
                })
            }

            $(#[$compose_doc])*
            #[uniffi::method(default($($($part = $part_default,)?)*))]
            pub fn compose(&self, $($part: $type),*) -> Result<$id, $crate::error::SaibanError> {
                $crate::error::guard(|| {
                    $($(let $part = $number::from($part);)?)*
                    let mut parts = saiban::ComposeParts::default();
                    $($crate::compose::put!(parts, $part = $part);)*
                    $crate::issuing::compose(&self.0, &parts)
                })
            }

            $($($more)*)?
        }
    };
}

pub(crate) use {argument, class, given};
