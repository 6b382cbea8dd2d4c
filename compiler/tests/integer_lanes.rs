//! Integers next to each other are loaded and converted in vectors: no lane is set by itself.

use std::str::FromStr;

use loopwright_compiler::driver::{Settings, expand_with};
use proc_macro2::TokenStream;

/// The types, with the instruction that brings each into lanes of 32 bits, or the load of those of 64.
const TYPES: [(&str, &str); 10] = [
    ("u8", "_mm256_cvtepu8_epi32"),
    ("i8", "_mm256_cvtepi8_epi32"),
    ("u16", "_mm256_cvtepu16_epi32"),
    ("i16", "_mm256_cvtepi16_epi32"),
    ("u32", "_mm256_loadu_si256"),
    ("i32", "_mm256_loadu_si256"),
    ("u64", "_mm256_loadu_si256"),
    ("i64", "_mm256_loadu_si256"),
    ("usize", "_mm256_loadu_si256"),
    ("isize", "_mm256_loadu_si256"),
];

fn expansion(from: &str, read: &str, to: &str) -> String {
    let text = format!(
        "#[opt(require_lanes)] pub fn convert(m: &[{from}], y: &mut [{to}]) {{
            for i in 0..y.len() {{ y[i] += 3.0 * ({read}); }}
        }}"
    );
    let parse = |text: &str| TokenStream::from_str(text).unwrap();
    let settings = Settings::default();
    let tokens = expand_with(&parse("loopwright"), parse(&text), &settings);
    tokens.to_string().replace(' ', "")
}

#[test]
fn neighbours_are_loaded_and_converted_in_vectors() {
    for (from, instruction) in TYPES {
        for (read, to) in [
            ("m[i] as f32".to_owned(), "f32"),
            ("m[i] as i16 as u32 as f32".to_owned(), "f32"),
            ("(m[i] as f64) as f32".to_owned(), "f32"),
            ("m[i] as f64".to_owned(), "f64"),
        ] {
            let text = expansion(from, &read, to);
            for set in ["_set_ps(", "_set_pd("] {
                assert!(!text.contains(set), "{from}, {read}: {set}");
            }
            if to == "f32" && !read.contains("f64") {
                assert!(text.contains(instruction), "{from}, {read}: {instruction}");
            }
        }
    }
}

#[test]
fn elements_apart_are_read_one_by_one() {
    let text = expansion("u8", "m[2 * i] as f32", "f32");
    assert!(text.contains("_mm256_set_ps("));
    assert!(!text.contains("_cvtepu8_epi32("));
}

#[test]
fn what_whole_vectors_leave_comes_last_and_is_less_than_a_vector() {
    let text = "#[opt(isa = [avx512])] pub fn k(x: &[i32], y: &mut [i32]) {
        for (o, &a) in y.iter_mut().zip(x) { *o = a ^ (a >> 1); }
    }";
    let parse = |text: &str| TokenStream::from_str(text).unwrap();
    let tokens = expand_with(&parse("loopwright"), parse(text), &Settings::default());
    let all = tokens.to_string().replace(' ', "");
    let own = &all[all.find("unsafefn__avx512").unwrap()..];
    let own = &own[..own.find("unsafefn__scalar").unwrap_or(own.len())];
    let part = own.find("%16usize").unwrap();
    assert!(own.rfind("while").unwrap() < part, "{own}");
    // Known to be less than a vector.
    assert!(!own.contains("Ord::min(o_end.saturating_sub"), "{own}");
}

#[test]
fn records_that_fill_lanes_are_stored_as_registers() {
    let parse = |text: &str| TokenStream::from_str(text).unwrap();
    let stores = |ty: &str, count: usize, written: &str| {
        let text = format!(
            "#[opt(isa = [avx512], lanes(o))] pub fn k(x: &[[{ty}; {count}]], y: &mut [[{ty}; {count}]]) {{
                for (o, a) in y.iter_mut().zip(x) {{ {written} }}
            }}"
        );
        let tokens = expand_with(&parse("loopwright"), parse(&text), &Settings::default());
        let all = tokens.to_string().replace(' ', "");
        (all.contains("letrecords_1="), all.contains("forlane_1in"))
    };
    let square =
        |c: usize, ty: &str| format!("o[{c}] = ((a[{c}] as i32 * o[{c}] as i32) >> 8) as {ty};");
    let some = [square(0, "u8"), square(2, "u8")].concat();
    assert_eq!(stores("u8", 4, &some), (true, false));
    let in_loop = "for c in 0..3 { o[c] = ((a[c] as i32 * o[c] as i32) >> 8) as u8; }";
    assert_eq!(stores("u8", 4, in_loop), (true, false));
    assert_eq!(stores("i16", 2, &square(1, "i16")), (true, false));
    // Records of other sizes do not fill lanes.
    assert_eq!(stores("u8", 3, &some), (false, true));
}
