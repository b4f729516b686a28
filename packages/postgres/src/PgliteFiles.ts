/** What PGlite is made of besides its code, and the packed empty database that the first start of a directory unpacks. */
export const pgliteFiles = ["pglite.wasm", "pglite.data", "initdb.wasm", "empty.tar.zst"] as const

/**
 * Reads one of them, in a program that carries them itself: a bundle in which PGlite's code is no longer beside its
 * files, or an executable that has no files. What is answered is only read.
 */
export type PgliteFiles = (name: (typeof pgliteFiles)[number]) => Promise<Uint8Array<ArrayBuffer>>

/** Of the platform, and in no library of types that this package has. */
declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<object> }

/** The same as options of PGlite, which then looks for no file. */
export const partsOf = async (files: PgliteFiles) => {
  const [wasm, initdb, data] = await Promise.all([files("pglite.wasm"), files("initdb.wasm"), files("pglite.data")])
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([
    WebAssembly.compile(wasm),
    WebAssembly.compile(initdb)
  ])
  return { pgliteWasmModule, initdbWasmModule, fsBundle: new Blob([data]) }
}
