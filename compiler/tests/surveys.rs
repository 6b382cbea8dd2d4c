//! Which texts that run as written are surveyed before their loops would be walked.

use loopwright_compiler::driver::expand;

fn expanded(text: &str) -> String {
    let input = format!("::loopwright; {text}");
    expand(input.parse().unwrap()).to_string()
}

#[track_caller]
fn is_surveyed(text: &str, expected: bool) {
    let all = expanded(text);
    assert!(all.contains("fn __inspect"), "{text}");
    assert_eq!(all.contains("__survey"), expected, "{text}");
}

#[test]
fn what_debug_builds_assert_is_accessed_in_these_alone() {
    let text = |word: &str| {
        let assertion = format!("{word}!(k[k[i]] < 9);");
        expanded(&format!(
            "pub fn k(k: &[usize], x: &[f64], y: &mut [f64]) {{
                for i in 0..y.len() {{ {assertion} y[k[i] % 5] += x[i]; }}
            }}"
        ))
    };
    let guard = ":: core :: cfg ! (debug_assertions)";
    assert!(text("debug_assert").contains(guard));
    assert!(!text("assert").contains(guard));
}

#[test]
fn loops_over_entries_of_arrays_are() {
    for text in [
        "pub fn k(s: &[usize], c: &[usize], v: &[f64], x: &[f64], y: &mut [f64]) {
            for i in 0..y.len() { for k in s[i]..s[i + 1] { y[i] += v[k] * x[c[k]]; } }
        }",
        "pub fn k(n: usize, s: &[i32], c: &[u16], v: &[f32], x: &[f32], y: &mut [f32]) {
            for j in 0..n { for k in s[j] as usize..s[j + 1] as usize { y[c[k] as usize] += v[k] * x[j]; } }
        }",
        "pub fn k(w: usize, m: &[u8], c: &[[u32; 4]], x: &[f64], y: &mut [f64]) {
            for i in 0..m.len() { for k in 0..m[i].min(4) as usize { y[i] += x[c[i][k] as usize * w]; } }
        }",
        "pub fn k(s: &[usize], c: &[usize], m: &[usize], x: &[f64], y: &mut [f64]) {
            for i in 0..y.len() { for k in s[i]..s[i + 1] { y[i] += at(x, m, c[k] / 2); } }
        }
        fn at(x: &[f64], m: &[usize], k: usize) -> f64 { let l = m[k]; x[l] }",
        // Powers of two.
        "pub fn k(s: u32, x: &mut [f64]) {
            let half = 1_usize << s;
            for b in 0..x.len() / (2 * half) { for i in b * 2 * half..b * 2 * half + half { x[i + half] = x[i]; } }
        }",
        "pub fn k(s: u32, x: &mut [f64]) {
            let half = 2_usize.pow(s);
            for b in 0..x.len() >> 3 { for i in b << 3..(b << 3) + half { x[i + half] = x[i]; } }
        }",
        // In range since the condition says so.
        "pub fn k(n: usize, m: &[usize], y: &mut [f64]) {
            for i in 0..n { y[m[i]] = if i > 0 && i != 5 { y[i - 1] } else { y[m[i]] }; }
        }",
    ] {
        is_surveyed(text, true);
    }
}

#[test]
fn counts_of_loops_are() {
    let counted = |loops: &str| {
        format!(
            "pub fn k(n: usize, m: &[u8], y: &mut [u8]) {{
                for i in 0..n {{
                    let mut count = 0;
                    for k in {loops} {{ count += m[i + k]; }}
                    y[i] = if count > 3 {{ m[i] }} else {{ 0 }};
                }}
            }}"
        )
    };
    is_surveyed(&counted("0..8"), true);
    is_surveyed(&counted("[n - 1, 0, n]"), true);
    // How many are added is known when it runs.
    is_surveyed(&counted("0..n"), true);
}

#[test]
fn what_has_ends_and_what_changes_is_not() {
    for text in [
        // The first and the last iteration say all.
        "pub fn k(u: &mut [f64]) { for i in 1..u.len() { u[i] = u[i - 1]; } }",
        // A few iterations of a loop.
        "pub fn k(m: &[usize; 4], x: &[f64], y: &mut [f64]) {
            for i in 0..4 { y[m[i] + 1] = y[m[i]]; }
        }",
        // The integer that is subscripted changes.
        "pub fn k(n: usize, m: &[usize], x: &[f64], y: &mut [f64]) {
            let mut at = 0;
            for i in 0..n { y[at] += x[i]; at += m[i]; }
        }",
        // Out of range, if the condition is left out, which says nothing of the integer that is subscripted.
        "pub fn k(n: usize, m: &[usize], y: &mut [f64]) {
            for i in 0..n { y[m[i]] = if i % 2 > 0 { y[i - 1] } else { y[m[i]] }; }
        }",
    ] {
        is_surveyed(text, false);
    }
}

#[test]
fn texts_that_compute_no_integers_are_looked_at_once() {
    let computes = |text: &str| {
        let all = expanded(text);
        assert!(all.contains(
            "! __loopwright_checked || :: core :: cfg ! (debug_assertions) && self :: __inspected :: COMPUTES"
        ));
        all.contains("COMPUTES : bool = true")
    };
    // Records that LLVM makes the better loops of; the check of the program says that all accesses are inside.
    let body = |subscript: &str| {
        format!(
            "pub fn k(m: &[[f32; 4]; 4], p: &[[f32; 3]], q: &mut [[f32; 3]]) {{
                for (q, p) in q.iter_mut().zip(p) {{
                    for r in 0..3 {{
                        q[r] = m[r][0] * p[0] + m[r][1] * p[1] + m[{subscript}][2] * p[2] + m[r][3];
                    }}
                }}
            }}"
        )
    };
    assert!(!computes(&body("r")));
    assert!(computes(&body("r + 1 - 1")));
}

#[test]
fn texts_do_not_look_again_at_what_is_found_inside() {
    let told = |text: &str| {
        let all = expanded(text);
        assert!(all.contains("fn __inspect"), "{text}");
        let told = all.contains("fn __inside_avx2");
        assert_eq!(told, all.contains("if self :: __inspected :: __inspect"));
        // Where the text is compared with, it is as it stands.
        assert_eq!(all.matches("Subscript :: inside").count() % 2, 0);
        told
    };
    let sums = |more: &str| {
        format!(
            "pub fn k(s: &[usize], c: &[usize], x: &[f64], y: &mut [f64]) {{
                for i in 0..y.len() {{ for k in s[i]..s[i + 1] {{ y[i] += x[c[k]{more}]; }} }}
            }}"
        )
    };
    assert!(told(&sums("")) && told(&sums(" + 1")));
    // No range is known of what wraps: its loops are walked, and a subscript between those that were looked at may be another.
    assert!(!told(&sums(".wrapping_mul(3)")));
    // Nor is there one of the text where nothing is computed, and all is looked at.
    assert!(told(
        "pub fn k(c: &[usize], x: &[f64], y: &mut [f64]) {
            for i in 0..c.len() { y[c[i]] = 0.5 * y[c[i]] + x[i]; }
        }"
    ));
}

#[test]
fn elements_that_iterators_hand_out_are_inside() {
    let looks = |text: &str| {
        let all = expanded(text);
        assert!(all.contains("fn __inspect"), "{text}");
        all.matches("let _ = & (").count()
    };
    let key = |loops: &str| {
        looks(&format!(
            "pub fn k(key: &[u8; 16], data: &mut [u8]) {{ {loops} }}"
        ))
    };
    let chunks = "for block in data.chunks_mut(16) {
        for (d, k) in block.iter_mut().zip(key) { *d ^= k; }
    }";
    assert_eq!(key(chunks), 0);
    // A chunk has as many as it says, and a table of 16 as many as four bits are.
    let digits = "pub fn k(src: &[u8], out: &mut [u8]) {
        const HEX: [u8; 16] = *b\"0123456789abcdef\";
        for (pair, &b) in out.chunks_exact_mut(2).zip(src) {
            pair[0] = HEX[(b >> 4) as usize];
            pair[1] = HEX[(b & 15) as usize];
        }
    }";
    let first = looks(digits);
    assert_eq!(looks(&digits.replace("pair[1]", "pair[0]")), first);
    // What the text subscripts may be outside.
    let subscripts = "for (i, block) in data.chunks_mut(16).enumerate() {
        for (j, d) in block.iter_mut().enumerate() { *d ^= key[i + j]; }
    }";
    assert_eq!(key(subscripts), 1);
}

#[test]
fn rows_of_a_map_that_lie_one_after_the_other_are_looked_at_in_one_go() {
    let rows = |loops: &str| {
        let all = expanded(&format!(
            "pub fn k(n: usize, k: usize, m: &[u32], v: &[f64], x: &[f64], y: &mut [f64]) {{
                for i in 0..n {{ for l in {loops} {{ y[i] += v[i * k + l] * x[m[i * k + l] as usize]; }} }}
            }}"
        ));
        assert!(all.contains("fn __check"), "{loops}");
        let one = all.contains("checks :: entries (:: core :: slice :: from_raw_parts (m_p ,");
        (one, all.contains("lowest ="))
    };
    assert_eq!(rows("0..k"), (true, false));
    // Some of each row.
    assert_eq!(rows("1..k - 1"), (false, true));
}

#[test]
fn nothing_is_looked_at_before_a_text_that_runs_anyway() {
    // Products of `i32` may overflow the sum, so that the program is the text for some inputs only.
    let dot = |options: &str| {
        let all = expanded(&format!(
            "{options} pub fn k(x: &[i32], y: &[i32]) -> i64 {{
                x.iter().zip(y).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum()
            }}"
        ));
        assert!(all.contains("checks :: entries"), "{options}");
        let otherwise = |isa: &str| {
            let at = all.find(&format!("fn __otherwise_{isa} ")).expect(isa);
            let body = &all[at..];
            let end = body[1..].find("fn __").unwrap_or(body.len() - 1);
            body[..end].contains("__run_shortened")
        };
        ["avx512", "avx2", "scalar"].map(otherwise)
    };
    assert_eq!(dot(""), [false, false, true]);
    assert_eq!(dot("#[opt(require_lanes)]"), [true; 3]);
}

#[test]
fn dense_views_of_entries_are_read_in_one_go() {
    let all = expanded(
        "use ndarray::{ArrayView1, ArrayView2};
        pub fn k(c: ArrayView2<u32>, x: ArrayView1<f64>, y: &mut [[f64; 3]]) {
            for i in 0..y.len() { for k in 0..3 { y[i][k] += x[c[[i, k]] as usize]; } }
        }",
    );
    assert!(
        all.contains("if c_stride1 == 1isize && c_stride0 =="),
        "{all}"
    );
}

#[test]
fn choices_that_lead_to_no_access_are_not_computed() {
    let text = "pub fn k(rgb: &[u8], v: &mut [u8], s: &mut [u8]) {
        for ((p, v), s) in rgb.chunks_exact(3).zip(v.iter_mut()).zip(s.iter_mut()) {
            let mx = p[0].max(p[1]).max(p[2]);
            let mn = p[0].min(p[1]).min(p[2]);
            *v = mx;
            *s = if mx == 0 { 0 } else { (255 * (mx - mn) as u32 / mx as u32) as u8 };
        }
    }";
    let all = expanded(text);
    let (_, inspector) = all.split_once("fn __inspect").unwrap();
    let (inspector, _) = inspector.split_once("! COMPUTES").unwrap();
    assert!(!inspector.contains("255u32"), "{inspector}");
}

#[test]
fn what_may_overflow_alone_is_walked_in_debug_builds() {
    let text = |used: &str| {
        expanded(&format!(
            "pub fn k(x: &[f64], c: &[u8], w: usize, r: usize, y: &mut [f64]) {{
                for i in 0..w {{
                    let (a, b) = (i.saturating_sub(r), (i + r + 1).min(w));
                    y[i] = {used};
                    if c[i] / c[0] > 3 {{ y[i] += 1.0; }}
                }}
            }}"
        ))
    };
    let in_debug = ":: core :: cfg ! (debug_assertions))";
    assert!(text("x[b] - x[a] + (b - a) as f64").contains(in_debug));
    assert!(!text("x[b] - x[a] + x[b - a]").contains(in_debug));
}

#[test]
fn what_reads_no_entries_is_surveyed_however_short_arrays_are() {
    let walks = |text: &str| expanded(text).contains("WALKED");
    let rows = "pub fn k(a: &[f64], b: &[f64], y: &mut [f64]) {
        for i in 0..y.len() { for j in 0..=i { y[i] += a[j] * b[i - j]; } }
    }";
    let entries = "pub fn k(s: &[usize], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() { for j in s[i]..s[i + 1] { y[i] += x[j]; } }
    }";
    assert!(!walks(rows));
    assert!(walks(entries));
}
