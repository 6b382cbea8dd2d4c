//! Which nests are taken out of a text, and what stands there instead.

use crate::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};

use super::{Compiler, Nested, Pays, nested};

/// Takes every nest that can be read, and says that all of its arrays but `x` are written.
#[derive(Default)]
struct All(Vec<String>);

impl Compiler for All {
    fn written(&mut self, block: &TokenStream, name: &Ident) -> Option<HashSet<String>> {
        let mut diagnostics = crate::diagnostics::Diagnostics::new();
        let module = crate::syntax::parse(block.clone(), &mut diagnostics)?;
        let function = module.functions.iter().find(|own| own.name == *name)?;
        let names = function.parameters.iter().map(|own| own.variable);
        let names = names.map(|id| function.variables[id.0].name.to_string());
        Some(names.filter(|name| name != "x").collect())
    }

    fn items(&mut self, block: TokenStream, _: &Ident, waits: bool) -> Option<(TokenStream, Pays)> {
        self.0.push(block.to_string());
        let pays = Pays {
            iterations: if waits { 1024 } else { 256 },
            depth: 2,
        };
        Some((TokenStream::new(), pays))
    }
}

fn of(text: &str) -> (Option<Nested>, Vec<String>) {
    let mut all = All::default();
    let name = Ident::new("f", Span::call_site());
    let block: TokenStream = text.parse().unwrap();
    (nested(&block, &name, &mut all), all.0)
}

/// Signatures of the nests.
fn signatures(text: &str) -> Vec<String> {
    let heads = of(text).1;
    let heads = heads.iter().map(|own| {
        let from = own.find("pub fn").unwrap();
        let to = own[from..].find('{').unwrap();
        own[from..from + to]
            .trim()
            .replace(" ,", ",")
            .replace(" :", ":")
    });
    heads.collect()
}

#[test]
fn nests_are_functions_of_what_they_name() {
    let text =
        "pub fn f<'a>(n: usize, x: &[f64], mut a: &'a mut [f64], mut b: &'a mut [f64]) -> f64 {
        let mut sum = 0.0;
        while sum < 10.0 {
            for i in 0..n { for j in 0..3 { b[i] = 2.0 * a[i] + x[j]; sum += b[i]; } }
            std::mem::swap(&mut a, &mut b);
        }
        sum
    }";
    assert_eq!(
        signatures(text),
        [
            "pub fn f_nest_0 (n: usize, x: & [f64], a: & mut [f64], b: & mut [f64], __sum: f64) -> f64"
        ]
    );
    let body = of(text).0.unwrap().body.to_string();
    // The next call reads what this one writes.
    assert!(body.contains("sum = self :: f_nest_0 :: __dispatch (__loopwright_isa , n , & x [..] , & mut a [..] , & mut b [..] , sum)"), "{body}");
    assert!(
        body.contains(">= 32") && body.contains("else { for i in 0 .. n"),
        "{body}"
    );
}

#[test]
fn types_are_known_or_nests_stay() {
    let whole = |declared: &str, rest: &str| {
        signatures(&format!(
            "pub fn f(x: &[f64], y: &mut [f64]) {{ {declared}
                loop {{ for i in 0..x.len() {{ y[i] += x[i] * s; }} {rest} }} }}"
        ))
    };
    let given = "pub fn f_nest_0 (x: & [f64], y: & mut [f64], s: f64)";
    assert_eq!(whole("let s: f64 = other(x);", "call(s);"), [given]);
    assert_eq!(whole("let s = 2.0;", ""), [given]);
    // What takes a number that could be of another type decides on it.
    assert!(whole("let s = 2.0;", "call(s);").is_empty());
    assert!(whole("let s = other(x);", "").is_empty());
}

#[test]
fn texts_that_write_nothing_but_a_result_have_nests() {
    let text = "pub fn f(n: usize, x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            for j in 0..i { sum += x[i * n + j] * y[j]; }
        }
        sum
    }";
    let given = "pub fn f_nest_0 (n: usize, x: & [f64], y: & [f64], __sum: f64) -> f64";
    assert_eq!(signatures(text), [given]);
}

#[test]
fn hidden_names_are_not_mixed_up() {
    let text = "pub fn f(x: &[f64], y: &mut [f64], z: &[f32]) {
        while y[0] < 1.0 {
            let x = &z[1..];
            for i in 0..x.len() { y[i] += x[i] as f64; }
        }
    }";
    assert!(signatures(text).is_empty());
    let text = "pub fn f(n: usize, x: &[f64], y: &mut [f64]) {
        for k in 0..n {
            let n = y[k] as usize;
            for i in 0..n { y[i + k] += x[i]; }
            call();
        }
    }";
    let (_, nests) = of(text);
    assert!(!nests[0].contains("assert ! (k <"), "{nests:?}");
}

#[test]
fn names_of_numbers_may_be_bound_again() {
    let text = "pub fn f(n: usize, x: &[f64], y: &mut [f64]) {
        let s = 2.0;
        loop {
            for i in 0..n {
                let mut s = x[i];
                s += 1.0;
                y[i] = s;
            }
            call();
        }
    }";
    assert_eq!(
        signatures(text),
        ["pub fn f_nest_0 (n: usize, x: & [f64], y: & mut [f64], s: f64)"]
    );
    // A name for an element is a reference, which the reader takes for the number.
    let text = "pub fn f(n: usize, x: &[f64], y: &mut [f64]) {
        for s in x {
            call();
            for i in 0..n { y[i] += s; }
        }
    }";
    assert!(signatures(text).is_empty());
}

#[test]
fn bounds_of_loops_around_are_facts() {
    let text = "pub fn f(n: usize, x: &[f64], y: &mut [f64]) {
        for k in 0..n {
            for i in k + 1..n { y[i * n + k] -= x[i]; }
            call(n);
        }
    }";
    let (_, nests) = of(text);
    assert!(nests[0].contains("assert ! (k < (n))"), "{nests:?}");
}

#[test]
fn what_leaves_a_loop_around_stays() {
    for inside in ["return;", "break 'outer;", "y[i] = g(x[i])?;"] {
        let text = format!(
            "pub fn f(x: &[f64], y: &mut [f64]) {{
                'outer: loop {{ for i in 0..x.len() {{ y[i] = x[i]; if x[i] < 0.0 {{ {inside} }} }} }}
            }}"
        );
        assert!(signatures(&text).is_empty(), "{inside}");
    }
}

#[test]
fn calls_are_for_as_much_as_is_around_them() {
    // Rows of a product, one call each: as many calls as iterations, of which each row has enough or is no call.
    let text = |range: &str| {
        format!(
            "pub fn f(n: usize, x: &[f64], y: &mut [f64]) {{
                while y[0] < 1.0 {{
                    for i in 0..n {{
                        call();
                        for j in {range} {{ y[j] += x[i * n + j]; }}
                    }}
                }}
            }}"
        )
    };
    assert_eq!(signatures(&text("0..n")).len(), 1);
    assert!(signatures(&text("counted(n)")).is_empty());
}

#[test]
fn arrays_of_tuples_are_not_handed_over() {
    let text = "pub fn f(x: &[f64], y: &mut [f64]) {
        let v = vec![(0.0, 1.0); 3];
        loop { for i in 0..x.len() { y[i] += x[i] * v[0].1; } call(); }
    }";
    assert!(signatures(text).is_empty());
}

#[test]
fn arrays_are_borrowed_again_where_names_are_theirs() {
    let check = |loops: &str, expected: &[&str]| {
        let text = format!(
            "pub fn f(a: &mut Vec<f64>, b: &mut Vec<f64>) {{ loop {{ {loops} std::mem::swap(a, b); }} }}"
        );
        let found = of(&text).1.concat();
        for part in expected {
            assert!(found.contains(part), "{part}: {found}");
        }
    };
    check(
        "for (x, y) in a.iter_mut().zip(&b) { *x += y; } for y in &mut b { *y *= 2.0; }",
        &["zip (& * b)", "in & mut * b {"],
    );
    // A name may be that of something else inside of a loop, or behind a declaration.
    check(
        "for (a, b) in a.iter_mut().zip(&b) { let c = (&b, 1.0); *a += *c.0; }",
        &["zip (& * b)", "(& b , 1.0)"],
    );
    check(
        "for i in 0..a.len() { let c = &b; let b = c[i]; let d = (&b, 1.0); a[i] += b * d.1; }",
        &["let c = & * b ;", "(& b , 1.0)"],
    );
}

/// A block with a struct, whose methods and helpers `f` calls.
fn with_struct(f: &str) -> String {
    format!(
        "pub struct G {{ w: usize, u: Vec<f64>, v: Vec<f64> }}
        impl G {{
            fn at(&self, i: usize) -> f64 {{ self.u[i] }}
            fn low(x: f64) -> f64 {{ if x > 1.0 {{ 1.0 }} else {{ x }} }}
            fn grow(&mut self) {{ self.u.push(0.0); }}
        }}
        fn mean(g: &G, i: usize) -> f64 {{ 0.5 * (g.at(i) + g.at(i + 1)) }}
        {f}"
    )
}

#[test]
fn texts_that_need_fields_alone_are_kernels_of_these() {
    let text = with_struct(
        "pub fn f(g: &mut G, a: f64) { for i in 0..g.w { g.v[i] = G::low(a * mean(g, i)); } }",
    );
    let given = "pub fn f_nest_0 (a: f64, g_w: usize, g_u: & mut [f64], g_v: & mut [f64])";
    assert_eq!(signatures(&text), [given]);
    let nested = of(&text).0.unwrap();
    assert!(nested.whole);
    let body = nested.body.to_string();
    let call = "{ self :: f_nest_0 :: __dispatch (__loopwright_isa , a , g . w , & mut g . u [..] , & mut g . v [..])";
    assert!(body.contains(call), "{body}");
    // With a value, and with a number that changes.
    let text =
        with_struct("pub fn f(g: &G) -> f64 { let mut s = 0.0; for u in &g.u { s += u; } s }");
    assert_eq!(signatures(&text), ["pub fn f_nest_0 (g_u: & [f64]) -> f64"]);
    let text = with_struct("pub fn f(g: &mut G) { for u in &g.u { g.w += *u as usize; } }");
    let given = "pub fn f_nest_0 (__g_w: usize, g_u: & mut [f64]) -> usize";
    assert_eq!(signatures(&text), [given]);
}

#[test]
fn what_means_another_thing_where_it_is_called_stays() {
    // A name of the function is bound by the text, a parameter hides another, and a struct is needed whole.
    let taken = [
        "pub fn f(g: &G, x: &mut [f64]) { let low = 2.0; while x[0] < low { for i in 0..g.w { x[i] += bound(g, i); } } } fn low() -> f64 { 1.0 } fn bound(g: &G, i: usize) -> f64 { low() + g.u[i] }",
        "pub fn f(g: &G, x: &mut [f64]) { while x[0] < 9.0 { for i in 0..g.w { let g = &x; x[i] += g[i]; } } }",
        "pub fn f(g: &mut G, x: &mut [f64]) { while x[0] < 9.0 { for i in 0..g.w { g.grow(); x[i] += g.at(i); } } }",
    ];
    for text in taken {
        assert!(signatures(&with_struct(text)).is_empty(), "{text}");
    }
}

#[test]
fn numbers_that_are_made_of_others_are_made_again() {
    let changed = |step: &str| {
        let f = format!(
            "pub fn f(g: &mut G, x: &mut [f64]) {{ let m = g.w - 1; while x[0] < 9.0 {{ for i in 0..m {{ x[i] += g.at(i); }} {step} }} }}"
        );
        of(&with_struct(&f)).1
    };
    assert!(changed("call(x);")[0].contains("let m = g_w - 1"));
    for step in ["g.w -= 1;", "other(&mut g.w);", "other(g);"] {
        assert!(!changed(step)[0].contains("let m"), "{step}");
    }
}

#[test]
fn copies_of_arrays_are_no_references() {
    let f = |mutable: &str| {
        signatures(&format!(
            "pub fn f(y: &mut [f64]) {{ let {mutable} v = [1.0f64; 3]; while y[0] < 9.0 {{
                for i in 0..y.len() {{ let mut w = v; w[0] += y[i]; y[i] = w[0] + w[1]; }} }} }}"
        ))
    };
    assert_eq!(f(""), ["pub fn f_nest_0 (y: & mut [f64], v: [f64 ; 3])"]);
    assert!(f("mut").is_empty());
}

#[test]
fn names_of_one_pattern_are_given_in_the_same_order_each_time() {
    let text = "use ndarray::ArrayViewMut2;
    pub fn f(mut a: ArrayViewMut2<f64>) {
        let (n, m) = a.dim();
        while a[[0, 0]] < 1.0 {
            for i in 0..n { for j in 0..m { a[[i, j]] += (i + m) as f64; } }
            call(&mut a);
        }
    }";
    let first = signatures(text);
    assert!(!first.is_empty());
    // Sets have another order in each of these with a probability of 1 in 2, or less.
    assert!((0..20).all(|_| signatures(text) == first));
}

#[test]
fn rows_that_read_what_others_have_written_pay_later() {
    let least = |update: &str, rest: &str| {
        let text = format!(
            "pub fn f(n: usize, x: &mut [f64], y: &mut [f64]) {{
                for i in 0..n {{ call(); for j in 0..i {{ {update} }} {rest} }}
            }}"
        );
        let body = of(&text).0.unwrap().body.to_string();
        let from = body.find(">= ").unwrap() + 3;
        body[from..].split(' ').next().unwrap().to_owned()
    };
    assert_eq!(least("y[i] += x[j];", ""), "16");
    assert_eq!(least("y[i] += x[j];", "if y[i] == x[i] {}"), "16");
    assert_eq!(least("y[i] += x[j];", "x[i] = y[i];"), "32");
    assert_eq!(least("y[i] -= y[j];", ""), "32");
}
