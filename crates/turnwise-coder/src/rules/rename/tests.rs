//! What a rename changes, leaves, lists apart and refuses.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
use super::super::tests::{check, check_answered, refused};

/// The content of one file after `message`, and the notes.
#[track_caller]
fn one(name: &str, before: &str, message: &str, after: &str) -> String {
    check(&[(name, before)], message, &[(name, after)]).join("\n")
}

#[test]
fn a_variable_is_renamed_in_its_function_only_and_in_what_is_printed_of_it() {
    let rust = "fn a() -> u8 {\n    let total = 1;\n    println!(\"{total} {{total}}\");\n    total\n}\n\n\
                fn b(total: u8) -> u8 {\n    total\n}\n";
    let after = rust.replacen("let total", "let sum", 1).replacen("\"{total}", "\"{sum}", 1).replacen(
        "    total\n}\n\nfn b",
        "    sum\n}\n\nfn b",
        1,
    );
    let notes = one("a.rs", rust, "rename total to sum in the function a", &after);
    assert!(notes.contains("Another “total” stays as it is: a.rs:7, a.rs:8"), "{notes}");
    refused(&[("a.rs", rust)], "rename total to sum", "variable total in b, a.rs:7");
    let python =
        "def a(total):\n    return f\"{total:>4}\"\n\n\ndef b():\n    total = 2\n    return total\n\na(total=1)\n";
    let after = "def a(sum):\n    return f\"{sum:>4}\"\n\n\ndef b():\n    total = 2\n    return total\n\na(sum=1)\n";
    one("a.py", python, "rename total to sum in the function a", after);
    let script = "function a(total: number) {\n  const f = () => `${total}`;\n  return { total };\n}\nlet total = 1;\n";
    let after = "function a(sum: number) {\n  const f = () => `${sum}`;\n  return { total: sum };\n}\nlet total = 1;\n";
    one("a.ts", script, "rename total to sum in function a", after);
}

#[test]
fn what_is_shadowed_is_another_name() {
    let rust =
        "fn total() -> u8 {\n    1\n}\n\nfn a(total: u8) -> u8 {\n    total\n}\n\nfn b() -> u8 {\n    total()\n}\n";
    let after = "fn sum() -> u8 {\n    1\n}\n\nfn a(total: u8) -> u8 {\n    total\n}\n\nfn b() -> u8 {\n    sum()\n}\n";
    let notes = one("a.rs", rust, "rename total to sum", after);
    assert!(notes.contains("Another “total” stays as it is: a.rs:5, a.rs:6"), "{notes}");
    let go = "package a\n\nfunc total() int { return 1 }\n\nfunc b() int {\n\ttotal := total()\n\treturn total\n}\n";
    let after = "package a\n\nfunc sum() int { return 1 }\n\nfunc b() int {\n\ttotal := sum()\n\treturn total\n}\n";
    one("a.go", go, "rename the function total to sum", after);
}

const CARTS: &str = "struct Cart {\n    items: Vec<u8>,\n}\n\nimpl Cart {\n    fn total(&self) -> u8 {\n        1\n    }\n\n    \
                     fn twice(&self) -> u8 {\n        self.total() * 2\n    }\n}\n\nstruct Bill;\n\nimpl Bill {\n    \
                     fn total(&self) -> u8 {\n        2\n    }\n}\n\nfn sums(cart: &Cart, bill: &Bill) -> u8 {\n    \
                     cart.total() + bill.total() + make().total()\n}\n";

#[test]
fn a_method_is_renamed_where_its_type_is_known_and_listed_where_it_is_not() {
    let after =
        CARTS.replacen("fn total", "fn sum", 1).replace("self.total", "self.sum").replace("cart.total", "cart.sum");
    let notes = one("a.rs", CARTS, "rename Cart::total to sum", &after);
    assert!(
        notes.contains("1 place that may be another “total” stays: a.rs:24. “also a.rs:24” takes one in"),
        "{notes}"
    );
    refused(&[("a.rs", CARTS)], "rename total to sum", "method Bill::total, a.rs:18");
    let made = format!("{CARTS}\nfn make() -> Cart {{\n    Cart {{ items: Vec::new() }}\n}}\n");
    let after = format!("{after}\nfn make() -> Cart {{\n    Cart {{ items: Vec::new() }}\n}}\n");
    let notes =
        one("a.rs", &made, "rename the method total of Cart to sum", &after.replace("make().total", "make().sum"));
    assert!(!notes.contains("may be another"), "{notes}");
}

#[test]
fn a_trait_is_renamed_with_all_that_keep_it_unless_it_is_of_somebody_else() {
    let rust = "trait Sized2 {\n    fn size(&self) -> u8;\n}\n\nstruct A;\n\nimpl Sized2 for A {\n    fn size(&self) -> u8 {\n        \
                1\n    }\n}\n\nfn b(x: &dyn Sized2, a: &A) -> u8 {\n    x.size() + a.size()\n}\n";
    one("a.rs", rust, "rename size to extent", &rust.replace("size", "extent"));
    // What a type has by itself is another thing than what a trait gives it under that name.
    let both = "trait Count {\n    fn count(&self) -> u8;\n}\n\nstruct A;\n\nimpl A {\n    fn count(&self) -> u8 {\n        1\n    }\n}\n\n\
                impl Count for A {\n    fn count(&self) -> u8 {\n        self.count()\n    }\n}\n\nfn b(x: &dyn Count) -> u8 {\n    \
                x.count()\n}\n";
    let own = both.replacen("impl A {\n    fn count", "impl A {\n    fn tally", 1).replace("self.count", "self.tally");
    one("a.rs", both, "rename A::count to tally", &own);
    let kept = both.replace("count", "tally").replacen("impl A {\n    fn tally", "impl A {\n    fn count", 1);
    one("a.rs", both, "rename Count::count to tally", &kept.replace("self.tally", "self.count"));
    let shown = "struct A;\n\nimpl std::fmt::Display for A {\n    fn fmt(&self) {}\n}\n";
    refused(&[("a.rs", shown)], "rename fmt to show", "keeps the trait Display, which is not defined here");
}

#[test]
fn a_function_is_found_by_the_module_it_is_called_from() {
    let files = [
        ("src/lib.rs", "mod cart;\nmod bill;\nuse cart::total;\n\nfn a() -> u8 {\n    total() + bill::total()\n}\n"),
        ("src/cart.rs", "pub fn total() -> u8 {\n    1\n}\n"),
        ("src/bill.rs", "pub fn total() -> u8 {\n    2\n}\n"),
    ];
    check(
        &files,
        "rename cart::total to sum",
        &[
            ("src/cart.rs", "pub fn sum() -> u8 {\n    1\n}\n"),
            ("src/lib.rs", "mod cart;\nmod bill;\nuse cart::sum;\n\nfn a() -> u8 {\n    sum() + bill::total()\n}\n"),
        ],
    );
    refused(&files, "rename the module cart to basket", "is a file of its own");
    let files = [
        ("shop/cart.py", "def total():\n    return 1\n"),
        ("main.py", "from shop.cart import total\nfrom other import total as t\n\nprint(total())\n"),
    ];
    check(
        &files,
        "rename total to summed",
        &[
            ("main.py", "from shop.cart import summed\nfrom other import total as t\n\nprint(summed())\n"),
            ("shop/cart.py", "def summed():\n    return 1\n"),
        ],
    );
}

#[test]
fn a_field_keeps_the_variables_beside_it() {
    let rust = "struct A {\n    total: u8,\n}\n\nfn b(total: u8) -> A {\n    let A { total: other } = A { total };\n    \
                A { total: other }\n}\n";
    let after = "struct A {\n    sum: u8,\n}\n\nfn b(total: u8) -> A {\n    let A { sum: other } = A { sum: total };\n    \
                 A { sum: other }\n}\n";
    one("a.rs", rust, "rename the field total to sum", after);
}

#[test]
fn a_name_that_would_be_caught_is_refused() {
    let rust = "fn a(total: u8, sum: u8) -> u8 {\n    total + sum\n}\n";
    refused(
        &[("a.rs", rust)],
        "rename total to sum",
        "“sum” stands for something else where it would be written: a.rs:1",
    );
    let rust = "fn total() -> u8 {\n    1\n}\n\nfn a(sum: u8) -> u8 {\n    total() + sum\n}\n";
    refused(&[("a.rs", rust)], "rename total to sum", "a.rs:5");
    let rust = "fn sum() -> u8 {\n    1\n}\n\nfn a(total: u8) -> u8 {\n    total + sum()\n}\n";
    refused(&[("a.rs", rust)], "rename total to sum", "a.rs:6");
}

#[test]
fn what_is_of_std_or_of_another_crate_is_never_renamed() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/io.rs", "pub fn stdin() -> u8 {\n    1\n}\n"),
        (
            "src/lib.rs",
            "mod io;\nmod other;\nmod more;\n\nfn a() -> u8 {\n    std::io::stdin();\n    io::stdin() + crate::io::stdin()\n}\n",
        ),
        ("src/other.rs", "use std::io;\nuse std::io::stdin;\n\nfn b() {\n    io::stdin();\n    stdin();\n}\n"),
        ("src/more.rs", "use std::io::*;\n\nfn b() {\n    stdin();\n    tokio::io::stdin();\n}\n"),
    ];
    let lib = files[2].1.replace("    io::stdin() + crate::io::stdin", "    io::input() + crate::io::input");
    let notes = check(
        &files,
        "rename stdin to input",
        &[("src/io.rs", "pub fn input() -> u8 {\n    1\n}\n"), ("src/lib.rs", &lib)],
    );
    let notes = notes.join("\n");
    assert!(notes.contains("1 place that may be another “stdin” stays: src/more.rs:4."), "{notes}");
}

#[test]
fn the_crate_of_one_folder_is_not_that_of_another() {
    let user = "use crate::helper;\n\nfn a() -> u8 {\n    helper() + crate::helper()\n}\n";
    let files = [
        ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n"),
        ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
        ("a/src/lib.rs", "mod user;\n\npub fn helper() -> u8 {\n    1\n}\n"),
        ("a/src/user.rs", user),
        ("b/Cargo.toml", "[package]\nname = \"b\"\n"),
        ("b/src/lib.rs", "mod user;\n\npub fn helper() -> u8 {\n    a::helper()\n}\n"),
        ("b/src/user.rs", user),
        ("b/tests/t.rs", "fn helper() -> u8 {\n    crate::helper() + b::helper()\n}\n"),
    ];
    let notes = check_answered(
        &files,
        "a/src/lib.rs:3:8",
        "rename helper to help",
        &[
            ("a/src/lib.rs", "mod user;\n\npub fn help() -> u8 {\n    1\n}\n"),
            ("a/src/user.rs", &user.replace("helper", "help")),
            ("b/src/lib.rs", "mod user;\n\npub fn helper() -> u8 {\n    a::help()\n}\n"),
        ],
    );
    assert!(!notes.join("\n").contains("may be another"), "{notes:?}");
}

#[test]
fn what_a_facade_gives_on_is_followed() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/cart.rs", "pub fn total() -> u8 {\n    1\n}\n"),
        ("src/lib.rs", "mod cart;\n\npub use cart::total;\n"),
        ("src/main.rs", "use shop::total;\n\nfn main() {\n    total();\n}\n"),
    ];
    check(
        &files,
        "rename total to sum",
        &[
            ("src/cart.rs", "pub fn sum() -> u8 {\n    1\n}\n"),
            ("src/lib.rs", "mod cart;\n\npub use cart::sum;\n"),
            ("src/main.rs", "use shop::sum;\n\nfn main() {\n    sum();\n}\n"),
        ],
    );
}

#[test]
fn two_things_of_one_name_in_one_place_are_refused() {
    let told = "is there already in the same place: ";
    let rust = "fn alpha() -> u8 {\n    beta()\n}\n\nfn beta() -> u8 {\n    1\n}\n";
    refused(&[("a.rs", rust)], "rename alpha to beta", told);
    let imported = "use x::beta;\n\nfn alpha() {}\n";
    refused(&[("a.rs", imported)], "rename alpha to beta", &format!("{told}a.rs:1"));
    let fields = "struct P {\n    a: u8,\n    b: u8,\n}\n\nimpl P {\n    fn get(&self) -> u8 {\n        self.a\n    }\n\n    \
                  fn put(&self) {}\n}\n";
    refused(&[("a.rs", fields)], "rename P.a to b", &format!("{told}a.rs:3"));
    refused(&[("a.rs", fields)], "rename P::get to put", &format!("{told}a.rs:11"));
    // A field and a method may share a name, and so may things of two modules.
    one("a.rs", fields, "rename P::get to a", &fields.replace("fn get", "fn a"));
    let modules = "mod m {\n    fn beta() {}\n}\n\nfn alpha() {}\n";
    one("a.rs", modules, "rename alpha to beta", &modules.replace("alpha", "beta"));
    let script = "class Cart {\n  total() { return 1; }\n  sum() { return 2; }\n}\n";
    refused(&[("a.ts", script)], "rename Cart.total to sum", &format!("{told}a.ts:3"));
    // What the language gives would be caught.
    let python = "def total(x):\n    return sum(x)\n";
    refused(&[("a.py", python)], "rename total to sum", &format!("{told}a.py:2"));
}

#[test]
fn an_argument_of_a_macro_is_not_given_the_name_of_another() {
    let rust = "fn a() {\n    let x = 1;\n    println!(\"{x} {y}\", y = 5);\n    println!(\"{x} {z}\", z = 5);\n}\n";
    refused(&[("a.rs", rust)], "rename x to y", "stands for something else where it would be written: a.rs:3");
    let after = rust.replace("{x}", "{w}").replace("let x", "let w");
    one("a.rs", rust, "rename x to w", &after);
}

#[test]
fn what_comes_from_a_package_is_the_packages() {
    let files = [
        ("cart.ts", "export function total() { return 1; }\n"),
        ("v.ts", "import * as fs from \"fs\";\nimport total from \"lodash/total\";\ntotal(1);\n"),
        ("w.ts", "import * as fs from \"fs\";\ntotal(1);\n"),
        ("x.ts", "import { total } from \"./cart\";\ntotal();\n"),
    ];
    let notes = check(
        &files,
        "rename total to whole",
        &[
            ("cart.ts", "export function whole() { return 1; }\n"),
            ("x.ts", "import { whole } from \"./cart\";\nwhole();\n"),
        ],
    );
    let notes = notes.join("\n");
    assert!(notes.contains("1 place that may be another “total” stays: w.ts:2."), "{notes}");
    assert!(notes.contains("Another “total” stays as it is: v.ts:2, v.ts:3"), "{notes}");
}

#[test]
fn what_python_takes_whole_is_followed() {
    let files = [
        ("other.py", "from math import *\n\ntotal()\n"),
        ("shop.py", "def total():\n    return 1\n"),
        ("use.py", "from shop import *  # noqa\n\ntotal()\n"),
    ];
    let notes = check(
        &files,
        "rename total to whole",
        &[("shop.py", "def whole():\n    return 1\n"), ("use.py", "from shop import *  # noqa\n\nwhole()\n")],
    );
    assert!(notes.join("\n").contains("1 place that may be another “total” stays: other.py:3."), "{notes:?}");
}

#[test]
fn where_all_of_several_are_meant_their_uses_are_as_well() {
    let all = CARTS.replace("fn total", "fn sum").replace(".total()", ".sum()");
    let notes = check_answered(&[("a.rs", CARTS)], "all", "rename total to sum", &[("a.rs", &all)]);
    assert!(!notes.join("\n").contains("may be another"), "{notes:?}");
}

#[test]
fn a_parameter_of_python_is_renamed_where_its_function_is_surely_called() {
    let lib = "def scale(rate):\n    return rate * 2\n\n\nclass A:\n    def __init__(self, rate):\n        self.kept = rate\n\n    \
               def go(self, rate):\n        return rate\n\n\ndef go(rate):\n    return rate\n\n\ndef many(a: A, x):\n    \
               a.go(rate=1)\n    go(rate=2)\n    x.go(rate=3)\n    A(rate=4)\n";
    let uses = "import lib\nfrom lib import scale, A\nfrom other import scale as s\n\nscale(rate=3)\nlib.scale(rate=4)\n\
                s(rate=5)\nprint(rate=6)\nA(rate=7).go(rate=8)\n";
    let other = "from elsewhere import scale\n\nscale(rate=3)\n";
    let files = [("lib.py", lib), ("other.py", other), ("use.py", uses)];
    let notes = check(
        &files,
        "rename rate to factor in the function scale",
        &[
            ("lib.py", &lib.replacen("scale(rate):\n    return rate", "scale(factor):\n    return factor", 1)),
            ("use.py", &uses.replace("\nscale(rate", "\nscale(factor").replace("lib.scale(rate", "lib.scale(factor")),
        ],
    );
    assert!(notes.join("\n").contains("1 place that may be another “rate” stays: use.py:7."), "{notes:?}");
    // A method is no function of that name, and what it is called on has to be known.
    let after = lib
        .replace("def go(self, rate):\n        return rate", "def go(self, factor):\n        return factor")
        .replace("a.go(rate", "a.go(factor");
    let used = uses.replace(".go(rate", ".go(factor");
    let notes =
        check_answered(&files, "lib.py:9:18", "rename rate to factor in go", &[("lib.py", &after), ("use.py", &used)]);
    assert!(notes.join("\n").contains("1 place that may be another “rate” stays: lib.py:20."), "{notes:?}");
    let after = lib
        .replace(
            "__init__(self, rate):\n        self.kept = rate",
            "__init__(self, factor):\n        self.kept = factor",
        )
        .replace("A(rate", "A(factor");
    let used = uses.replace("A(rate", "A(factor");
    check(&files, "rename rate to factor in __init__", &[("lib.py", &after), ("use.py", &used)]);
}

#[test]
fn a_type_by_another_name_or_within_another_may_be_meant() {
    let files = [
        (
            "src/cart.rs",
            "pub struct Cart;\n\nimpl Cart {\n    pub fn total(&self) -> u8 {\n        1\n    }\n}\n\npub type Basket = Cart;\n",
        ),
        (
            "src/lib.rs",
            "mod cart;\nuse cart::Cart as C;\nuse cart::{Basket, Cart};\nuse std::sync::MutexGuard;\n\nstruct Held(Cart);\n\n\
             impl std::ops::Deref for Held {\n    type Target = Cart;\n}\n\nfn a(c: &C, b: &Basket, h: &Held, g: \
             MutexGuard<'_, Cart>, v: &Vec<Cart>) {\n    c.total();\n    b.total();\n    h.total();\n    g.total();\n    \
             v.total();\n    C::total(c);\n}\n",
        ),
    ];
    let lib = files[1].1;
    let after = ["c.total", "b.total", "h.total", "C::total"]
        .iter()
        .fold(lib.to_owned(), |text, it| text.replace(it, &it.replace("total", "sum")));
    let notes = check(
        &files,
        "rename Cart::total to sum",
        &[("src/cart.rs", &files[0].1.replace("total", "sum")), ("src/lib.rs", &after)],
    );
    let notes = notes.join("\n");
    assert!(notes.contains("1 place that may be another “total” stays: src/lib.rs:16."), "{notes}");
    assert!(notes.contains("Another “total” stays as it is: src/lib.rs:17"), "{notes}");
    let shapes = "trait Shape {\n    const SIDES: u8;\n}\n\nstruct A;\n\nimpl Shape for A {\n    const SIDES: u8 = 3;\n}\n\nfn \
                  a<T: Shape>() -> u8 {\n    T::SIDES + A::SIDES\n}\n";
    let notes =
        one("a.rs", shapes, "rename SIDES to EDGES", &shapes.replace("SIDES", "EDGES").replace("T::EDGES", "T::SIDES"));
    assert!(notes.contains("1 place that may be another “SIDES” stays: a.rs:12."), "{notes}");
    // What is given to every type may be meant of any.
    let blanket = "trait Loud {\n    fn loud(&self);\n}\n\nimpl<T> Loud for T {\n    fn loud(&self) {}\n}\n\nfn a(x: u8) {\n    \
                   x.loud();\n}\n";
    let notes = one("a.rs", blanket, "rename loud to shout", &blanket.replace("fn loud", "fn shout"));
    assert!(notes.contains("1 place that may be another “loud” stays: a.rs:10."), "{notes}");
}

#[test]
fn a_variant_that_is_brought_in_follows() {
    let rust = "enum Kind {\n    Big,\n    Small,\n}\n\nuse Kind::*;\n\nfn a(k: Kind) -> u8 {\n    match k {\n        Big => 1,\n        \
                Small => 2,\n    }\n}\n";
    one("a.rs", rust, "rename Big to Large", &rust.replace("Big", "Large"));
    let named = rust.replace("use Kind::*", "use Kind::{Big, Small as S}");
    one("a.rs", &named, "rename Big to Large", &named.replace("Big", "Large"));
    let files = [
        ("src/kind.rs", "pub enum Kind {\n    Big,\n}\n"),
        ("src/lib.rs", "mod kind;\nuse other::Kind::*;\n\nfn a() {\n    Big;\n}\n"),
    ];
    check(&files, "rename Big to Large", &[("src/kind.rs", "pub enum Kind {\n    Large,\n}\n")]);
}

#[test]
fn what_go_embeds_gives_its_parts_and_an_interface_may_be_kept() {
    let go = "package a\n\ntype Base struct {\n\tn int\n}\n\nfunc (b Base) Size() int { return b.n }\n\ntype Kid struct {\n\tBase\n}\n\n\
              type Sizer interface {\n\tSize() int\n}\n\nfunc use(k *Kid, s Sizer, b Base) int {\n\tx := &Kid{Base: Base{n: 1}}\n\t\
              return k.Size() + s.Size() + x.Base.Size() + b.Size()\n}\n";
    let base = go.replace("Base", "Core");
    one("a.go", go, "rename Base to Core", &base);
    let size = [") Size() int {", "k.Size", "x.Base.Size", "b.Size"]
        .iter()
        .fold(go.to_owned(), |text, it| text.replace(it, &it.replace("Size", "Span")));
    let notes = one("a.go", go, "rename Base.Size to Span", &size);
    assert!(notes.contains("that may be another “Size” stay: a.go:14, a.go:19"), "{notes}");
    let alone =
        go.replace("Sizer interface {\n\tSize() int", "Sizer interface {\n\tLen() int").replace("s.Size", "s.Len");
    one("a.go", &alone, "rename Base.Size to Span", &alone.replace("Size()", "Span()"));
}

#[test]
fn what_a_name_is_in_is_said_in_a_word() {
    let rust = "struct Cart;\n\nimpl Cart {\n    fn total(&self, rate: u8) -> u8 {\n        rate\n    }\n}\n\nfn h(rate: u8) -> u8 {\n    \
                rate\n}\n\nfn total(rate: u8) -> u8 {\n    rate\n}\n";
    let h = rust.replace("fn h(rate: u8) -> u8 {\n    rate", "fn h(factor: u8) -> u8 {\n    factor");
    one("a.rs", rust, "rename rate to factor in h", &h);
    let method = rust.replace("rate: u8) -> u8 {\n        rate", "factor: u8) -> u8 {\n        factor");
    one("a.rs", rust, "rename rate to factor in Cart.total", &method);
    one("a.rs", rust, "rename rate to factor in Cart::total", &method);
    refused(&[("a.rs", rust)], "rename rate to factor in nothing_here", "There is no such “rate” in nothing_here");
}

#[test]
fn a_parameter_that_is_a_field_as_well_is_one_with_it() {
    let script = "class Box {\n  constructor(private label: string, public size = 0, readonly depth = 1) {\n    this.size += size;\n  }\n\n  \
                  grow(size: number) {\n    this.size += size;\n    return { size };\n  }\n}\n\nclass Maker {\n  make(): Box {\n    return \
                  new Box(\"a\");\n  }\n}\n\nfunction f(m: Maker, size: number) {\n  return m.make().size + size;\n}\n";
    let after = script
        .replace("public size", "public length")
        .replace("this.size += size;\n  }\n\n  grow", "this.length += length;\n  }\n\n  grow")
        .replace("this.size", "this.length")
        .replace("make().size", "make().length");
    let notes = one("a.ts", script, "rename Box.size to length", &after);
    assert!(!notes.contains("a.ts:2") && !notes.contains("a.ts:19, "), "{notes}");
    let deep = script.replace("depth", "height");
    one("a.ts", script, "rename the parameter depth to height", &deep);
}

#[test]
fn what_is_given_to_every_type_that_keeps_a_trait_has_the_parts_of_that_trait() {
    let rust = "pub trait Snake {\n    fn snake(&self) -> u8;\n}\n\npub trait Snek: Snake {\n    fn snek(&self) -> u8;\n}\n\nimpl<T: ?Sized + \
                Snake> Snek for T {\n    fn snek(&self) -> u8 {\n        self.snake()\n    }\n}\n\npub trait Other {\n    fn other(&self) \
                -> u8;\n}\n\nimpl<U> Other for U\nwhere\n    U: Snake,\n{\n    fn other(&self) -> u8 {\n        \
                self.snake()\n    }\n}\n\nfn a<V: Snake>(v: V, w: impl Clone + Snake, x: &dyn Snek) -> u8 {\n    v.snake() + w.snake() + \
                x.snake()\n}\n";
    one("a.rs", rust, "rename snake to adder", &rust.replace("snake(", "adder("));
    // Nothing is asked of it that has the part: then it may be any.
    let open = "trait A {\n    fn part(&self);\n}\n\ntrait B {\n    fn own(&self);\n}\n\nimpl<T: std::ops::Deref> B for T {\n    \
                fn own(&self) {\n        self.part()\n    }\n}\n";
    let notes = one("a.rs", open, "rename part to piece", &open.replacen("fn part", "fn piece", 1));
    assert!(notes.contains("1 place that may be another “part” stays: a.rs:11."), "{notes}");
}

#[test]
fn a_type_that_is_written_down_is_followed_from_where_it_is_written() {
    let rust = "struct A;\n\nstruct B;\n\nimpl A {\n    fn n(&self) {}\n\n    fn with(&self, other: &Self) {\n        other.n();\n    }\n}\n\nimpl B \
                {\n    fn n(&self) {}\n\n    fn with(&self, other: &Self) {\n        other.n();\n    }\n}\n";
    let (first, second) = rust.split_at(rust.find("impl B").unwrap());
    let after = format!("{}{second}", first.replace("n()", "m()").replace("fn n", "fn m"));
    let notes = one("a.rs", rust, "rename A::n to m", &after);
    assert!(!notes.contains("may be another"), "{notes}");
    let script = "class Store {\n  add(one: string) {\n    return one;\n  }\n}\n\nclass Cart {\n  add(one: string) {\n    return one;\n  }\n}\n\n\
                  const s = new Store();\ns.add(\"a\");\nexport const c: Cart = make();\nc.add(\"b\");\nlet x = new Store();\nx.add(\"c\");\n";
    let after = script.replacen("add(", "put(", 1).replace("s.add", "s.put");
    let notes = one("a.ts", script, "rename Store.add to put", &after);
    assert!(notes.contains("1 place that may be another “add” stays: a.ts:18."), "{notes}");
    let script = "interface Item {\n  id: string;\n}\n\ninterface Other {\n  id: string;\n}\n\nfunction add({ id }: Item, { id: second }: Item, o: \
                  Other) {\n  const { id: third } = o;\n  return id + second + third;\n}\n";
    let after = script
        .replacen("  id: string", "  key: string", 1)
        .replace("{ id }: Item", "{ key: id }: Item")
        .replace("{ id: second }", "{ key: second }");
    let notes = one("a.ts", script, "rename Item.id to key", &after);
    assert!(!notes.contains("may be another"), "{notes}");
    let python = "class A:\n    def move(self):\n        pass\n\n\nclass B:\n    def move(self):\n        pass\n\n\nclass C(A):\n    def go(self):\n        \
                  super().move()\n\n\nb = B()\nb.move()\na = A()\na.move()\n";
    let after = python
        .replacen("def move", "def shift", 1)
        .replace("super().move", "super().shift")
        .replace("a.move", "a.shift");
    let notes = one("a.py", python, "rename A.move to shift", &after);
    assert!(!notes.contains("may be another"), "{notes}");
    let script = "class A {\n  move() {}\n}\n\nclass B extends A {\n  go() {\n    super.move();\n  }\n}\n\nclass C {\n  move() {}\n}\n";
    let after = script.replacen("move", "shift", 1).replace("super.move", "super.shift");
    for name in ["a.ts", "a.js"] {
        let notes = one(name, script, "rename A.move to shift", &after);
        assert!(!notes.contains("may be another"), "{notes}");
    }
}

#[test]
fn a_path_that_begins_above_is_followed_to_where_it_leads() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/lib.rs", "mod cart;\nmod bill;\npub struct Error;\n"),
        ("src/cart.rs", "mod parts;\n\npub struct Error;\n\nfn a() -> super::Error {\n    super::Error\n}\n"),
        ("src/cart/parts.rs", "fn b() -> super::Error {\n    super::super::Error;\n    super::Error\n}\n"),
        (
            "src/bill.rs",
            "pub struct Error;\n\nmod tests {\n    fn c() -> super::Error {\n        super::Error\n    }\n}\n",
        ),
    ];
    let notes = check_answered(
        &files,
        "src/lib.rs:3:12",
        "rename Error to Fault",
        &[
            ("src/cart.rs", &files[2].1.replace("super::Error", "super::Fault")),
            ("src/cart/parts.rs", &files[3].1.replace("super::super::Error", "super::super::Fault")),
            ("src/lib.rs", &files[1].1.replace("Error", "Fault")),
        ],
    );
    assert!(!notes.join("\n").contains("may be another"), "{notes:?}");
    // A module within a module of one file is not looked into.
    let deep = "pub struct Error;\n\nmod a {\n    pub struct Error;\n\n    mod b {\n        fn c() -> super::Error {\n            super::Error\n        \
                }\n    }\n}\n";
    let files = [("Cargo.toml", "[package]\nname = \"shop\"\n"), ("src/lib.rs", deep)];
    let after = deep.replacen("Error", "Fault", 1);
    check_answered(&files, "src/lib.rs:1:12", "rename Error to Fault", &[("src/lib.rs", &after)]);
}

#[test]
fn a_rename_is_read_with_its_file_before_the_new_name_and_by_what_kind_is_said() {
    let files = [("m.ts", "function total() {}\n"), ("n.ts", "function total() {}\n")];
    let after = [("m.ts", "function addUp() {}\n")];
    for said in ["rename the function total in m.ts to addUp", "rename total in the file m.ts to addUp"] {
        check(&files, said, &after);
    }
    let rust = "enum Kind {\n    Big,\n}\n\nstruct Big;\n";
    one("a.rs", rust, "rename the variant Big to Huge", &rust.replacen("Big", "Huge", 1));
    let both = "fn total() {}\n\nstruct Cart;\n\nimpl Cart {\n    fn total(&self) {}\n}\n";
    one("a.rs", both, "rename the function total to sum", &both.replacen("total", "sum", 1));
}
