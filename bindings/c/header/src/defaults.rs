//! The defaults of options: the constant `NONE` of each struct of options, as a macro for C.

use crate::plain;
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Expr, File, ImplItem, Item};

/// The maximum width of the macros.
const WIDTH: usize = 110;

/// A struct of options, with the default of each member.
pub struct Default {
    name: String,
    members: Vec<Expr>,
}

/// Returns the defaults of all structs of options in a source file.
pub fn of(file: &File) -> syn::Result<Vec<Default>> {
    let mut found = Vec::new();
    for item in &file.items {
        let Item::Impl(methods) = item else { continue };
        for constant in &methods.items {
            if let ImplItem::Const(constant) = constant
                && constant.ident == "NONE"
                && let Expr::Struct(none) = &constant.expr
            {
                let name = methods.self_ty.to_token_stream().to_string();
                if is_public(file, &name, none)? {
                    let members = none.fields.iter().map(|member| member.expr.clone()).collect();
                    found.push(Default { name, members });
                }
            }
        }
    }
    Ok(found)
}

/// Returns whether C knows the struct. C's initialisers have no names, so it is an error if the
/// members of `NONE` have another order than those of the struct.
fn is_public(file: &File, name: &str, none: &syn::ExprStruct) -> syn::Result<bool> {
    let is_it = |item: &&Item| matches!(item, Item::Struct(structure) if structure.ident == name);
    let Some(Item::Struct(structure)) = file.items.iter().find(is_it) else { return Ok(false) };
    let declared = structure.fields.iter().map(|field| field.ident.to_token_stream().to_string());
    let given = none.fields.iter().map(|member| member.member.to_token_stream().to_string());
    match (plain::is_public(&structure.vis), declared.eq(given)) {
        (true, false) => Err(syn::Error::new_spanned(none, "NONE has not the members of its struct, in their order")),
        (is_public, _) => Ok(is_public),
    }
}

impl Default {
    /// Returns the macro, such as `SAIBAN_OPTIONS_INIT` for `saiban_options`.
    pub fn initialiser(&self, renamed: &HashMap<String, String>) -> Result<String, String> {
        let name = renamed.get(&self.name).ok_or_else(|| format!("{} is not renamed", self.name))?;
        let init = format!("{}_INIT", name.to_uppercase());
        let mut lines = vec![format!("#define {init}"), "    {".to_owned(), " ".repeat(7)];
        for (index, member) in self.members.iter().enumerate() {
            let separator = if index + 1 == self.members.len() { "" } else { "," };
            let word = format!(" {}{separator}", value(member, name)?);
            match lines.last_mut() {
                Some(line) if line.len() + word.len() < WIDTH - 2 => line.push_str(&word),
                _ => lines.push(format!("{}{word}", " ".repeat(11))),
            }
        }
        let body: Vec<_> = lines.iter().map(|line| format!("{line:<width$}\\", width = WIDTH - 1)).collect();
        Ok(format!("\n/* All as by default: {name} options = {init}; */\n{}\n    }}\n", body.join("\n")))
    }
}

/// Returns a member's value in C.
fn value(member: &Expr, name: &str) -> Result<String, String> {
    let text = match member {
        Expr::Cast(cast) => &cast.expr,
        other => other,
    };
    let text = text.to_token_stream().to_string().replace(' ', "");
    Ok(match text.as_str() {
        "NOT_GIVEN" => "SAIBAN_NOT_GIVEN".to_owned(),
        "ptr::null()" => "NULL".to_owned(),
        "0" => text,
        _ if text.starts_with("size_of::<") => format!("sizeof({name})"),
        _ if text.starts_with("SAIBAN_") => text,
        _ => return Err(format!("{text} is a default that defaults.rs does not know")),
    })
}
