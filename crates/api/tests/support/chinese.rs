//! How Chinese is written.

/// The first place of a text where a space stands between two Chinese characters, or beside punctuation as wide as they are:
/// `2 小时 计费`, `（2 名帮手） = CA$2.00`.
pub fn stray_space(text: &str) -> Option<String> {
    let all: Vec<char> = text.chars().collect();
    let is_wide = |c: char| "，。：；！？（）、“”「」《》…".contains(c);
    let is_close = |left, right| is_wide(left) || is_wide(right) || (kernel::is_han(left) && kernel::is_han(right));
    let at = all.windows(3).position(|w| w[1] == ' ' && is_close(w[0], w[2]))?;
    Some(all[at.saturating_sub(6)..(at + 9).min(all.len())].iter().collect())
}
