//! Figures of this process under the names every Prometheus client uses, as far as the system tells them
//! (Linux: `/proc/self`). The library for it brings twenty crates.

use std::fs;

/// Kernel ticks are hundredths of a second in every file under `/proc`.
const TICKS: f64 = 100.0;
/// Pages are counted there in units of 4 KiB on the machines we build for.
const PAGE: f64 = 4096.0;

/// What is read of one process.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Figures {
    cpu_seconds: f64,
    resident_bytes: f64,
    virtual_bytes: f64,
    threads: f64,
}

pub fn describe() {
    metrics::describe_gauge!("process_cpu_seconds_total", "Processor time used, user and system.");
    metrics::describe_gauge!("process_resident_memory_bytes", "Memory in use.");
    metrics::describe_gauge!("process_virtual_memory_bytes", "Address space in use.");
    metrics::describe_gauge!("process_threads", "Threads.");
    metrics::describe_gauge!("process_open_fds", "Open files and connections.");
}

/// Reads them now; what cannot be read is left as it was.
pub fn collect() {
    let Some(figures) = fs::read_to_string("/proc/self/stat").ok().and_then(|text| read(&text)) else { return };
    metrics::gauge!("process_cpu_seconds_total").set(figures.cpu_seconds);
    metrics::gauge!("process_resident_memory_bytes").set(figures.resident_bytes);
    metrics::gauge!("process_virtual_memory_bytes").set(figures.virtual_bytes);
    metrics::gauge!("process_threads").set(figures.threads);
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        let open = u32::try_from(open.count()).unwrap_or(u32::MAX);
        metrics::gauge!("process_open_fds").set(f64::from(open));
    }
}

/// Fields of `proc(5)` after the name, which stands in brackets and may hold anything.
fn read(stat: &str) -> Option<Figures> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    // The first of them is field 3, the state.
    let field = |number: usize| fields.get(number - 3)?.parse::<f64>().ok();
    Some(Figures {
        cpu_seconds: (field(14)? + field(15)?) / TICKS,
        resident_bytes: field(24)? * PAGE,
        virtual_bytes: field(23)?,
        threads: field(20)?,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn fields_are_counted_after_the_name() {
        let stat =
            "42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 7 0 12345 1048576 256 18446744073709551615";
        let want = Figures { cpu_seconds: 3.0, resident_bytes: 1_048_576.0, virtual_bytes: 1_048_576.0, threads: 7.0 };
        assert_eq!(read(stat), Some(want));
        assert_eq!(read("nothing"), None);
    }
}
