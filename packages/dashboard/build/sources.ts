import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const home = fileURLToPath(new URL("..", import.meta.url))

/** Output folder of the build. */
export const page = join(home, "dist", "page")

/** File that records the hash of the sources. The leading dot keeps it from being served. */
export const printOf = (directory: string): string => join(directory, ".sources")

/** Inputs of a build, including the versions of its libraries. */
const inputs = [
  "index.html",
  "package.json",
  "vite.config.ts",
  "src",
  "public",
  "build",
  "../../docs/webhooks",
  "../core/src/account/merchant/settingGuards.ts",
  "../core/src/engagement/lead/fileType.ts",
  "../core/src/auth/hook/hookRecipes.ts",
  "../core/src/account/merchant/brandLogo.ts",
  "../core/src/account/merchant/brandLook.ts",
  "../core/src/index.brand.ts",
  "../core/src/message/template",
  "../http/src/favicon.ts",
  "../http/src/links",
  "../../pnpm-workspace.yaml"
]

const filesIn = async (path: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOTDIR") return null
      if (cause.code === "ENOENT") return []
      throw cause
    }
  )
  return entries === null
    ? [path]
    : entries
        .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
}

/** A hash of all build inputs. File times are useless here, because a checkout changes them all. */
export const fingerprint = async (): Promise<string> => {
  const files = (await Promise.all(inputs.map((input) => filesIn(join(home, input))))).flat()
  const hash = createHash("sha256")
  const contents = await Promise.all(files.map((file) => readFile(file)))
  for (const [i, file] of files.entries())
    hash.update(`${file.slice(home.length)}\0${contents[i]?.length}\0`).update(contents[i] ?? "")
  return hash.digest("hex")
}

/** Whether the existing page was built from the current sources. */
const isFresh = async (): Promise<boolean> => {
  const print = await readFile(printOf(page), "utf8").catch(() => null)
  return print !== null && print === (await fingerprint())
}

/**
 * Builds the page in a child process unless it is up to date. The child frees its memory on exit and gets none of this
 * process's variables, so no secret can get into a page.
 */
const build = async (): Promise<string | null> => {
  if (await isFresh()) return null
  return new Promise((resolve) => {
    const { HOME, PATH, SystemRoot, TMPDIR, TEMP } = process.env
    const child = spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url))], {
      cwd: home,
      env: { HOME, PATH, SystemRoot, TMPDIR, TEMP, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    const keep = (text: string) => (output = (output + text).slice(-20_000))
    child.stdout.setEncoding("utf8").on("data", keep)
    child.stderr.setEncoding("utf8").on("data", keep)
    child.once("error", (error) => resolve(error.message))
    child.once("close", (code) => resolve(code === 0 ? null : output.trim()))
  })
}

export const sources = { page, fingerprint, build }
