//! Functions and public fields found in masked code. Braces and names are all that is looked at, which holds for code
//! that rustfmt has formatted; macros that write functions are not seen. Next: `tests/shape.rs` and `tests/types.rs`.

use crate::SourceFile;

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, without its path.
    pub name: String,
    /// The line of its `fn`, from 1.
    pub line: usize,
    /// Lines from its `fn` to its closing brace, both included.
    pub length: usize,
}

/// A public field or parameter that carries an id as a bare text or number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdField {
    /// Its name.
    pub name: String,
    /// Its type, as written.
    pub kind: String,
    /// Its line, from 1.
    pub line: usize,
}

/// The functions of `file` outside tests.
#[must_use]
pub fn functions(file: &SourceFile) -> Vec<Function> {
    let places = keyword_places(&file.code, "fn");
    let found = places.filter_map(|at| {
        let rest = file.code[at + 2..].trim_start();
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let (_, end) = body(&file.code, at)?;
        let (line, last) = (file.line_of(at), file.line_of(end));
        (!name.is_empty()).then_some(Function { name, line, length: last + 1 - line })
    });
    found.filter(|function| !file.is_test(function.line)).collect()
}

/// Fields of public structs and enums, and parameters of public functions, that are named like ids and typed like
/// texts or numbers.
#[must_use]
pub fn public_id_fields(file: &SourceFile) -> Vec<IdField> {
    let mut found = Vec::new();
    for keyword in ["pub struct", "pub enum", "pub fn", "pub async fn"] {
        for at in keyword_places(&file.code, keyword) {
            let Some((open, close)) = body(&file.code, at) else { continue };
            let (from, to) = if keyword.ends_with("fn") { (at, open) } else { (open, close) };
            found.extend(bare_ids(file, from, to));
        }
    }
    found.retain(|field| !file.is_test(field.line));
    found
}

/// Where `keyword` stands as whole words in `code`.
fn keyword_places<'a>(code: &'a str, keyword: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_name = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    code.match_indices(keyword).map(|(at, _)| at).filter(move |&at| {
        let before = at.checked_sub(1).and_then(|place| code.as_bytes().get(place));
        !is_name(before) && !is_name(code.as_bytes().get(at + keyword.len()))
    })
}

/// The opening and closing brace of the item at `from`; nothing for one that ends in `;`.
fn body(code: &str, from: usize) -> Option<(usize, usize)> {
    let mut nesting = 0_usize;
    let mut braces = 0_usize;
    let mut open = None;
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => nesting += 1,
            b')' | b']' => nesting = nesting.checked_sub(1)?,
            b';' if nesting == 0 && braces == 0 => return None,
            b'{' => {
                braces += 1;
                open.get_or_insert(at);
            }
            b'}' if braces == 1 => return open.map(|open| (open, at)),
            b'}' => braces = braces.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn bare_ids(file: &SourceFile, from: usize, to: usize) -> Vec<IdField> {
    let code = &file.code[from..to];
    let mut found = Vec::new();
    for (at, _) in code.match_indices(": ") {
        let is_name = |c: &char| c.is_alphanumeric() || *c == '_';
        let name: String = code[..at].chars().rev().take_while(is_name).collect::<Vec<_>>().into_iter().rev().collect();
        let kind: String = code[at + 2..].chars().take_while(|c| !matches!(c, ',' | '\n' | ')' | '{' | '}')).collect();
        let kind = kind.trim().to_owned();
        if is_id_name(&name) && is_bare(&kind) {
            found.push(IdField { name, kind, line: file.line_of(from + at) });
        }
    }
    found
}

fn is_id_name(name: &str) -> bool {
    let last = name.rsplit('_').next().unwrap_or_default();
    matches!(last, "id" | "ids" | "uuid")
}

/// Whether a type is a text or number, also behind references, `Option`, `Vec`, `Arc` and the like. `impl Into<String>`
/// is not: that is how a newtype is made.
fn is_bare(kind: &str) -> bool {
    let parts = kind.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).filter(|part| !part.is_empty());
    let mut parts = parts.filter(|part| !part.starts_with('\'')).peekable();
    let wrappers = ["Option", "Vec", "VecDeque", "Arc", "Box", "Rc", "Cow", "BTreeSet", "mut"];
    let bare = ["String", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i32", "i64", "i128", "Uuid"];
    parts.peek().is_some() && parts.all(|part| wrappers.contains(&part) || bare.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::{functions, public_id_fields};
    use crate::SourceFile;

    fn named(text: &str) -> Vec<(String, usize, usize)> {
        let file = SourceFile::new("crates/a/src/b.rs", text);
        functions(&file).into_iter().map(|function| (function.name, function.line, function.length)).collect()
    }

    fn ids(text: &str) -> Vec<(String, usize)> {
        let file = SourceFile::new("crates/a/src/b.rs", text);
        public_id_fields(&file).into_iter().map(|field| (field.name, field.line)).collect()
    }

    #[test]
    fn a_function_is_as_long_as_from_fn_to_its_brace() {
        let text = "/// Doc.\npub fn a(\n    b: [u8; 2],\n) {\n    let c = \"}\";\n}\nfn d() {}\n";
        assert_eq!(named(text), [("a".to_owned(), 2, 5), ("d".to_owned(), 7, 1)]);
    }

    #[test]
    fn declarations_pointers_and_words_are_no_functions() {
        assert_eq!(named("trait A { fn b(&self); }\nstruct B { c: fn(u8) -> u8 }\n// fn d() {}\n"), []);
    }

    #[test]
    fn functions_in_tests_are_left_out() {
        assert_eq!(named("#[cfg(test)]\nmod tests {\n    fn a() {}\n}\n"), []);
    }

    #[test]
    fn bare_ids_are_found_in_fields_variants_and_parameters() {
        let text = "pub struct A {\n    pub run_id: Option<String>,\n    pub note: String,\n}\n\
                    pub enum B {\n    C { id: u64 },\n}\npub fn d(id: &'static str, n: u64) {}\n";
        assert_eq!(ids(text), [("run_id".to_owned(), 2), ("id".to_owned(), 6), ("id".to_owned(), 8)]);
    }

    #[test]
    fn newtyped_and_private_ids_are_fine() {
        assert_eq!(ids("pub struct A {\n    pub id: RunId,\n    pub ids: Vec<StepId>,\n}\nfn b(id: u64) {}\n"), []);
        assert_eq!(ids("pub fn new(id: impl Into<String>) -> RunId {}\n"), [], "how a newtype is made");
    }
}
