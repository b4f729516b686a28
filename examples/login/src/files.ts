import { readFile } from "node:fs/promises"
import { stripTypeScriptTypes } from "node:module"

const here = (path: string) => new URL(path, import.meta.url)
/** The installed SDK: its source in this workspace, its JavaScript from the registry. */
const sdk = new URL(import.meta.resolve("@countersign/sdk"))

const fixed: { readonly [name: string]: { readonly file: URL; readonly type: string } } = {
  "": { file: here("../public/index.html"), type: "text/html; charset=utf-8" },
  "style.css": { file: here("../public/style.css"), type: "text/css; charset=utf-8" },
  "icon.svg": { file: here("../public/icon.svg"), type: "image/svg+xml" }
}

/** The path of a script, if the name is one: `app/main.ts` is ours, `sdk/index.ts` the SDK's. */
const programAt = (name: string): URL | undefined => {
  const [, folder, file] = /^(app|sdk)\/((?:\w+\/)*\w+\.(?:ts|js))$/.exec(name) ?? []
  return file === undefined ? undefined : folder === "app" ? here(`../browser/${file}`) : new URL(file, sdk)
}

/** Browsers know neither types nor package names: removes the types, and gives the SDK its address on this page. */
const forBrowsers = (source: string, file: URL): string => {
  const plain = file.pathname.endsWith(".ts") ? stripTypeScriptTypes(source) : source
  return plain.replaceAll('"@countersign/sdk"', `"../sdk/${sdk.pathname.split("/").at(-1)}"`)
}

const read = (file: URL) => readFile(file, "utf8").catch(() => undefined)

/** A file of the page, read from disk at each request: edit and reload. */
export const fileAt = async (name: string): Promise<Response | undefined> => {
  const known = Object.hasOwn(fixed, name) ? fixed[name] : undefined
  const program = programAt(name)
  const file = known?.file ?? program
  const text = file === undefined ? undefined : await read(file)
  if (file === undefined || text === undefined) return undefined
  const type = known?.type ?? "text/javascript; charset=utf-8"
  return new Response(program === undefined ? text : forBrowsers(text, program), { headers: { "content-type": type } })
}
