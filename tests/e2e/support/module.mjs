// What a built module asks of whoever runs it.

import { readFileSync } from "node:fs";

/** The names that the module in `file` asks for and no browser has: those of C libraries and of the system's clock. */
export function foreignImports(file) {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(file)));
    return imports.filter(({ module }) => module === "env").map(({ name }) => name);
}
