//! Methods of [`Generator`](super::Generator) that call those of another generator.

/// Writes the named methods of a generator that holds another one, which `|this| this.ids` names.
/// `saiban-coordination` uses this macro too.
#[doc(hidden)]
#[macro_export]
macro_rules! forward_generator {
    (|$this:ident| $ids:expr; $($method:ident)+) => { $( $crate::forward_generator!(@$method |$this| $ids); )+ };
    (@scheme $($to:tt)+) => { $crate::forward_generator!(%fn scheme() -> $crate::Scheme; $($to)+); };
    (@bits $($to:tt)+) => { $crate::forward_generator!(%fn bits() -> u32; $($to)+); };
    (@encoding $($to:tt)+) => { $crate::forward_generator!(%fn encoding() -> $crate::Encoding; $($to)+); };
    (@prefix $($to:tt)+) => { $crate::forward_generator!(%fn prefix() -> Option<$crate::Prefix>; $($to)+); };
    (@layout $($to:tt)+) => { $crate::forward_generator!(%fn layout() -> Option<&$crate::Layout>; $($to)+); };
    (@stats $($to:tt)+) => { $crate::forward_generator!(%try fn stats() -> $crate::Stats; $($to)+); };
    (@generate $($to:tt)+) => { $crate::forward_generator!(%try fn generate() -> Self::Id; $($to)+); };
    (@try_generate $($to:tt)+) => {
        $crate::forward_generator!(%try fn try_generate() -> $crate::Attempt<Self::Id>; $($to)+);
    };
    (@try_generate_within $($to:tt)+) => {
        $crate::forward_generator!(
            %try fn try_generate_within(left: ::core::time::Duration) -> $crate::Attempt<Self::Id>; $($to)+);
    };
    (@fill $($to:tt)+) => { $crate::forward_generator!(%try fn fill(ids: &mut [Self::Id]) -> usize; $($to)+); };
    (@compose $($to:tt)+) => {
        $crate::forward_generator!(%try fn compose(parts: &$crate::ComposeParts) -> Self::Id; $($to)+);
    };
    (@inspect $($to:tt)+) => { $crate::forward_generator!(%try fn inspect(id: Self::Id) -> $crate::Parts; $($to)+); };
    (@range $($to:tt)+) => {
        $crate::forward_generator!(
            %try fn range(start_ms: i64, end_ms: i64) -> ::core::ops::RangeInclusive<Self::Id>; $($to)+);
    };
    (@from_text_as $($to:tt)+) => {
        $crate::forward_generator!(
            %try fn from_text_as(text: &str, leniency: $crate::Leniency) -> Self::Id; $($to)+);
    };
    (@to_text_as $($to:tt)+) => {
        $crate::forward_generator!(
            %try fn to_text_as(id: Self::Id, encoding: Option<$crate::Encoding>) -> $crate::Text; $($to)+);
    };
    (@write $($to:tt)+) => {
        $crate::forward_generator!(
            %try fn write(id: Self::Id, encoding: Option<$crate::Encoding>) -> $crate::Text; $($to)+);
    };
    (@write_into $($to:tt)+) => {
        $crate::forward_generator!(
            %try fn write_into(id: Self::Id, encoding: Option<$crate::Encoding>, buffer: &mut [u8]) -> usize; $($to)+);
    };
    (@generate_text $($to:tt)+) => {
        $crate::forward_generator!(%try fn generate_text(encoding: Option<$crate::Encoding>) -> $crate::Text; $($to)+);
    };
    (%try fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty; $($to:tt)+) => {
        $crate::forward_generator!(%fn $name($($argument: $type),*) -> Result<$output, $crate::Error>; $($to)+);
    };
    (%fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty; |$this:ident| $ids:expr) => {
        fn $name(&self, $($argument: $type),*) -> $output {
            let $this = self;
            $ids.$name($($argument),*)
        }
    };
}
