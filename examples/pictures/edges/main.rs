//! Smooths an image and finds its edges, as Canny does (IEEE PAMI 8, 1986).
//!
//! ```text
//! cargo run --release --example edges -- [IMAGE] [--low LEVEL] [--high LEVEL] [--output DIR]
//! ```
//!
//! `kernels` has the loops: brightness, smoothing, the gradient, and the thinning of edges to a line.
//! What then belongs to an edge is followed here, from the strong pixels to the weak ones beside them.

mod kernels;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use image::RgbImage;
use indicatif::{ProgressBar, ProgressStyle};
use loopwright_pictures::{ended, folder, grey, number, shortest, table};
use ndarray::Array2;

use kernels::{brightness, gradient, smooth, thin};

/// Smooths an image, finds its edges, and writes pictures of both.
#[derive(Parser)]
#[command(
    name = "edges",
    after_help = "Examples:
  edges                                      a drawn image, pictures in edges/
  edges holiday.jpg                          of a photograph
  edges holiday.jpg --low 0.05 --high 0.3    fewer edges, and longer ones"
)]
struct Arguments {
    /// A picture: PNG, JPEG or PNM. One is drawn where none is given.
    image: Option<PathBuf>,
    /// The gradient from which a pixel beside an edge belongs to it; black to white is 4.
    #[arg(long, default_value_t = 0.08, value_parser = level)]
    low: f32,
    /// The gradient from which a pixel is an edge by itself.
    #[arg(long, default_value_t = 0.25, value_parser = level)]
    high: f32,
    /// The folder for the pictures.
    #[arg(long, value_name = "DIR", default_value = "edges")]
    output: PathBuf,
}

/// Reads a gradient.
fn level(text: &str) -> Result<f32, String> {
    number(text, 0.0..=4.0)
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let output = &arguments.output;
    folder(output)?;
    let progress = ProgressBar::new(4);
    progress.set_style(ProgressStyle::with_template("{bar:24} {elapsed:>4} {msg}")?);
    let next = |message: &'static str| {
        progress.inc(1);
        progress.set_message(message);
    };

    next("reading");
    let picture = match &arguments.image {
        Some(path) => read(path)?,
        None => drawn(640, 480),
    };
    next("finding edges");
    let found = Found::of(&picture, arguments.low, arguments.high.max(arguments.low));
    next("writing");
    let size = [picture.width() as usize, picture.height() as usize];
    grey(output.join("smoothed.png"), size, |x, y| {
        found.smoothed[[y, x]]
    })?;
    let largest = found
        .length
        .iter()
        .copied()
        .fold(f32::MIN_POSITIVE, f32::max);
    grey(output.join("gradient.png"), size, |x, y| {
        found.length[[y, x]] / largest
    })?;
    grey(output.join("edges.png"), size, |x, y| {
        f32::from(u8::from(found.edges[[y, x]]))
    })?;
    next("timing");
    let timings = found.timings(&picture);
    progress.finish_and_clear();

    let edges = found.edges.iter().filter(|&&edge| edge).count();
    println!(
        "{} x {} pixels, {edges} of them edges.\n{timings}",
        size[0], size[1]
    );
    println!(
        "smoothed.png, gradient.png and edges.png are in {}.",
        output.display()
    );
    Ok(())
}

/// Reads a picture.
///
/// # Errors
///
/// A file that cannot be read, is no picture, or has fewer than 3 pixels a side.
fn read(path: &Path) -> Result<RgbImage, Box<dyn Error>> {
    let picture = image::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    match picture.into_rgb8() {
        picture if picture.width().min(picture.height()) < 3 => {
            Err(format!("{}: smaller than 3 x 3 pixels", path.display()).into())
        }
        picture => Ok(picture),
    }
}

/// Rings, a checkerboard and a slope, in colours.
fn drawn(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let [u, v] = [(x, width), (y, height)].map(|(i, n)| i as f32 / n as f32);
        let radius = ((u - 0.3) * 4.0).hypot((v - 0.45) * 3.0);
        let board = (u * 12.0) as u32 % 2 == (v * 9.0) as u32 % 2;
        let level = match radius {
            ..1.0 => 0.5 + 0.5 * (12.0 * radius * radius).cos(),
            _ if u > 0.62 && board => 0.9,
            _ => 0.15 + 0.3 * v,
        };
        image::Rgb([level, 0.8 * level + 0.1 * u, 0.6 * level + 0.3 * v].map(|c| (c * 255.0) as u8))
    })
}

/// What was found in an image.
struct Found {
    grey: Array2<f32>,
    smoothed: Array2<f32>,
    along_x: Array2<f32>,
    along_y: Array2<f32>,
    length: Array2<f32>,
    thinned: Array2<f32>,
    edges: Array2<bool>,
}

/// The pixels of a picture.
fn pixels(picture: &RgbImage) -> &[[u8; 3]] {
    picture.as_raw().as_chunks().0
}

impl Found {
    /// Everything, from `low` and `high` gradients on.
    fn of(picture: &RgbImage, low: f32, high: f32) -> Found {
        let shape = (picture.height() as usize, picture.width() as usize);
        let zeros = || Array2::<f32>::zeros(shape);
        let mut levels = vec![0.0; shape.0 * shape.1];
        brightness(pixels(picture), &mut levels);
        let mut found = Found {
            grey: Array2::from_shape_vec(shape, levels).unwrap_or_else(|_| zeros()),
            smoothed: zeros(),
            along_x: zeros(),
            along_y: zeros(),
            length: zeros(),
            thinned: zeros(),
            edges: Array2::from_elem(shape, false),
        };
        smooth(&found.grey, &mut found.smoothed);
        gradient(
            &found.smoothed,
            &mut found.along_x,
            &mut found.along_y,
            &mut found.length,
        );
        thin(
            &found.along_x,
            &found.along_y,
            &found.length,
            &mut found.thinned,
        );
        found.follow(low, high);
        found
    }

    /// Marks the pixels from `high` on, and those from `low` on that are connected with them.
    fn follow(&mut self, low: f32, high: f32) {
        let (height, width) = self.thinned.dim();
        let strong = self
            .thinned
            .indexed_iter()
            .filter(|(_, length)| **length >= high);
        let mut stack: Vec<(usize, usize)> = strong.map(|(place, _)| place).collect();
        while let Some((y, x)) = stack.pop() {
            if std::mem::replace(&mut self.edges[[y, x]], true) {
                continue;
            }
            for y in y.saturating_sub(1)..(y + 2).min(height) {
                for x in x.saturating_sub(1)..(x + 2).min(width) {
                    if self.thinned[[y, x]] >= low && !self.edges[[y, x]] {
                        stack.push((y, x));
                    }
                }
            }
        }
    }

    /// What each kernel takes, beside its text.
    fn timings(&self, picture: &RgbImage) -> comfy_table::Table {
        let pixels = pixels(picture);
        let mut table = table([
            "kernel",
            "operations",
            "text, ns a pixel",
            "kernel, ns a pixel",
            "speed-up",
        ]);
        let mut row = |report: &loopwright::Report,
                       kernel: &mut dyn FnMut(),
                       text: &mut dyn FnMut()| {
            let nanoseconds =
                |run: &mut dyn FnMut()| shortest(9, run).as_secs_f64() * 1e9 / pixels.len() as f64;
            let (text, kernel) = (nanoseconds(text), nanoseconds(kernel));
            let [before, after] = [report.source, report.expansion].map(|cost| cost.operations());
            table.add_row([
                report.kernel.to_owned(),
                format!("{before} → {after}"),
                format!("{text:.2}"),
                format!("{kernel:.2}"),
                format!("{:.2}", text / kernel),
            ]);
        };
        let mut levels = [vec![0.0; pixels.len()], vec![0.0; pixels.len()]];
        let [a, b] = &mut levels;
        row(
            &brightness::REPORT,
            &mut || brightness(pixels, a),
            &mut || brightness::reference(pixels, b),
        );
        let zeros = || Array2::<f32>::zeros(self.grey.dim());
        let (mut a, mut b) = (zeros(), zeros());
        row(
            &smooth::REPORT,
            &mut || smooth(&self.grey, &mut a),
            &mut || smooth::reference(&self.grey, &mut b),
        );
        let [mut ax, mut ay, mut bx, mut by] = [zeros(), zeros(), zeros(), zeros()];
        row(
            &gradient::REPORT,
            &mut || gradient(&self.smoothed, &mut ax, &mut ay, &mut a),
            &mut || gradient::reference(&self.smoothed, &mut bx, &mut by, &mut b),
        );
        let (x, y, length) = (&self.along_x, &self.along_y, &self.length);
        row(
            &thin::REPORT,
            &mut || thin(x, y, length, &mut a),
            &mut || thin::reference(x, y, length, &mut b),
        );
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A white square on black.
    fn square() -> RgbImage {
        let inside = |i: u32| (10..30).contains(&i);
        RgbImage::from_fn(40, 40, |x, y| {
            image::Rgb([255 * u8::from(inside(x) && inside(y)); 3])
        })
    }

    #[test]
    fn the_edges_of_a_square_are_its_sides() {
        let found = Found::of(&square(), 0.08, 0.25);
        for middle in 14..26 {
            let across: Vec<usize> = (0..40).filter(|&x| found.edges[[middle, x]]).collect();
            assert!(
                across.iter().all(|x| [9, 10, 29, 30].contains(x)),
                "{across:?}"
            );
            assert!(
                across.iter().any(|&x| x < 20) && across.iter().any(|&x| x > 20),
                "{across:?}"
            );
        }
        assert!(!found.edges[[20, 20]] && !found.edges[[3, 3]]);
    }

    #[test]
    fn smoothing_keeps_what_is_even() {
        let found = Found::of(&RgbImage::from_pixel(7, 5, image::Rgb([255; 3])), 0.1, 0.1);
        assert!(
            found
                .smoothed
                .iter()
                .all(|level| (level - 1.0).abs() < 1e-6)
        );
        assert!(found.edges.iter().all(|&edge| !edge));
    }

    #[test]
    fn kernels_agree_with_their_texts() {
        let picture = drawn(61, 47);
        let found = Found::of(&picture, 0.1, 0.2);
        let mut expected = Array2::zeros(found.grey.dim());
        smooth::reference(&found.grey, &mut expected);
        let pairs = found.smoothed.iter().zip(&expected);
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-6));
        let mut expected = Array2::zeros(found.grey.dim());
        thin::reference(&found.along_x, &found.along_y, &found.length, &mut expected);
        assert_eq!(found.thinned, expected);
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
        assert!(level("5").is_err() && level("x").is_err() && level("0.5").is_ok());
    }
}
