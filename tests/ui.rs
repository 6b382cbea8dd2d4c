//! What the compiler says of kernels that it does not take: one mistake a file, where it stands
//! and what to write instead. Whatever follows from a mistake stays unsaid.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}
