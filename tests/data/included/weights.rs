// Read by `include!` in tests/language.rs.
[
    [0.5, -1.0, 0.25],
    [2.0, 0.125, 1.0 / 3.0],
]
