import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { getAssetKeys, getRawAsset, isSea } from "node:sea"
import { fileURLToPath } from "node:url"
import { pgliteFiles, type PgliteFiles } from "@countersign/postgres"

/** Files that a program brings besides its code, by names like `page/index.html`. They are only read. */
export interface Assets {
  /** For messages. */
  readonly where: string
  readonly names: () => Promise<ReadonlyArray<string>>
  readonly read: (name: string) => Promise<Uint8Array<ArrayBuffer>>
}

/** The files of a directory, but for those that begin with a dot. */
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

/** Inside the executable: nothing is ever written to a disk. */
const inExecutable: Assets = {
  where: process.execPath,
  names: () => Promise.resolve(getAssetKeys()),
  // The memory of the program itself, which is not copied and cannot be written to.
  read: async (name) => new Uint8Array(getRawAsset(name))
}

/** What is below a folder of others. */
const below = ({ names, read, where }: Assets, folder: string): Assets => ({
  where: `${where}/${folder}`,
  names: async () =>
    (await names()).filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1)),
  read: (name) => read(`${folder}/${name}`)
})

const beside = fileURLToPath(new URL("./assets", import.meta.url))

/** Whether this runs from the sources, with everything that a clone has around it. */
export const isClone = import.meta.url.endsWith(".ts")

const own: Assets = isSea() ? inExecutable : inDirectory(beside)

/** The dashboard as it was built. */
export const page: Assets = below(own, "page")

/** The embedded database's files, where the program carries them: in an executable and in a bundle. */
export const embedded: PgliteFiles | undefined =
  isSea() || existsSync(join(beside, "pglite", pgliteFiles[0])) ? (name) => own.read(`pglite/${name}`) : undefined
