//! Google's polyline encoding, which directions answer in unless GeoJSON is asked for.

use kernel::Coordinates;

/// The line as text with `decimals` (5 or 6) digits after the point; latitude comes first.
pub(super) fn encode(line: &[Coordinates], decimals: i32) -> String {
    let scale = 10f64.powi(decimals);
    let mut out = String::new();
    let mut last = (0i64, 0i64);
    for point in line {
        let here = ((point.lat * scale).round() as i64, (point.lon * scale).round() as i64);
        push(&mut out, here.0 - last.0);
        push(&mut out, here.1 - last.1);
        last = here;
    }
    out
}

fn push(out: &mut String, value: i64) {
    // The sign goes into the lowest bit; five bits per letter, lowest first.
    let mut rest = if value < 0 { !(value << 1) } else { value << 1 } as u64;
    while rest >= 0x20 {
        out.push(letter(0x20 | (rest & 0x1f)));
        rest >>= 5;
    }
    out.push(letter(rest));
}

fn letter(bits: u64) -> char {
    char::from(u8::try_from(bits + 63).unwrap_or(b'?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_vectors() {
        let c = |lat, lon| Coordinates { lat, lon };
        assert_eq!(encode(&[c(38.5, -120.2), c(40.7, -120.95), c(43.252, -126.453)], 5), "_p~iF~ps|U_ulLnnqC_mqNvxq`@");
        let montreal = [c(45.501689, -73.567256), c(45.508840, -73.587810)];
        assert_eq!(encode(&montreal, 5), "q`vtGjr_`Muk@l_C");
        assert_eq!(encode(&montreal, 6), "qnexuAn`eikC}}Lrcg@");
        assert_eq!(encode(&[], 5), "");
    }
}
