//! Wrong kernels: every message points at the user's own tokens and says what to write instead.

#[test]
fn errors() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("cases/*.rs");
    cases.pass("pass/*.rs");
}
