import { fileURLToPath } from "node:url"
import { build, type Options } from "tsup"

const source = (name: string) => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

const common = {
  config: false,
  platform: "node",
  target: "node22",
  dts: false,
  sourcemap: false,
  silent: true,
  removeNodeProtocol: false, // `sea` alone is no name of a module
  noExternal: [/.*/]
} satisfies Options

/** The program as a folder of modules, of which each run loads what it needs: `node main.js serve`. */
export const buildFolder = (outDir: string): Promise<void> =>
  build({
    ...common,
    entry: [source("main.ts")],
    format: ["esm"],
    outDir,
    // Some libraries are CommonJS, and ask for Node's own modules by `require`.
    banner: { js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);' }
  })

/**
 * The program as one script, `program.js`, in the form in which an executable loads it: a function that is given
 * `require` for Node's own modules, and `programUrl`, which takes the place of `import.meta.url`.
 */
export const buildScript = (outDir: string): Promise<void> =>
  build({
    ...common,
    entry: { program: source("main.ts") },
    format: ["cjs"],
    outDir,
    outExtension: () => ({ js: ".js" }),
    splitting: false,
    banner: { js: "(function (require, module, programUrl) { const exports = module.exports;" },
    footer: { js: "})" },
    esbuildOptions: (options) => {
      options.define = {
        ...options.define,
        "import.meta.url": "programUrl",
        "import.meta.filename": "programUrl"
      }
      options.charset = "ascii"
      options.minifyWhitespace = true
      options.minifySyntax = true
      options.legalComments = "none"
    }
  })
