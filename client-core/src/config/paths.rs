//! Paths as text, the way Go's `path/filepath` treats them: without asking a file system.

/// What separates the parts of a path here.
const SEPARATOR: char = if cfg!(windows) { '\\' } else { '/' };

pub(crate) const fn is_separator(character: char) -> bool {
    character == '/' || (cfg!(windows) && character == '\\')
}

/// Whether `path` starts at a root.
#[cfg(feature = "kubeconfig")]
pub(crate) fn is_absolute(path: &str) -> bool {
    volume(path).1.starts_with(is_separator)
}

/// A drive, where the system has drives, and the rest.
fn volume(path: &str) -> (&str, &str) {
    let bytes = path.as_bytes();
    if cfg!(windows) && bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        path.split_at(2)
    } else {
        ("", path)
    }
}

/// The shortest way to write `path`: no `.`, no doubled separators, `..` only in front (Go `filepath.Clean`).
pub(crate) fn clean(path: &str) -> String {
    let (drive, rest) = volume(path);
    let rooted = rest.starts_with(is_separator);
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split(is_separator) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            _ => parts.push(part),
        }
    }
    let mut text = drive.to_owned();
    if rooted {
        text.push(SEPARATOR);
    }
    text.push_str(&parts.join(&SEPARATOR.to_string()));
    if text.is_empty() { ".".to_owned() } else { text }
}

/// `path` below `base`, or `path` itself where it is absolute.
#[cfg(feature = "kubeconfig")]
pub(crate) fn join(base: &str, path: &str) -> String {
    if is_absolute(path) { path.to_owned() } else { clean(&format!("{base}{SEPARATOR}{path}")) }
}

/// The folder that `path` is in.
#[cfg(feature = "kubeconfig")]
pub(crate) fn parent(path: &str) -> String {
    match path.rfind(is_separator) {
        Some(end) => clean(path.get(..=end).unwrap_or_default()),
        None => ".".to_owned(),
    }
}

/// The last part of `path`; the path itself where it has only one.
pub(crate) fn base_name(path: &str) -> &str {
    path.trim_end_matches(is_separator).rsplit(is_separator).next().unwrap_or(path)
}

/// The way from `base` to `path`, both absolute, where none of it leads back (client-go `tools/clientcmd/loader.go`,
/// `RelativizePathWithNoBacksteps`).
#[cfg(feature = "kubeconfig")]
pub(crate) fn below(path: &str, base: &str) -> Option<String> {
    let (path, base) = (clean(path), clean(base));
    let rest = path.strip_prefix(base.trim_end_matches(is_separator))?;
    match rest.strip_prefix(is_separator) {
        Some(rest) => Some(rest.to_owned()),
        None => rest.is_empty().then(|| ".".to_owned()),
    }
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn paths_are_cleaned_as_go_cleans_them() {
        for (path, expected) in [
            ("", "."),
            ("a//b/./c", "a/b/c"),
            ("a/../b", "b"),
            ("../../a", "../../a"),
            ("a/../../b", "../b"),
            ("/..", "/"),
            ("/../a/", "/a"),
            ("./aws", "aws"),
        ] {
            assert_eq!(clean(path), expected, "{path}");
        }
    }

    #[test]
    fn the_last_part_of_a_path_is_its_name() {
        assert_eq!((base_name("/a/b"), base_name("b"), base_name("a/b/")), ("b", "b", "b"));
    }

    #[cfg(feature = "kubeconfig")]
    #[test]
    fn paths_are_put_together_and_taken_apart() {
        assert_eq!(join("/home/.kube", "../ca"), "/home/ca");
        assert_eq!(join("/home", "/ca"), "/ca");
        assert_eq!((parent("/a/b").as_str(), parent("/b").as_str(), parent("b").as_str()), ("/a", "/", "."));
    }

    #[cfg(feature = "kubeconfig")]
    #[test]
    fn a_way_down_is_found_and_a_way_back_is_none() {
        assert_eq!(below("/a/b/c", "/a").as_deref(), Some("b/c"));
        assert_eq!(below("/a/b", "/").as_deref(), Some("a/b"));
        assert_eq!(below("/a", "/a").as_deref(), Some("."));
        assert_eq!(below("/ab", "/a"), None);
        assert_eq!(below("/b", "/a"), None);
    }
}
