//! Kernels with one output, in every variant, with the bits of their reference: on small integers sums have one value in
//! any order.

/// Small integers without order.
macro_rules! numbers {
    ($number:ident, $seed:expr, $count:expr) => {{
        let all = 0..$count as i32;
        let all = all.map(|at| ((at * 37 + $seed * 11) % 101 - 50) as $number);
        all.collect::<Vec<$number>>()
    }};
}

/// Compares the output of each variant with the reference's.
macro_rules! compare {
    ($($path:ident)::+, ($($input:expr),*), $output:expr) => {{
        let mut expected = $output.clone();
        $($path)::+::reference($($input,)* &mut expected);
        support::each_variant($($path)::+::variants(), |isa| {
            let mut found = $output.clone();
            $($path)::+::with(isa, $($input,)* &mut found).unwrap();
            assert_eq!(found, expected, "{} {isa}", stringify!($($path)::+));
        });
    }};
}
