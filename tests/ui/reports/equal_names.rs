//! Compiled with `LOOPWRIGHT_REPORT` set: kernels of one name in two modules have files of their own.

mod twice {
    loopwright::kernel! {
        pub fn scaled(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                y[i] = 2.0 * x[i] + 1.0;
            }
        }
    }
}

mod thrice {
    loopwright::kernel! {
        pub fn scaled(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                y[i] = 3.0 * x[i];
            }
        }

        pub fn r#type(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                y[i] = x[i] / 3.0;
            }
        }
    }
}

fn main() {
    let folder = std::env::var("LOOPWRIGHT_REPORT").unwrap();
    let folder = std::path::Path::new(&folder).join(env!("CARGO_CRATE_NAME"));
    for (name, report) in [
        ("scaled", twice::scaled::REPORT),
        ("scaled-2", thrice::scaled::REPORT),
        ("type", thrice::r#type::REPORT),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        assert!(text.contains("equal_names.rs"), "{text}");
        let (source, expansion) = text.split_once("\"expansion\": {").unwrap();
        for (text, cost) in [(source, report.source), (expansion, report.expansion)] {
            for (operation, count) in [("add", cost.add), ("mul", cost.mul), ("div", cost.div)] {
                let wanted = format!("\"{operation}\": {count},");
                assert!(text.contains(&wanted), "{name}: {wanted} is not in {text}");
            }
        }
        for extension in ["html", "rs"] {
            let path = folder.join(format!("{name}.{extension}"));
            assert!(path.metadata().unwrap().len() > 500);
        }
    }
}
