//! Texts that nest as deeply as a kilobyte can, on the stack of an ordinary thread: the compiler is not
//! optimised here, nor is the macro of most users. A text that takes more ends the process, which names it.

use loopwright_compiler::driver::expand;

/// The stack of a thread, where nothing else is asked for.
const STACK: usize = 2 << 20;

/// A text with its name.
struct Text {
    name: String,
    text: String,
}

/// Texts that nest as deeply as so many bytes can, each in its own way.
#[rustfmt::skip]
fn nested(longest: usize) -> Vec<Text> {
    let kinds = [
        ("parentheses", "(", "x[i]", ")"), ("additions", "(1.0+", "x[i]", ")"), ("Horner", "x[i]*(1.0+", "x[i]", ")"),
        ("quotients", "1.0/(1.0+", "x[i]", ")"), ("sums", "1.0+", "x[i]", ""), ("differences", "", "x[i]", "-1.0"),
        ("negations", "-", "x[i]", ""), ("spaced negations", "- ", "x[i]", ""), ("negated parentheses", "-(", "x[i]", ")"),
        ("references", "*&", "x[i]", ""), ("nots", "!", "1", ""), ("mutable references", "&mut ", "x", ""),
        ("roots", "", "x[i]", ".sqrt()"), ("arguments", "x[i].min(", "x[i]", ")"), ("fields", "", "x", ".0"),
        ("subscripts", "x[", "i", "]"), ("subscripted", "", "x", "[i]"), ("casts", "", "x[i]", " as f64"),
        ("blocks", "{", "x[i]", "}"), ("choices", "if x[i]>0.5{", "1.0", "}else{x[i]}"), ("other choices", "if x[i]>0.5{1.0}else{", "1.0", "}"),
        ("ranges", "if i<9{1.0}else ", "{x[i]}", ""), ("conditions", "if ", "x[i]>0.5", "{1.0}else{2.0}>0.5"),
        ("arrays", "[", "1.0", "]"), ("repeats", "[", "1.0", ";1]"), ("tuples", "(", "1.0", ",)"), ("closures", "|a|", "a", ""),
        ("returns", "return ", "1.0", ""), ("breaks", "break ", "1.0", ""), ("assignments", "a=", "1.0", ""), ("ranges to", "..", "1", ""), ("questions", "", "x", "?"),
        ("calls", "f(", "1.0", ")"), ("called", "", "f", "()"), ("macros", "vec![", "1.0", ";1]"), ("matches", "match 1{_=>", "1.0", "}"), ("loops", "loop{", "1.0", "}"),
        ("unsafe", "unsafe{", "1.0", "}"), ("paths", "A::<", "f64", ">::B"), ("generics", "f::<A<", "A", ">>"), ("qualified", "<f64 as A<", "f64", ">>::B"), ("lets", "let a=", "1.0", ""),
    ];
    let types = [("&", ""), ("&mut ", ""), ("[", ";1]"), ("[", "]"), ("(", ",)"), ("A<", ">"), ("fn()->", ""), ("*const ", ""), ("impl A<", ">"), ("<A as B<", ">>::C"), ("&'a ", "")];
    let patterns = [("&", ""), ("(", ",)"), ("[", "]"), ("a@", ""), ("A(", ")"), ("mut ", ""), ("ref ", "")];
    let mut result = Vec::new();
    let mut add = |name: String, before: &str, (open, inner, close): (&str, &str, &str), after: &str| {
        let of = |n: usize| format!("{before}{}{inner}{}{after}", open.repeat(n), close.repeat(n));
        let most = (longest - of(0).len()) / (open.len() + close.len());
        result.extend([most, 120, 64, 60].into_iter().filter(|n| *n <= most).map(|n| Text { name: format!("{name} {n}"), text: of(n) }));
    };
    let statement = "pub fn k(x: &[f64], y: &mut [f64]) { for i in 0..x.len() { ";
    for (name, open, inner, close) in kinds {
        add(name.to_owned(), &format!("{statement}y[i]="), (open, inner, close), ";}}");
        add(format!("constant {name}"), "const A: f64=", (open, inner, close), "; pub fn k(y: &mut [f64]) { y[0] = A; }");
        add(format!("extent {name}"), "pub fn k(y: &mut [f64; ", (open, inner, close), "]) { y[0] = 1.0; }");
    }
    for (open, close) in types {
        add(format!("type {open}"), "pub fn k(y: ", (open, "f64", close), ") { y[0] = 1.0; }");
        add(format!("local type {open}"), &format!("{statement}let a: "), (open, "f64", close), "=1.0;}}");
    }
    for (open, close) in patterns {
        add(format!("pattern {open}"), &format!("{statement}let "), (open, "a", close), "=1.0;}}");
        add(format!("parameter {open}"), "pub fn k(", (open, "a", close), ": f64) { }");
    }
    for (open, close) in [("for j in 0..2{", "}"), ("{", "}"), ("if x[i]>0.5{", "}"), ("while true{", "}"), ("'a:", ""), ("unsafe{", "}"), ("loop{", "}"), ("if x[i]>0.5{}else ", ""), ("#[a]", "")] {
        add(format!("statement {open}"), statement, (open, "{y[i]=1.0;}", close), "}}");
    }
    result
}

#[test]
fn short_texts_need_no_large_stack() {
    let texts = nested(1024);
    assert!(texts.len() > 500);
    let mut refused = 0;
    for text in texts {
        let thread = std::thread::Builder::new()
            .name(text.name.clone())
            .stack_size(STACK);
        let expanded = thread.spawn(move || {
            let input = format!("::loopwright; {}", text.text);
            expand(input.parse().expect("tokens")).to_string()
        });
        let expanded = expanded.expect("a thread can be started").join();
        let expanded = expanded.unwrap_or_else(|_| panic!("{} panics", text.name));
        refused += usize::from(expanded.contains("inside each other"));
    }
    // Of most kinds the longest is more than is read.
    assert!(refused > 100, "{refused}");
}
