//! What the examples that write pictures share: colours, files and times.

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use image::{GrayImage, Luma, Rgb, RgbImage};

/// How a program ends; an error is printed.
pub fn ended(result: Result<(), Box<dyn Error>>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads a number of the command line.
///
/// # Errors
///
/// What is no number, or outside of the range.
pub fn number(text: &str, range: RangeInclusive<f32>) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(_) => Err(format!(
            "it is not between {} and {}",
            range.start(),
            range.end()
        )),
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}

/// Makes the folder that pictures go to, so that a path that cannot be written is found before the work.
///
/// # Errors
///
/// A folder that cannot be made, or where no file can be written; the message names it.
pub fn folder(path: &Path) -> Result<(), Box<dyn Error>> {
    let probe = path.join(".loopwright");
    std::fs::create_dir_all(path)
        .and_then(|()| std::fs::write(&probe, b""))
        .and_then(|()| std::fs::remove_file(&probe))
        .map_err(|error| format!("cannot write into {}: {error}", path.display()).into())
}

/// Writes `value(x, y)`, from 0 to 1, as shades of grey; what is beyond is black or white.
///
/// # Errors
///
/// A file that cannot be written; the message names it.
pub fn grey(
    path: PathBuf,
    [width, height]: [usize; 2],
    value: impl Fn(usize, usize) -> f32,
) -> Result<PathBuf, Box<dyn Error>> {
    let pixel = |x, y| {
        let level = value(x as usize, y as usize).clamp(0.0, 1.0);
        Luma([(level * 255.0).round() as u8])
    };
    let picture = GrayImage::from_fn(width as u32, height as u32, pixel);
    picture.save(&path).map_err(|error| named(&path, &error))?;
    Ok(path)
}

/// Writes a field with signs over a background: `field(x, y)` from -1 (blue) over 0 (the background) to
/// 1 (red), `background(x, y)` from 0 (black) to 1 (white).
///
/// # Errors
///
/// A file that cannot be written; the message names it.
pub fn field(
    path: PathBuf,
    [width, height]: [usize; 2],
    field: impl Fn(usize, usize) -> f32,
    background: impl Fn(usize, usize) -> f32,
) -> Result<PathBuf, Box<dyn Error>> {
    let pixel = |x, y| {
        let (x, y) = (x as usize, y as usize);
        blend(field(x, y), background(x, y))
    };
    let picture = RgbImage::from_fn(width as u32, height as u32, pixel);
    picture.save(&path).map_err(|error| named(&path, &error))?;
    Ok(path)
}

/// A colour between that of the background and red or blue.
fn blend(value: f32, background: f32) -> Rgb<u8> {
    const RED: [f32; 3] = [0.80, 0.09, 0.11];
    const BLUE: [f32; 3] = [0.13, 0.28, 0.75];
    let end = if value > 0.0 { RED } else { BLUE };
    // The root shows waves that have become weak.
    let part = value.abs().min(1.0).sqrt();
    let shade = background.clamp(0.0, 1.0);
    Rgb(end.map(|end| ((shade + part * (end - shade)) * 255.0).round() as u8))
}

/// An error of a file, with its name.
fn named(path: &Path, error: &dyn Error) -> Box<dyn Error> {
    format!("cannot write {}: {error}", path.display()).into()
}

/// The shortest of several times that something takes, after one run that does not count.
pub fn shortest(rounds: usize, mut run: impl FnMut()) -> Duration {
    run();
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..rounds.max(1)).map(time).min().unwrap_or_default()
}

/// An empty table with a header, whose columns but the first are aligned to the right.
pub fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(header);
    for column in 1..N {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_run_from_blue_over_the_background_to_red() {
        assert_eq!(blend(0.0, 1.0), Rgb([255, 255, 255]));
        assert_eq!(blend(1.0, 0.5), Rgb([204, 23, 28]));
        assert_eq!(blend(-7.0, 0.5), Rgb([33, 71, 191]));
    }

    #[test]
    fn numbers_are_in_their_range() {
        assert_eq!(number("0.5", 0.0..=4.0), Ok(0.5));
        assert!(number("5", 0.0..=4.0).is_err() && number("x", 0.0..=4.0).is_err());
        assert!(number("NaN", 0.0..=4.0).is_err());
    }

    #[test]
    fn pictures_are_read_back_as_they_were_written() {
        let folder_of_test = std::env::temp_dir().join("loopwright-pictures");
        folder(&folder_of_test).unwrap();
        let value = |x, y| (x + 3 * y) as f32 / 11.0;
        let path = grey(folder_of_test.join("ramp.png"), [3, 4], value).unwrap();
        let read = image::open(path).unwrap().into_luma8();
        assert_eq!(read.dimensions(), (3, 4));
        for (x, y, &Luma([level])) in read.enumerate_pixels() {
            let expected = value(x as usize, y as usize).min(1.0) * 255.0;
            assert_eq!(f32::from(level), expected.round());
        }
        let missing = folder_of_test.join("none").join("ramp.png");
        let error = grey(missing, [1, 1], value).unwrap_err().to_string();
        assert!(error.contains("none"), "{error}");
    }
}
