import { type Browser, chromium } from "playwright-core"
import { access, constants, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { onDemand } from "./onDemand.ts"

/** Why there is no browser, and what to install. */
export interface Skipped {
  readonly skipped: string
}

interface Program {
  readonly path: string
  readonly env: { readonly [name: string]: string }
}

const cache = fileURLToPath(new URL("../node_modules/.cache/", import.meta.url))

/** Where browsers usually are. */
const wellKnown: { readonly [platform: string]: ReadonlyArray<string> } = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"
  ],
  linux: [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/snap/bin/chromium"
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe"
  ]
}

const toInstall: { readonly [platform: string]: string } = {
  darwin: "Google Chrome (brew install --cask google-chrome)",
  linux: "Chromium (on Debian: apt-get install chromium)"
}

const exists = (path: string, mode = constants.F_OK) =>
  access(path, mode).then(
    () => true,
    () => false
  )

/** The machine's own fonts, and where it has none those that came with the browser. */
const fontsConf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

/** The package unpacks into the temporary folder, under fixed names; here that is a folder of our own. */
const unpackInto = async (folder: string, packed: string) => {
  const { inflate } = await onDemand("chromium").load<{ readonly inflate: (file: string) => Promise<string> }>(
    "@sparticuz/chromium"
  )
  const before = process.env["TMPDIR"]
  process.env["TMPDIR"] = folder
  const all = ["chromium.br", "al2023.tar.br", "fonts.tar.br"].map((name) => inflate(join(packed, name)))
  if (before === undefined) delete process.env["TMPDIR"]
  else process.env["TMPDIR"] = before
  await Promise.all(all)
}

/** The browser of the npm package, with the libraries that a bare system lacks. Unpacked once for each version. */
const fromPackage = async (): Promise<Program> => {
  const root = join(dirname(onDemand("chromium").resolve("@sparticuz/chromium")), "..")
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
  const folder = join(cache, `chromium-${version}`)
  if (!(await exists(folder))) {
    await mkdir(cache, { recursive: true })
    const fresh = await mkdtemp(join(cache, "chromium-unpacking-"))
    try {
      await unpackInto(fresh, join(root, "bin"))
      await writeFile(join(fresh, "fonts.conf"), fontsConf(folder))
      // A folder that is there is whole. Of several processes that unpack at once, the first wins.
      await rename(fresh, folder).catch(async (error: unknown) => {
        if (!(await exists(folder))) throw error
      })
    } finally {
      await rm(fresh, { recursive: true, force: true })
    }
  }
  const env = { LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") }
  return { path: join(folder, "chromium"), env }
}

const find = async (): Promise<Program | Skipped> => {
  const given = process.env["CHROMIUM_PATH"]
  if (given !== undefined && given !== "") {
    if (await exists(given, constants.X_OK)) return { path: given, env: {} }
    throw new Error(`CHROMIUM_PATH: there is no program at ${given}. Name a Chromium or Chrome, or unset it.`)
  }
  if (process.platform === "linux" && process.arch === "x64") return fromPackage()
  for (const path of wellKnown[process.platform] ?? []) if (await exists(path, constants.X_OK)) return { path, env: {} }
  const install = toInstall[process.platform] ?? "Google Chrome"
  return {
    skipped: `No browser was found on ${process.platform}-${process.arch}. Install ${install}, or set CHROMIUM_PATH.`
  }
}

const start = async (): Promise<Browser | Skipped> => {
  const program = await find()
  if ("skipped" in program) {
    process.stderr.write(`${program.skipped}\n`)
    return program
  }
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]))
  try {
    return await chromium.launch({
      executablePath: program.path,
      // Pages of our own only, and often as root in a container, where the sandbox cannot start.
      chromiumSandbox: false,
      env: { ...env, ...program.env },
      args: ["--disable-gpu", "--disable-quic"]
    })
  } catch (cause) {
    throw new Error(`${program.path} did not start. Set CHROMIUM_PATH to a Chromium or Chrome that does.`, { cause })
  }
}

/** What files share: pages and contexts can be closed, and the browser cannot. */
export type SharedBrowser = Omit<Browser, "close">

let started: Promise<SharedBrowser | Skipped> | undefined

/**
 * A real Chromium without a window: the one at CHROMIUM_PATH, on Linux x64 the one of the npm package, elsewhere the
 * machine's own. Where there is none it says what to install, and the tests that need it are to be skipped.
 *
 * It is one for all files that this process runs, and ends with it: close pages and contexts, and leave it open.
 *
 * @example
 * ```ts
 * const browser = await launch()
 *
 * describe.skipIf("skipped" in browser)("the page", () => { … })
 * ```
 */
export const launch = (): Promise<SharedBrowser | Skipped> => (started ??= start())
