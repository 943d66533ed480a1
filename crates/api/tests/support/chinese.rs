//! How Chinese is written.

/// The first place of a text where a space stands between two Chinese characters: `2 小时 计费`.
pub fn stray_space(text: &str) -> Option<String> {
    let all: Vec<char> = text.chars().collect();
    let at = all.windows(3).position(|w| w[1] == ' ' && kernel::is_han(w[0]) && kernel::is_han(w[2]))?;
    Some(all[at.saturating_sub(6)..(at + 9).min(all.len())].iter().collect())
}
