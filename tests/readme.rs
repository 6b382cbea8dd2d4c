//! What the README and the book show is what the crate does.

use loopwright::{Cost, kernel};

kernel! {
    /// Element matrices of ∫ u v on affine tetrahedra, P1.
    pub fn mass(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; 4]; 4]]) {
        static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
        static PHI: [[f64; 4]; 4] = tabulate!(tetrahedron, quadrature(2), lagrange(1));
        for e in 0..cells.len() {
            let det = determinant(&cells[e]);
            for q in 0..4 {
                for i in 0..4 {
                    for j in 0..4 {
                        a[e][i][j] += W[q] * det.abs() * PHI[q][i] * PHI[q][j];
                    }
                }
            }
        }
    }

    fn determinant(x: &[[f64; 3]; 4]) -> f64 {
        let mut j = [[0.0; 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                j[r][c] = x[c + 1][r] - x[0][r];
            }
        }
        j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1])
            - j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0])
            + j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0])
    }
}

/// The cells of the README's table row that starts so, as numbers.
fn row(start: &str) -> Vec<u64> {
    let text = include_str!("../README.md");
    let line = text.lines().find(|line| line.starts_with(start)).unwrap();
    let cells = line.split('|').skip(2);
    cells.filter_map(|cell| cell.trim().parse().ok()).collect()
}

#[test]
fn operations_are_those_of_the_report() {
    let numbers = |cost: &Cost| vec![cost.add, cost.mul, cost.operations()];
    assert_eq!(row("| as written"), numbers(&mass::REPORT.source));
    assert_eq!(row("| as expanded"), numbers(&mass::REPORT.expansion));
}

#[test]
fn the_kernel_shown_is_the_one_counted() {
    let text = include_str!("../README.md");
    let shown = text
        .split("```rust\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let (_, kernel) = shown.split_once("kernel! {").unwrap();
    assert!(include_str!("readme.rs").contains(kernel.trim()));
}

/// A text without what formatting changes.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn the_cookbook_has_kernels_of_the_tests() {
    let tests = [
        include_str!("everyday/grids.rs"),
        include_str!("everyday/matrices.rs"),
        include_str!("everyday/points.rs"),
        include_str!("everyday/structs.rs"),
        include_str!("everyday/totals.rs"),
        include_str!("everyday/updates.rs"),
        include_str!("everyday/vectors.rs"),
    ]
    .map(squeezed);
    let book = include_str!("../book/src/cookbook.md");
    let (mut name, mut kernels) = ("", 0);
    for (at, part) in book.split("\n```").enumerate() {
        if at % 2 == 0 {
            name = part.rsplit("### ").next().unwrap().lines().next().unwrap();
            continue;
        }
        let code = part.strip_prefix("rust,ignore\n").unwrap();
        // There each stands in a module of its name.
        let code = code.replace(&format!("fn {name}"), "fn kernel");
        let wanted = format!("{name}{{{}}}with{{", squeezed(&code));
        assert!(
            tests.iter().any(|tests| tests.contains(&wanted)),
            "`{name}` is not what is tested"
        );
        assert!(
            book.contains(&format!("[{name}](#{name})")),
            "`{name}` is not in the list"
        );
        kernels += 1;
    }
    assert!(kernels >= 40, "only {kernels} kernels");
}

#[test]
fn the_book_has_every_page_and_every_page_its_links() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src");
    let pages: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let summary = include_str!("../book/src/SUMMARY.md");
    for page in &pages {
        let listed = page == "SUMMARY.md" || summary.contains(&format!("({page})"));
        assert!(listed, "{page} is not in the summary");
        let text = std::fs::read_to_string(folder.join(page)).unwrap();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'))
        {
            let is_there = pages.iter().any(|page| page == link.0);
            assert!(
                is_there || link.0.starts_with("http") || link.0.starts_with('#'),
                "{page}: {}",
                link.0
            );
        }
    }
}

#[test]
fn the_documentation_of_options_names_each() {
    let table = include_str!("../README.md")
        .split("| option | meaning |")
        .nth(1)
        .unwrap();
    let documented = include_str!("../src/lib.rs");
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with("| `"));
    let names = rows.map(|row| {
        row[3..]
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap()
    });
    let mut count = 0;
    for name in names {
        assert!(documented.contains(&format!("/// | `{name}")), "`{name}`");
        count += 1;
    }
    assert!(count > 12, "only {count}");
}
