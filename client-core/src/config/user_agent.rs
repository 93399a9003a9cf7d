//! The name a client goes by.

use super::paths::base_name;

const UNKNOWN: &str = "unknown";

/// A name in client-go's form, `<command>/<version> (<os>/<arch>) kubernetes/<commit>` (client-go `rest/config.go`,
/// `buildUserAgent`).
#[must_use]
pub fn user_agent(command: &str, version: &str, os: &str, arch: &str, commit: &str) -> String {
    format!("{command}/{version} ({os}/{arch}) kubernetes/{commit}")
}

/// The name of this library in the program that was started as `program`, such as the first argument of the process.
/// The commit is that of the build, where the build had it in `PORTHOLE_COMMIT` (client-go
/// `DefaultKubernetesUserAgent`).
#[must_use]
pub fn default_user_agent(program: &str) -> String {
    user_agent(
        command_name(program),
        release(env!("CARGO_PKG_VERSION")),
        go_os(std::env::consts::OS),
        go_arch(std::env::consts::ARCH),
        short_commit(option_env!("PORTHOLE_COMMIT").unwrap_or_default()),
    )
}

/// The last part of the path a program was started by.
fn command_name(program: &str) -> &str {
    if program.is_empty() { UNKNOWN } else { base_name(program) }
}

/// A version without what follows its first dash.
fn release(version: &str) -> &str {
    match version.split('-').next() {
        None | Some("") => UNKNOWN,
        Some(release) => release,
    }
}

/// As much of a commit's hash as tells it from others.
fn short_commit(commit: &str) -> &str {
    if commit.is_empty() { UNKNOWN } else { commit.get(..7).unwrap_or(commit) }
}

/// Go's name of a system: what servers know from other clients.
fn go_os(os: &str) -> &str {
    match os {
        "" => UNKNOWN,
        "macos" => "darwin",
        other => other,
    }
}

/// Go's name of a processor.
fn go_arch(arch: &str) -> &str {
    match arch {
        "" => UNKNOWN,
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        "powerpc64" => "ppc64le",
        "wasm32" => "wasm",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_version_loses_what_follows_its_first_dash() {
        assert_eq!(["1.2.3-alpha4", "1.2.3-alpha", "1.2.3", ""].map(release), ["1.2.3", "1.2.3", "1.2.3", "unknown"]);
    }

    #[test]
    fn seven_digits_of_a_commit_are_enough() {
        assert_eq!(["1234567890", "123456", ""].map(short_commit), ["1234567", "123456", "unknown"]);
    }

    #[test]
    fn a_command_is_the_last_part_of_its_path() {
        assert_eq!(
            ["home/bob/Downloads/beans", "./beans", "beans", "/usr/bin/beans", ""].map(command_name),
            ["beans", "beans", "beans", "beans", "unknown"]
        );
    }

    #[test]
    fn the_parts_stand_where_client_go_puts_them() {
        assert_eq!(
            user_agent("lynx", "nicest", "beos", "itanium", "baaaaaaaaad"),
            "lynx/nicest (beos/itanium) kubernetes/baaaaaaaaad"
        );
    }

    #[test]
    fn the_default_names_the_program_the_system_and_kubernetes() {
        let agent = default_user_agent("/usr/local/bin/controller");
        assert!(agent.starts_with(concat!("controller/", env!("CARGO_PKG_VERSION"), " (")), "{agent}");
        assert!(agent.contains(") kubernetes/"), "{agent}");
        assert_eq!((go_os("macos"), go_arch("x86_64"), go_arch("aarch64")), ("darwin", "amd64", "arm64"));
    }
}
