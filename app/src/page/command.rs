//! The kubectl command that shows what is on screen.

use crate::bridge::ViewSpec;

/// The command. kubectl asks for one namespace or for all, so that several are as many commands.
pub(super) fn of_spec(spec: &ViewSpec, namespaced: bool) -> String {
    let group = &spec.resource.group;
    let resource = match (&spec.version, group.is_empty()) {
        (Some(version), false) => format!("{}.{version}.{group}", spec.resource.resource),
        _ => spec.resource.to_string(),
    };
    let (labels, fields) = spec.selectors();
    let mut rest = String::new();
    for (flag, selector) in [(" -l ", labels), (" --field-selector ", fields)] {
        if let Some(selector) = selector {
            rest.extend([flag, &quoted(&selector)]);
        }
    }
    if spec.projection.is_empty() {
        rest.push_str(if spec.wide || spec.shown.is_some() { " -o wide" } else { "" });
    } else {
        let columns: Vec<_> = std::iter::once("NAME:.metadata.name".to_owned())
            .chain(spec.projection.iter().map(|(name, path)| {
                let heading: String = name.to_ascii_uppercase().replace([' ', ','], "_");
                format!("{heading}:{path}")
            }))
            .collect();
        rest.extend([" -o ", &quoted(&format!("custom-columns={}", columns.join(",")))]);
    }
    let of = |place: String| format!("kubectl get {}{place}{rest}", quoted(&resource));
    if !namespaced {
        return of(String::new());
    }
    if spec.namespaces.is_empty() {
        return of(" -A".to_owned());
    }
    spec.namespaces.iter().map(|name| of(format!(" -n {}", quoted(name.as_str())))).collect::<Vec<_>>().join("; ")
}

/// `text` as a shell reads it as one word.
fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=,:".contains(letter);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> ViewSpec {
        ViewSpec {
            resource: "deployments.apps".into(),
            version: None,
            namespaces: vec![],
            sort: vec![],
            filter: String::new(),
            shown: None,
            wide: false,
            projection: vec![],
        }
    }

    #[test]
    fn the_command_asks_for_the_same_rows() {
        assert_eq!(of_spec(&spec(), true), "kubectl get deployments.apps -A");
        assert_eq!(of_spec(&ViewSpec { wide: true, ..spec() }, false), "kubectl get deployments.apps -o wide");
        let two = ViewSpec { namespaces: vec!["a".into(), "b".into()], version: Some("v1".into()), ..spec() };
        assert_eq!(of_spec(&two, true), "kubectl get deployments.v1.apps -n a; kubectl get deployments.v1.apps -n b");
        let selected = ViewSpec { filter: "web -l 'env in (a, b)' -f metadata.name=x".into(), ..spec() };
        assert_eq!(
            of_spec(&selected, true),
            "kubectl get deployments.apps -A -l 'env in (a, b)' --field-selector metadata.name=x"
        );
        let columns = ViewSpec { projection: vec![("Image".into(), ".spec.containers[*].image".into())], ..spec() };
        assert_eq!(
            of_spec(&columns, true),
            "kubectl get deployments.apps -A -o 'custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image'"
        );
    }

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
