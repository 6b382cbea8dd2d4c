//! Bars of speed-up over FFCx, one panel a form (Luporini, Ham and Kelly 2017, figures 8 to 11).

use std::fmt::Write as _;
use std::path::Path;

use super::{Peers, Row};

const PANEL: (f64, f64) = (720.0, 260.0);
const MARGIN: f64 = 60.0;
const FORMS: [&str; 4] = ["mass", "helmholtz", "elasticity", "hyperelasticity"];
/// Level 2, level 3, and the best of the other form compilers.
const COLOURS: [&str; 3] = ["#8da9c4", "#134074", "#c8553d"];
const LABELS: [&str; 3] = [
    "loopwright, level 2",
    "loopwright, level 3",
    "best of COFFEE, TSFC",
];

/// The speed-ups of a row over FFCx, if that was measured.
fn bars(row: &Row, peers: &Peers) -> Option<[f64; 3]> {
    let ffcx = row.times.ffcx?;
    let best = peers
        .of(row.form, row.degree, row.coefficients)
        .best_over_ffcx;
    Some([ffcx / row.times.level2, ffcx / row.times.level3, 1.0 / best])
}

/// Writes `target/forms.svg`, if FFCx was measured.
pub fn draw(rows: &[Row], peers: &Peers) {
    let height = PANEL.1 + MARGIN;
    let mut panels = String::new();
    let mut count = 0;
    for form in FORMS {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.form == form).collect();
        let measured: Vec<(&Row, [f64; 3])> = rows
            .iter()
            .filter_map(|row| Some((*row, bars(row, peers)?)))
            .collect();
        if !measured.is_empty() {
            let top = f64::from(count) * height + MARGIN;
            panel(&mut panels, form, &measured, top);
            count += 1;
        }
    }
    if count == 0 {
        return;
    }
    let (width, height) = (PANEL.0 + 2.0 * MARGIN, f64::from(count) * height + MARGIN);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{panels}</svg>\n"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    let path = folder.join("forms.svg");
    // Cargo may build in another place.
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, svg));
    match written {
        Ok(()) => println!("target/forms.svg: speed-up over FFCx"),
        Err(error) => eprintln!("{}: {error}", path.display()),
    }
}

/// One form: a group of bars for each degree and number of coefficients, on a logarithmic axis.
fn panel(svg: &mut String, form: &str, rows: &[(&Row, [f64; 3])], top: f64) {
    let values = rows.iter().flat_map(|(_, bars)| bars);
    let largest = values.clone().fold(2.0_f64, |m, v| m.max(*v)).log2().ceil();
    let smallest = values.fold(0.5_f64, |m, v| m.min(*v)).log2().floor();
    let bottom = top + PANEL.1 - MARGIN;
    let y = |log: f64| bottom - (log - smallest) / (largest - smallest) * (bottom - top);
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"14\">{form}: speed-up over FFCx</text>",
        top - 24.0
    );
    for (at, (colour, label)) in COLOURS.iter().zip(LABELS).enumerate() {
        let x = MARGIN + 260.0 + 160.0 * at as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{}\">{label}</text>",
            top - 33.0,
            x + 14.0,
            top - 24.0
        );
    }
    let mut tick = smallest;
    while tick <= largest {
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"{1}\" y2=\"{1}\" stroke=\"{2}\"/>\
             <text x=\"{3}\" y=\"{4}\" text-anchor=\"end\">{5}</text>",
            MARGIN + PANEL.0,
            y(tick),
            if tick == 0.0 { "black" } else { "#dddddd" },
            MARGIN - 6.0,
            y(tick) + 4.0,
            2.0_f64.powf(tick),
        );
        tick += 1.0;
    }
    let group = PANEL.0 / rows.len() as f64;
    let width = group * 0.8 / 3.0;
    for (at, (row, bars)) in rows.iter().enumerate() {
        let left = MARGIN + group * (at as f64 + 0.1);
        for (bar, (value, colour)) in bars.iter().zip(COLOURS).enumerate() {
            let log = value.log2();
            let (high, low) = (y(log.max(0.0)), y(log.min(0.0)));
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{high:.1}\" width=\"{width:.1}\" height=\"{:.1}\" \
                 fill=\"{colour}\"><title>{:.2}</title></rect>",
                left + bar as f64 * width,
                low - high,
                value,
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">q{} nf{}</text>",
            left + 0.4 * group,
            bottom + 16.0,
            row.degree,
            row.coefficients
        );
    }
}
