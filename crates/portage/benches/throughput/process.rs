//! What Linux says of a running process.

/// Seconds of processor time so far.
pub fn seconds_of(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name of the program, in brackets, may hold blanks.
    let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: f64 = after.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok()).sum();
    // Linux counts in hundredths for whoever asks.
    ticks / 100.0
}

/// Megabytes, of a line of its status: `VmRSS:` what it has in memory, `VmHWM:` the most it had.
pub fn megabytes(pid: u32, line: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let found = status.lines().find_map(|l| l.strip_prefix(line)).unwrap_or_default();
    found.split_whitespace().next().and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}
