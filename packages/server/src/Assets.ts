import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { getAssetKeys, getRawAsset, isSea } from "node:sea"
import { fileURLToPath } from "node:url"
import { pgliteFiles, type PgliteFiles } from "@countersign/postgres"

/** Read-only files that ship with the program, by names like `page/index.html`. */
export interface Assets {
  /** A path for error messages. */
  readonly where: string
  readonly names: () => Promise<ReadonlyArray<string>>
  readonly read: (name: string) => Promise<Uint8Array<ArrayBuffer>>
}

/** The files of a directory, without hidden files and folders. */
export const inDirectory = (directory: string): Assets => ({
  where: directory,
  names: async () => {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(directory.length + 1)
          .replaceAll("\\", "/")
      )
      .filter((name) => !name.split("/").some((part) => part.startsWith(".")))
  },
  read: (name) => readFile(join(directory, name))
})

/** Files inside the executable. Nothing is written to disk. */
const inExecutable: Assets = {
  where: process.execPath,
  names: () => Promise.resolve(getAssetKeys()),
  // A read-only view of the program's own memory, without a copy.
  read: async (name) => new Uint8Array(getRawAsset(name))
}

/** The files in one folder. */
const below = ({ names, read, where }: Assets, folder: string): Assets => ({
  where: `${where}/${folder}`,
  names: async () =>
    (await names()).filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1)),
  read: (name) => read(`${folder}/${name}`)
})

const beside = fileURLToPath(new URL("./assets", import.meta.url))

/** Whether the server runs from the sources of a clone. */
export const isClone = import.meta.url.endsWith(".ts")

const own: Assets = isSea() ? inExecutable : inDirectory(beside)

/** The built dashboard. */
export const page: Assets = below(own, "page")

/** The embedded database's files. Only the executable and the bundle carry them. */
export const embedded: PgliteFiles | undefined =
  isSea() || existsSync(join(beside, "pglite", pgliteFiles[0])) ? (name) => own.read(`pglite/${name}`) : undefined
