//! How well words fit what is typed.

/// The rank of `words` for what is typed, the smaller the better; `None` where they do not fit. A whole word is best, then the
/// beginning of one, then any part, then the letters in their order. Nothing typed fits all alike.
pub(crate) fn rank(words: &str, typed: &str) -> Option<u32> {
    let (words, typed) = (words.to_ascii_lowercase(), typed.to_ascii_lowercase());
    if typed.is_empty() {
        return Some(0);
    }
    if words.split(' ').any(|word| word == typed) {
        return Some(1);
    }
    if let Some(at) = words.find(&typed) {
        let begins = at == 0 || words.as_bytes().get(at - 1).is_some_and(|before| !before.is_ascii_alphanumeric());
        let place = u32::try_from(at.min(900)).unwrap_or(900);
        return Some(if begins { 10 } else { 1000 } + place);
    }
    // The letters in their order; the closer together, the better.
    let (mut gaps, mut wanted, mut begun) = (0_u32, typed.chars().peekable(), false);
    for letter in words.chars() {
        if wanted.next_if_eq(&letter).is_some() {
            begun = true;
        } else if begun && wanted.peek().is_some() {
            gaps += 1;
        }
    }
    // Two letters are in almost anything.
    (wanted.peek().is_none() && typed.chars().count() > 2 && gaps < 12).then_some(2000 + gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_of_a_word_is_typed_the_better_it_ranks() {
        let ranks = ["po pods", "pods", "a podtemplates", "myapods", "p-o-d-s"].map(|words| rank(words, "pods"));
        assert_eq!(ranks[0], Some(1));
        assert_eq!(ranks[1], Some(1));
        assert!(ranks[3] > Some(999) && ranks[2] > ranks[3] && ranks[4] > ranks[3]);
        assert!(rank("deployments", "dep") < rank("replicasets deployments", "dep"));
    }

    #[test]
    fn what_is_typed_in_another_case_fits_and_two_letters_do_not_fit_everything() {
        assert_eq!(rank("ConfigMaps cm", "CM"), Some(1));
        assert_eq!(rank("ConfigMaps", "cs"), None);
        assert_eq!(rank("anything", ""), Some(0));
        assert_eq!(rank("", "x"), None);
    }
}
