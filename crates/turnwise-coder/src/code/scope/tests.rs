//! Names told apart in each language.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
use super::*;

/// What each occurrence of `n` is: `v` a variable and the line it is seen from, `i` of the file, `m` a part and whose.
#[track_caller]
fn check(name: &str, content: &str, expected: &str) {
    let source = Source::of(&FilePath::new(name).unwrap(), content.to_owned()).unwrap();
    let mut types = Types::default();
    types.read(&source);
    let (found, _) = source.occurrences("n", &types);
    let said = |it: &Occurrence| {
        let role = match &it.role {
            Role::Local { visible, .. } => format!("v{}", source.line_at(visible.start)),
            Role::Item { path, .. } => format!("i{}", path.join("/")),
            Role::Member { owners, .. } => format!("m{}", owners.join("/")),
            Role::Argument { function, .. } => format!("a{function}"),
            Role::Open => "open".to_owned(),
            Role::Apart => "apart".to_owned(),
        };
        format!("{}:{role}", it.line)
    };
    assert_eq!(found.iter().map(said).collect::<Vec<_>>().join(" "), expected, "{content}");
}

#[test]
fn rust_names_are_told_apart() {
    check("a.rs", "fn n() {}\nfn b(n: u8) -> u8 {\n n }\nfn c() {\n n(); }\n", "1:i 2:v2 3:v2 5:i");
    check("a.rs", "fn b() {\n let n = 1;\n let n = n + 1;\n f(|n| n);\n n }\n", "2:v2 3:v3 3:v2 4:v4 4:v4 5:v3");
    check(
        "a.rs",
        "fn b(n: u8) {\n println!(\"{n} {{n}} {n:>4} {:n$}\", 1);\n f!(\"{n}\", n = 2); }\n",
        "1:v1 2:v1 2:v1 2:v1 3:apart 3:apart",
    );
    check("a.rs", "struct A { n: u8 }\nimpl A {\n fn n(&self) -> u8 { self.n }\n}\n", "1:mA 3:mA 3:mA");
    check(
        "a.rs",
        "struct A;\nfn b(a: &A, o: O) {\n a.n(); o.n(); c().n(); A::n(); x::n(); }\n",
        "3:mA 3:mO 3:m 3:mA 3:ix",
    );
    check(
        "a.rs",
        "fn b() {\n let a = A { n: 1 };\n let n = 2;\n A { n };\n let A { n } = a; }\n",
        "2:mA 3:v3 4:v3 4:mA 5:v5 5:mA",
    );
    check(
        "a.rs",
        "use std::n;\nuse crate::{a::n, A};\nfn b() { n! (1); vec![n, A { n }]; }\n",
        "1:istd 2:icrate/a 3:i 3:i 3:open",
    );
    check("a.rs", "fn b() { match x { Some(n) if n > 1 => n, n => n }; n }\n", "1:v1 1:v1 1:v1 1:v1 1:v1 1:i");
    check("a.rs", "fn b() { if let Some(n) = n { n } else { n } }\n", "1:v1 1:i 1:v1 1:i");
}

#[test]
fn python_names_are_told_apart() {
    check("a.py", "n = 1\ndef b(n):\n    return n\ndef c():\n    return n\n", "1:i 2:v3 3:v3 5:i");
    check("a.py", "def b():\n    n = 1\n    print(f\"{n}\")\n    return [n for n in n]\n", "2:v2 3:v2 4:v4 4:v4 4:v4");
    check("a.py", "n = 1\ndef b():\n    global n\n    n = 2\n", "1:i 3:i 4:i");
    check(
        "a.py",
        "class A:\n    def n(self):\n        self.n()\ndef b(a: A, x):\n    a.n()\n    x.n()\n",
        "2:mA 3:mA 5:mA 6:m",
    );
    check("a.py", "import m\nfrom k import n\nm.n()\ndef b(n): pass\nb(n=1)\nc(n=1)\n", "2:ik 3:im 4:v4 5:ab 6:ac");
}

#[test]
fn script_names_are_told_apart() {
    check(
        "a.ts",
        "const n = 1;\nfunction b(n: number) {\n return `${n}`; }\nconst c = () => n;\n",
        "1:i 2:v2 3:v2 4:i",
    );
    check(
        "a.ts",
        "function b() {\n const n = 1;\n { let n = 2; f(n); }\n return { n }; }\n",
        "2:v1 3:v3 3:v3 4:v1 4:m",
    );
    check(
        "a.ts",
        "class A { n() { this.n(); } }\nfunction b(a: A, x) { a.n(); x.n(); new A().n(); }\n",
        "1:mA 1:mA 2:mA 2:m 2:mA",
    );
    check("a.ts", "import { n } from './k/m';\nimport * as m from './m';\nn(); m.n();\n", "1:i./k/m 3:i 3:i./m");
}

#[test]
fn go_names_are_told_apart() {
    check("a.go", "package a\nfunc n() {}\nfunc b(n int) {\n f(n)\n}\nfunc c() { n() }\n", "2:i 3:v3 4:v3 6:i");
    check(
        "a.go",
        "package a\nfunc b() {\n n := 1\n if n := 2; n > 1 { f(n) }\n n, e := 3, 4\n}\n",
        "3:v3 4:v4 4:v4 4:v4 5:v3",
    );
    check(
        "a.go",
        "package a\nimport \"x/m\"\ntype A struct { n int }\nfunc (a A) b(o O) { a.n = 1; o.n(); m.n() }\nvar c = A{n: 1}\n",
        "3:mA 4:mA 4:mO 4:im 5:mA",
    );
}
