import { fileURLToPath } from "node:url"
import { build, type BuildOptions } from "esbuild"

const source = (name: string) => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

const common = {
  bundle: true,
  platform: "node",
  target: "node22",
  mainFields: ["module", "main"], // of a library that has both forms, the one of which unused parts are left out
  logLevel: "error"
} satisfies BuildOptions

/** The program as a folder of modules, of which each run loads what it needs: `node main.js serve`. */
export const buildFolder = async (outdir: string): Promise<void> => {
  await build({
    ...common,
    entryPoints: [source("main.ts")],
    format: "esm",
    splitting: true,
    outdir,
    // Some libraries are CommonJS, and ask for Node's own modules by `require`.
    banner: { js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);' }
  })
}

/**
 * The program as one script, `program.js`, in the form in which an executable loads it: a function that is given
 * `require` for Node's own modules, and `programUrl`, which takes the place of `import.meta.url`.
 */
export const buildScript = async (outdir: string): Promise<void> => {
  await build({
    ...common,
    entryPoints: { program: source("main.ts") },
    format: "cjs",
    outdir,
    banner: { js: "(function (require, module, programUrl) { const exports = module.exports;" },
    footer: { js: "})" },
    define: { "import.meta.url": "programUrl", "import.meta.filename": "programUrl" },
    charset: "ascii",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none"
  })
}
