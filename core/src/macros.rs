//! Macros for what many enums and structs have in common: names, messages, setters.

/// Defines an enum whose variants have names: words that programs read in every language.
///
/// The enum gets `ALL` and `name`, and, with `else`, `from_name`, which fails with this variant of
/// `Error`. The coordination and service crates use the macro too.
#[doc(hidden)]
#[macro_export]
macro_rules! named_enum {
    (
        $( #[$meta:meta] )*
        $visibility:vis enum $type:ident $( else $unknown:ident )? {
            $( $( #[$variant_meta:meta] )* $variant:ident $( = $value:literal )? $name:literal, )+
        }
    ) => {
        $( #[$meta] )*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visibility enum $type { $( $( #[$variant_meta] )* $variant $( = $value )?, )+ }

        impl $type {
            /// All variants.
            $visibility const ALL: [$type; [$( $name ),+].len()] = [ $( $type::$variant ),+ ];

            #[doc = concat!("Returns the name. The names are:", $( " `", $name, "`", )+)]
            #[must_use]
            $visibility const fn name(self) -> &'static str {
                match self { $( $type::$variant => $name, )+ }
            }

            $(
                /// Returns the variant with this name.
                ///
                /// # Errors
                /// `UnknownName` for any other text.
                pub fn from_name(name: &str) -> Result<Self, $crate::Error> {
                    let found = Self::ALL.into_iter().find(|known| known.name() == name);
                    found.ok_or($crate::Error::$unknown { name: $crate::error::Excerpt::new(name) })
                }
            )?
        }
    };
}

/// Defines an enum with a message for each variant, which `Display` writes.
///
/// A message is a format string with arguments for `write!`, or a block that writes to `$f`.
macro_rules! messages {
    (
        |$f:ident|
        $( #[$meta:meta] )*
        $visibility:vis enum $type:ident {
            $(
                $( #[$variant_meta:meta] )*
                $variant:ident
                    $( ( $( $inner:ident: $inner_type:ty ),+ ) )?
                    $( { $( $( #[$field_meta:meta] )* $field:ident: $field_type:ty ),+ $(,)? } )?
                    => $message:tt $(, $argument:expr )*;
            )+
        }
    ) => {
        $( #[$meta] )*
        $visibility enum $type {
            $(
                $( #[$variant_meta] )*
                $variant $( ( $( $inner_type ),+ ) )? $( { $( $( #[$field_meta] )* $field: $field_type ),+ } )?,
            )+
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, $f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match *self {
                    $(
                        $type::$variant $( ( $( $inner ),+ ) )? $( { $( $field ),+ } )? => {
                            message!($f, $message $(, $argument )*)
                        }
                    )+
                }
            }
        }
    };
}

/// Writes one message of [`messages!`] or `errors!`.
macro_rules! message {
    ($f:ident, $format:literal $(, $argument:expr )*) => { write!($f, $format $(, $argument )*) };
    ($f:ident, $block:block) => { $block };
}

/// Defines methods that each set the option of their name, to the argument or to the value after
/// `=>`.
macro_rules! setters {
    ($( $( #[$meta:meta] )* $name:ident: $type:ty $( => $value:expr )?; )+) => {$(
        $( #[$meta] )*
        #[must_use]
        pub fn $name(mut self, $name: $type) -> Self {
            self.$name = Some(setters!(@ $name $( $value )?));
            self
        }
    )+};
    (@ $name:ident) => { $name };
    (@ $name:ident $value:expr) => { $value };
}
