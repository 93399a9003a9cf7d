# Shared by the scripts of this folder: where things are, and how to say things.
# Everything that is installed goes below one cache folder; nothing goes into the person's own bin.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${PORTHOLE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/porthole}
mkdir -p "$cache/bin"

trunk_version=0.21.14
binaryen_version=132.0.0
# Debian's wasm-opt 108 writes a module that fails in the browser.
wasm_opt_minimum=132

export PATH="$cache/bin:$cache/node/node_modules/.bin:$PATH"

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# The version of a crate in Cargo.lock.
locked() { awk -v crate="$1" '$0 == "name = \"" crate "\"" { getline; gsub(/version = |"/, ""); print; exit }' "$root/Cargo.lock"; }

# kubectl of the local control plane: the same version as its server.
kubectl() { "$cache/bin/control-plane" kubectl "$@"; }
