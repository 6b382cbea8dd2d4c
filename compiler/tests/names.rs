//! What every token of an expansion may mean. A kernel stands in a scope that its author fills: a
//! type called `f64`, a macro `vec`, a trait whose `len` is found first would all be taken for Rust's
//! own, and bounds be checked against a lie.

use loopwright_compiler::driver::expand;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Kernels of all kinds: slices, arrays, views, maps, tables, generic ones, results, memory of their
/// own, pieces of loops, pure functions, integers, elementary functions, flat subscripts.
const KERNELS: [&str; 17] = [
    "pub fn k(x: &[f64], y: &mut [f64]) { for i in 1..x.len() { y[i] = x[i] - x[i - 1]; } }",
    "pub fn k(n: usize, m: i32, x: &[f64; 40], y: &mut [[f64; 3]]) {
        for i in 0..n { for j in 0..3 { y[i][j] += x[3 * i + j + m as usize].sqrt().min(2.0); } }
    }",
    "pub fn k(m: &[[i32; 3]], p: &[u16], x: &[f64], y: &mut [f64]) {
        for e in 0..m.len() { for i in 0..3 { y[p[m[e][i] as usize] as usize] += x[m[e][i] as usize]; } }
    }",
    "pub fn k(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        for i in 0..x.nrows() { for j in 0..x.ncols() { y[[i, j]] += 2.0 * x[[i, j]]; } }
    }",
    "pub fn k(x: &Array2<f32>, y: &mut Array1<f32>) {
        for i in 0..x.nrows() { for j in 0..x.ncols() { y[j] += x[[i, j]].powi(3); } }
    }",
    "pub fn k<T: Real, const N: usize>(x: &[T; N], a: T, y: &mut [T]) {
        for i in 0..N { y[i] = if x[i] < a { x[i].max(a) } else { a * a }; }
    }",
    "pub fn k<T: Scalar>(x: &[[T; 3]], y: &[T]) -> T {
        let mut s = T::from_f64(0.0);
        for i in 0..x.len() { for j in 0..3 { s += x[i][j] * y[i] * T::from_f64(0.5); } }
        s
    }",
    "pub fn k(x: &[f64], y: &[f64]) -> f64 {
        let mut s = 0.0; for i in 0..x.len() { s += x[i] * y[i]; } s
    }",
    "pub fn k(n: usize, x: &[f64], y: &mut [f64]) {
        let mut t = vec![0.0; n];
        for i in 0..n { t[i] = x[i] * x[i]; }
        for i in 0..n { y[i] += t[n - 1 - i]; }
    }",
    "pub fn k(n: usize, x: &[f64], y: &mut [f64]) { for i in 0..n { y[i] = x[i] + x[(i + 1) % n]; } }",
    "#[opt(pure(a::f, g))] pub fn k(x: &[f64], y: &mut [f64], z: &mut [f32]) {
        for i in 0..x.len() { y[i] = a::f(x[i], 2.0 * x[i]); z[i] = g(z[i]); }
    }",
    "pub fn k(a: &[u8], b: &[f32], y: &mut [f32]) { for i in 0..a.len() { y[i] = a[i] as f32 * b[i]; } }",
    "pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] = x[i].exp() + x[i].sin().abs() * x[i].cos() + x[i].powi(-3) + x[i].floor() + x[i].mul_add(2.0, x[i]); }
    }",
    "pub fn k(nx: usize, ny: usize, u: &[f64], v: &mut [f64]) {
        for j in 1..ny.saturating_sub(1) { for i in 0..nx { v[j * nx + i] = u[(j - 1) * nx + i] + u[(j + 1) * nx + i]; } }
    }",
    "static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
    static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
    pub fn k(c: &[f64], a: &mut [[[f64; 6]; 6]]) {
        for e in 0..c.len() { for q in 0..6 { for i in 0..6 { for j in 0..6 {
            a[e][i][j] += W[q] * c[e] * PHI[q][i] * PHI[q][j];
        } } } }
    }",
    "pub fn k(u: &mut [f64]) { for i in 1..u.len() { u[i] = u[i - 1]; } }",
    "pub fn k<T: Scalar, const N: usize>(s: &[u32; N], c: &[[usize; 2]], d: i32, x: &[T], y: &mut [T]) {
        for i in 0..N - 1 { for k in s[i] as usize..s[i + 1] as usize {
            let at = c[k][d as usize % 2] / 3 * (d as usize);
            y[i] += if i < N / 2 { x[at.min(7)] } else { y[at.saturating_sub(i) & 3] };
        } }
    }",
];

/// Methods that `unsafe` code calls. All are those of pointers, slices, integers, `Option`, and of
/// the run time's types: in the module that they stand in, the prelude's traits are the only others.
const METHODS: [&str; 27] = [
    "add",
    "as_mut_ptr",
    "as_ptr",
    "byte_offset",
    "cast",
    "checked_mul",
    "element",
    "expect",
    "follows",
    "joint",
    "len",
    "next_multiple_of",
    "offset",
    "pointer",
    "reserve",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "shape",
    "strides",
    "wrapping_add",
    "wrapping_byte_offset",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_offset",
    "wrapping_sub",
    "write",
];

/// Where paths may begin, but for `::`. Rust's own types are what the names of types are, since there
/// is nothing else that has them.
const ROOTS: [&str; 16] = [
    "T",
    "__loopwright",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "self",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// Words that a path or a group in parentheses may follow.
const WORDS: [&str; 15] = [
    "as", "const", "else", "for", "if", "impl", "in", "let", "match", "mut", "pub", "return",
    "unsafe", "use", "while",
];

/// What stands where, and what is wrong with it.
struct Walk {
    enclosed: bool,
    wrong: Vec<String>,
}

impl Walk {
    fn tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let text = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
            Some(TokenTree::Group(group)) => match group.delimiter() {
                Delimiter::Parenthesis => "(".to_owned(),
                Delimiter::Bracket => "[".to_owned(),
                Delimiter::Brace => "{".to_owned(),
                Delimiter::None => String::new(),
            },
            Some(other) => other.to_string(),
            None => String::new(),
        };
        for (at, tree) in trees.iter().enumerate() {
            match tree {
                // Attributes are Rust's own, or ambiguous and an error.
                TokenTree::Group(_) if text(at.checked_sub(1)) == "#" => {}
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) if name == "unsafe" && !self.enclosed => {
                    // The text, which is safe, in a function for an instruction set.
                    let text = trees.get(at + 1).map(ToString::to_string);
                    let text = text.unwrap_or_default().replace(' ', "");
                    if !["{self::__text_", "{self::__inside_"]
                        .iter()
                        .any(|own| text.starts_with(own))
                    {
                        self.wrong.push(text);
                    }
                }
                TokenTree::Ident(name) => {
                    let before = |n: usize| text(at.checked_sub(n));
                    let after = |n: usize| text(Some(at + n));
                    self.name(&name.to_string(), &before, &after);
                }
                _ => {}
            }
        }
    }

    fn name(
        &mut self,
        name: &str,
        before: &dyn Fn(usize) -> String,
        after: &dyn Fn(usize) -> String,
    ) {
        let method = before(1) == "." && before(2) != ".";
        let inner = before(1) == ":" && before(2) == ":";
        // Of three colons the first one stands before a type.
        let path = after(1) == ":" && after(2) == ":" && after(3) != ":";
        let called = after(1) == "(" && !method && !inner && before(1) != "fn";
        let wrong = if method && (path || after(1) == "(") {
            !self.enclosed || !METHODS.contains(&name)
        } else if after(1) == "!" && after(2) != "=" && !WORDS.contains(&name) {
            // By the path of its crate.
            !(inner && before(3) == "core" && before(6) != "self")
        } else if path && !inner && !WORDS.contains(&name) {
            // Intrinsics; the function's own module, and what the author declares pure.
            let known = match self.enclosed {
                true => name.starts_with("_mm"),
                false => ["a", "k"].contains(&name),
            };
            !known && !ROOTS.contains(&name)
        } else if called {
            let own = name.starts_with("_mm") || name.starts_with("__pure_");
            !(WORDS.contains(&name) || own && self.enclosed)
        } else {
            (name == "static" && !self.enclosed) || (name == "super" && inner)
        };
        if wrong {
            let around: Vec<String> = (1..4).rev().map(before).collect();
            let rest: Vec<String> = (1..4).map(after).collect();
            self.wrong
                .push(format!("{} [{name}] {}", around.join(" "), rest.join(" ")));
        }
    }
}

/// The body of the item of a name.
fn body(tokens: TokenStream, kind: &str, name: &str) -> Option<TokenStream> {
    let mut trees = tokens.into_iter();
    let mut last = String::new();
    while let Some(tree) = trees.next() {
        let text = tree.to_string();
        if last == kind && text == name {
            return trees.find_map(|tree| match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    Some(group.stream())
                }
                _ => None,
            });
        }
        last = text;
    }
    None
}

/// The text of what is compared with the scope.
fn compared(kernel: &str) -> String {
    let text = format!("::loopwright; {kernel}");
    let found = expand(text.parse().expect("these are tokens")).to_string();
    let (_, compared) = found.split_once("fn __types").expect("types are compared");
    compared.replace(' ', "")
}

#[test]
fn what_a_text_takes_for_granted_is_compared() {
    let vec = compared(
        "pub fn k(n: u32, y: &mut [f64]) { let t = vec![0.0; y.len()];
        for i in 0..t.len() { y[i] = t[i] + n as f64; } }",
    );
    for part in [
        "is::<::core::primitive::f64,f64>",
        "is::<::core::primitive::u32,u32>",
        "vec![0u8;0]",
        "__receiver:&mut[::core::primitive::f64]",
        "__receiver:::loopwright::__private::scope::Vec<::core::primitive::f64>",
    ] {
        assert!(vec.contains(part), "{part} in {vec}");
    }
    assert!(!vec.contains("primitive::i32"), "{vec}");
    let arrays = compared("pub fn k<T: Real, const N: usize>(x: &[[T; N]], y: &mut [[T; 3]; 2]) {
        for e in 0..x.len() { for i in 0..x[e].len() { for j in 0..y.len() { y[j][0] += x[e][i]; } } } }");
    for part in [
        "__receiver:[__T;1]){use::loopwright::__private::scope::OfArray",
        "__receiver:&mut[[__T;3];2]){use::loopwright::__private::scope::OfReferencedArray",
    ] {
        assert!(arrays.contains(part), "{part} in {arrays}");
    }
    // The length of a slice that is only read cannot be hidden.
    assert!(!arrays.contains("__receiver:&[["), "{arrays}");
}

#[test]
fn no_token_can_mean_something_of_the_users() {
    for kernel in KERNELS {
        let text = format!("::loopwright; {kernel}");
        let found = expand(text.parse().expect("these are tokens"));
        assert!(!found.to_string().contains("compile_error"), "{found}");
        let module = body(found.clone(), "mod", "k").expect("a module");
        let mut parts = vec![(false, body(found, "fn", "k").expect("a function"))];
        for name in ["variants", "with", "with_scratch", "__dispatch"] {
            parts.push((false, body(module.clone(), "fn", name).expect("a function")));
        }
        // Its bounds are data.
        let written = kernel.contains("for k in s[i]");
        let inspected = body(module.clone(), "mod", "__inspected");
        assert!(inspected.is_some() || !written, "{kernel}");
        parts.extend(inspected.map(|inspected| (true, inspected)));
        let enclosed = body(module, "mod", "__enclosed");
        assert_eq!(enclosed.is_none(), written, "{kernel}");
        parts.extend(enclosed.map(|enclosed| (true, enclosed)));
        for (enclosed, tokens) in parts {
            let mut walk = Walk {
                enclosed,
                wrong: Vec::new(),
            };
            walk.tokens(tokens);
            assert!(walk.wrong.is_empty(), "{kernel}\n{}", walk.wrong.join("\n"));
        }
    }
}
