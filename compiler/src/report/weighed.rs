//! The arrangements that were weighed, and what memory has to move, on a page.

use std::fmt::Write as _;

use super::page::escaped;
use super::{Facts, LanesFacts};

/// Widths of bars, in rem.
const BAR: f64 = 14.0;

/// The loops that lanes could run over, with the cycles of the model; nothing for what runs as written.
pub fn arrangements(out: &mut String, facts: &Facts) {
    if facts.lanes.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<h2 id=\"weighed\">Weighed: cycles of the model per {}</h2>\n<table>\n\
         <tr><th>for</th><th class=\"left\">lanes</th><th>cycles</th><th></th></tr>",
        escaped(&facts.per)
    );
    let cycles = |lanes: &LanesFacts| {
        let others = lanes
            .others
            .iter()
            .filter_map(|(_, weighed)| weighed.as_ref().ok().copied());
        others.fold(lanes.cycles, f64::max)
    };
    let most = facts
        .lanes
        .iter()
        .map(cycles)
        .fold(f64::MIN_POSITIVE, f64::max);
    for lanes in &facts.lanes {
        let mut taken = over(&lanes.over, lanes.width);
        if !lanes.with.is_empty() {
            taken = format!("{taken}, {}", lanes.with);
        }
        row(
            out,
            &lanes.isa,
            &format!("<b>{}</b>", escaped(&taken)),
            Some(lanes.cycles),
            most,
        );
        let mut others: Vec<&(String, Result<f64, String>)> = lanes.others.iter().collect();
        others.sort_by(|a, b| {
            let key =
                |weighed: &Result<f64, String>| weighed.as_ref().copied().unwrap_or(f64::INFINITY);
            key(&a.1).total_cmp(&key(&b.1))
        });
        for (name, weighed) in others {
            let text = over(name, 1);
            match weighed {
                Ok(cycles) => row(out, "", &escaped(&text), Some(*cycles), most),
                Err(reason) => {
                    let text = format!("not {text}: {reason}");
                    row(out, "", &escaped(&text), None, most);
                }
            }
        }
    }
    out.push_str("</table>\n");
}

fn over(name: &str, width: usize) -> String {
    match (name, width) {
        ("", _) => "no lanes".to_owned(),
        (name, 1) => format!("over {name}"),
        (name, width) => format!("{width} over {name}"),
    }
}

fn row(out: &mut String, isa: &str, text: &str, cycles: Option<f64>, most: f64) {
    let isa = escaped(isa);
    let _ = match cycles {
        Some(cycles) => writeln!(
            out,
            "<tr><td>{isa}</td><td class=\"left\">{text}</td><td>{cycles:.2}</td><td class=\"left\">\
             <span class=\"bar\" style=\"width: {:.2}rem\"></span></td></tr>",
            BAR * cycles / most
        ),
        None => writeln!(
            out,
            "<tr><td>{isa}</td><td class=\"left\" colspan=\"3\">{text}</td></tr>"
        ),
    };
}

/// Sizes of the roofline.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 260.0;
/// Operations a byte, and operations a cycle, at its edges, as powers of two.
const ACROSS: (f64, f64) = (-6.0, 6.0);
const UP: (f64, f64) = (-4.0, 6.0);
/// Bytes a cycle of the slanted lines: those of caches, and of memory that several cores share.
const RATES: [f64; 4] = [64.0, 16.0, 4.0, 1.0];

/// What the kernel moves, and where that puts it between what memory and what arithmetic allow.
pub fn roofline(out: &mut String, facts: &Facts) {
    let moved = facts.traffic.read + facts.traffic.written;
    let operations = facts.expansion.operations();
    if moved == 0 || operations == 0 || facts.lanes.is_empty() {
        return;
    }
    let rate = operations as f64 / moved as f64;
    let _ = writeln!(
        out,
        "<h2 id=\"roofline\">Memory</h2>\n<p>{} bytes in and {} out per {} for {operations} operations: {rate:.2} \
         operations a byte.</p>\n<p>The points are the speeds that the model predicts, with all data in the nearest \
         cache. Slanted lines are memory that moves so many bytes a cycle; a kernel whose data come from there stays \
         below its line. Level lines are two fused multiply-adds a cycle on all lanes.</p>",
        facts.traffic.read,
        facts.traffic.written,
        escaped(&facts.per)
    );
    let x = |value: f64| (value.log2() - ACROSS.0) / (ACROSS.1 - ACROSS.0) * WIDTH;
    let y = |value: f64| HEIGHT - (value.log2() - UP.0) / (UP.1 - UP.0) * HEIGHT;
    let (first, last) = (ACROSS.0.exp2(), ACROSS.1.exp2());
    let _ = writeln!(
        out,
        "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" style=\"max-width: 100%\" font-size=\"11\">\n\
         <rect x=\"0\" y=\"0\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#8881\"/>",
        height = HEIGHT + 20.0
    );
    let line = |out: &mut String, from: (f64, f64), to: (f64, f64), text: &str| {
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#888a\"/>",
            x(from.0),
            y(from.1),
            x(to.0),
            y(to.1)
        );
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"currentColor\" opacity=\".7\">{text}</text>",
            (x(from.0) + 4.0).max(4.0),
            y(from.1) - 4.0
        );
    };
    for bytes in RATES {
        // From where it enters the picture to where it leaves it.
        let from = first.max(UP.0.exp2() / bytes);
        let to = last.min(UP.1.exp2() / bytes);
        line(
            out,
            (from, from * bytes),
            (to, to * bytes),
            &format!("{bytes} bytes a cycle"),
        );
    }
    for lanes in &facts.lanes {
        let most = 4.0 * lanes.width as f64;
        let right = (last / 8.0).max(first);
        line(out, (right, most), (last, most), &escaped(&lanes.isa));
        let speed = operations as f64 / lanes.cycles.max(1e-3);
        let inside = |value: f64, (low, high): (f64, f64)| value.clamp(low.exp2(), high.exp2());
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"hsl(210 60% 50%)\"><title>{}: {speed:.2} operations a \
             cycle</title></circle>",
            x(inside(rate, ACROSS)),
            y(inside(speed, UP)),
            escaped(&lanes.isa)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"currentColor\">operations a byte, {first} to \
         {last}; upwards operations a cycle, {} to {}</text>\n</svg>",
        WIDTH / 2.0,
        HEIGHT + 15.0,
        UP.0.exp2(),
        UP.1.exp2()
    );
}
