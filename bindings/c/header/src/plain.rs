//! Converts sources to what cbindgen can read: constants, structs, and the functions inside `ffi!`
//! as plain declarations.

use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, GenericArgument, Ident, Item, ItemFn, PathArguments, ReturnType, Type, parse_quote};

struct Functions(Vec<ItemFn>);

impl Parse for Functions {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut functions = Vec::new();
        while !input.is_empty() {
            functions.push(input.parse()?);
        }
        Ok(Functions(functions))
    }
}

/// Returns a source file's public constants, public structs and exported functions.
pub fn items(file: syn::File) -> syn::Result<Vec<Item>> {
    let mut items = Vec::new();
    for item in file.items {
        match item {
            Item::Macro(called) if called.mac.path.is_ident("ffi") && called.ident.is_none() => {
                for function in called.mac.parse_body::<Functions>()?.0 {
                    items.push(Item::Fn(declaration(function)?));
                }
            }
            Item::Const(constant) if is_public(&constant.vis) => items.push(constant.into()),
            Item::Struct(structure) if is_public(&structure.vis) => items.push(structure.into()),
            Item::Type(alias) if is_public(&alias.vis) => items.push(alias.into()),
            _ => {}
        }
    }
    Ok(items)
}

pub fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

/// Returns the items as source text.
pub fn print(items: &[Item]) -> String {
    items.iter().map(|item| item.to_token_stream().to_string() + "\n").collect()
}

fn declaration(function: ItemFn) -> syn::Result<ItemFn> {
    let docs: Vec<&Attribute> = function.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    let name = &function.sig.ident;
    let mut arguments = Vec::new();
    for argument in &function.sig.inputs {
        let FnArg::Typed(argument) = argument else {
            return Err(syn::Error::new_spanned(argument, "an exported function has no self"));
        };
        let (name, kind) = (&argument.pat, c_type(&argument.ty)?);
        arguments.push(quote!(#name: #kind));
    }
    let answer = match &function.sig.output {
        ReturnType::Default => quote!(-> Code),
        ReturnType::Type(_, answer) => match last_name(answer)?.to_string().as_str() {
            "Nothing" => quote!(),
            "Unremembered" => quote!(-> Code),
            _ => quote!(-> #answer),
        },
    };
    Ok(parse_quote! {
        #(#docs)*
        #[unsafe(no_mangle)]
        pub extern "C" fn #name(#(#arguments),*) #answer {}
    })
}

/// Returns the type of an argument in C; see `Argument` in ffi.rs.
fn c_type(kind: &Type) -> syn::Result<Type> {
    if let Type::Reference(reference) = kind {
        let to = &reference.elem;
        return Ok(parse_quote!(*const #to));
    }
    let inner = only_argument(kind);
    Ok(match (last_name(kind)?.to_string().as_str(), inner) {
        ("i32" | "u32" | "i64" | "u64" | "usize" | "f64", None) => kind.clone(),
        ("Chars", None) => parse_quote!(*const c_char),
        ("Buffer", None) => parse_quote!(*mut c_char),
        ("GivenInsert", None) => parse_quote!(Insert),
        ("Context", None) => parse_quote!(*mut c_void),
        ("Slice" | "Given", Some(of)) => parse_quote!(*const #of),
        ("Out" | "Fill" | "Box", Some(of)) => parse_quote!(*mut #of),
        // NULL is allowed, which C's types do not show.
        ("Option", Some(of)) => c_type(of)?,
        _ => return Err(syn::Error::new_spanned(kind, "a type that plain.rs does not know")),
    })
}

fn last_name(kind: &Type) -> syn::Result<Ident> {
    match kind {
        Type::Path(path) if let Some(last) = path.path.segments.last() => Ok(last.ident.clone()),
        Type::Ptr(_) => Ok(parse_quote!(pointer)),
        _ => Err(syn::Error::new_spanned(kind, "a type that plain.rs does not know")),
    }
}

fn only_argument(kind: &Type) -> Option<&Type> {
    let Type::Path(path) = kind else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    }
}
