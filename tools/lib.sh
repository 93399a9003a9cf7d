# Shared by the scripts of this folder: where things are, and how to say things.
# Everything that is installed goes below one cache folder; nothing goes into the person's own bin.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${PORTHOLE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/porthole}
mkdir -p "$cache/bin"

trunk_version=0.21.14
wasm_split_version=0.2.4
binaryen_version=132.0.0
# Debian's wasm-opt 108 writes a module that fails in the browser.
wasm_opt_minimum=132

export PATH="$cache/bin:$cache/node/node_modules/.bin:$PATH"

# What the library can do beside what the page needs of it.
library_features=porthole-client-core/native,porthole-client-core/typed,porthole-client-core/kubeconfig,porthole-client-core/fake,porthole-client-core/protobuf

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# The version of a crate in Cargo.lock.
locked() { awk -v crate="$1" '$0 == "name = \"" crate "\"" { getline; gsub(/version = |"/, ""); print; exit }' "$root/Cargo.lock"; }

# A Chromium: the one that CHROMIUM names, or one on the PATH.
chromium_path() {
    local name
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
        [ -n "$name" ] && command -v "$name" && return
    done
    return 1
}

# A Firefox: the one that FIREFOX names, or one on the PATH.
firefox_path() {
    local name
    for name in "${FIREFOX:-}" firefox-esr firefox; do
        [ -n "$name" ] && command -v "$name" && return
    done
    return 1
}

# How the page is compiled. Leptos boxes the views of components instead of nesting their types, which is a third
# less code; paths of this machine do not go into the module. Encoded, because paths may hold spaces.
wasm_flags() {
    local separator=$'\x1f'
    # The relocations tell the splitter which function refers to which.
    local flags="-Clink-args=--emit-relocs${separator}--cfg${separator}erase_components${separator}--remap-path-prefix=$root="
    local source
    for source in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do flags="$flags${separator}--remap-path-prefix=$source="; done
    printf '%s' "$flags"
}

# Builds tests of the library for a browser; prints where the module is. Without debug information it is a fifth.
wasm_tests() {
    local module
    module=$(CARGO_PROFILE_DEV_DEBUG=0 cargo test --locked --quiet -p porthole-client-core --target wasm32-unknown-unknown "$@" \
        --no-run --message-format=json |
        node -e 'for (const line of require("fs").readFileSync(0, "utf8").split("\n")) {
            const { executable, profile } = line ? JSON.parse(line) : {};
            if (executable && profile.test) console.log(executable);
        }')
    [ -n "$module" ] || fail "cargo built no module of tests"
    printf '%s\n' "$module"
}
