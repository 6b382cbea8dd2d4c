//! A report that was read, as the constant that the kernel has: so it prints the same.

use loopwright_runtime::{Cost, Lanes, Level, OtherLanes, PassReport, Report, Traffic};
use serde_json::Value;

/// The report that some data state. Its parts live as long as the program, which ends soon.
pub fn report(data: &Value) -> Report {
    Report {
        kernel: text(&data["kernel"]),
        per: text(&data["per"]),
        source: cost(&data["source"]),
        expansion: cost(&data["expansion"]),
        once: cost(&data["once"]),
        levels: list(&data["levels"], |level| Level {
            per: text(&level["per"]),
            times: text(&level["times"]),
            cost: cost(&level["cost"]),
        }),
        passes: list(&data["passes"], |pass| PassReport {
            name: text(&pass["name"]),
            before: cost(&pass["before"]),
            after: cost(&pass["after"]),
            did: text(&pass["did"]),
            decisions: list(&pass["decisions"], text),
        }),
        lanes: list(&data["lanes"], |lanes| Lanes {
            isa: text(&lanes["isa"]),
            width: count(&lanes["width"]),
            over: text(&lanes["over"]),
            millicycles: millicycles(&lanes["cycles"]),
            with: text(&lanes["with"]),
            others: list(&lanes["others"], |other| OtherLanes {
                over: text(&other["over"]),
                millicycles: millicycles(&other["cycles"]),
                reason: text(&other["reason"]),
            }),
        }),
        traffic: Traffic {
            read: count(&data["read_bytes"]),
            written: count(&data["written_bytes"]),
        },
        notes: list(&data["notes"], text),
        advice: list(&data["advice"], text),
    }
}

fn text(value: &Value) -> &'static str {
    value.as_str().unwrap_or_default().to_owned().leak()
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn millicycles(value: &Value) -> u64 {
    (value.as_f64().unwrap_or_default() * 1e3).round() as u64
}

fn list<T>(value: &Value, part: impl Fn(&Value) -> T) -> &'static [T] {
    let values = value.as_array().map(Vec::as_slice).unwrap_or_default();
    values.iter().map(part).collect::<Vec<T>>().leak()
}

fn cost(value: &Value) -> Cost {
    Cost {
        add: count(&value["add"]),
        mul: count(&value["mul"]),
        div: count(&value["div"]),
        compare: count(&value["compare"]),
        call: count(&value["call"]),
        temporary_bytes: count(&value["temporary_bytes"]),
        table_bytes: count(&value["table_bytes"]),
    }
}
