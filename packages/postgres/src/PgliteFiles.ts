/** The files of PGlite besides its code, and the packed empty database that the first start of a directory unpacks. */
export const pgliteFiles = ["pglite.wasm", "pglite.data", "initdb.wasm", "empty.tar.zst"] as const

/**
 * Reads one of the files, for a program that carries them itself: a bundle whose PGlite code is no longer beside its
 * files, or an executable without files. The result is never modified.
 */
export type PgliteFiles = (name: (typeof pgliteFiles)[number]) => Promise<Uint8Array<ArrayBuffer>>

/** A global of the platform that is missing from this package's type libraries. */
declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<object> }

/** The files as PGlite options. PGlite then looks for no file itself. */
export const partsOf = async (files: PgliteFiles) => {
  const [wasm, initdb, data] = await Promise.all([files("pglite.wasm"), files("initdb.wasm"), files("pglite.data")])
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([
    WebAssembly.compile(wasm),
    WebAssembly.compile(initdb)
  ])
  return { pgliteWasmModule, initdbWasmModule, fsBundle: new Blob([data]) }
}
