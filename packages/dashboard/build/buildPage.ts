import { readdir, readFile, writeFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { build } from "vite"
import { languages } from "../src/words/language.ts"
import { inline } from "./inline.ts"
import { oneLanguage } from "./oneLanguage.ts"
import { home } from "./sources.ts"
import { manifestOf } from "./weigh.ts"

/** File types worth compressing. Pictures and fonts are compressed already. */
const text = new Set([".html", ".js", ".css", ".json", ".webmanifest", ".svg", ".txt"])

const compressors = [
  [".br", (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })],
  [".gz", (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 })]
] as const

const compress = async (file: string) => {
  const bytes = await readFile(file)
  for (const [suffix, encode] of compressors) {
    const encoded = await encode(bytes)
    if (encoded.length < bytes.length) await writeFile(`${file}${suffix}`, encoded)
  }
}

/**
 * Builds the page into a folder, with scripts of their own for each language, and writes compressed copies next to each
 * file.
 */
export const buildPage = async (directory: string): Promise<void> => {
  for (const [at, language] of languages.entries())
    await build({
      root: home,
      mode: "production",
      // The page is public, so nothing of the build machine may get in.
      envDir: false,
      // Any other config loader writes compiled configuration into node_modules.
      configLoader: "native",
      logLevel: "silent",
      plugins: [oneLanguage(language)],
      build: {
        outDir: directory,
        assetsDir: `assets/${language}`,
        manifest: manifestOf(language),
        emptyOutDir: at === 0,
        copyPublicDir: at === 0,
        sourcemap: false,
        reportCompressedSize: false
      }
    })
  await inline(directory)
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && text.has(extname(entry.name)))
  await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))))
}
