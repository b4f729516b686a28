import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestIn = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

/** The `node_modules` that a package's own imports are looked up in. */
const siblingsOf = (folder: string, { name }: Manifest) => join(folder, name.includes("/") ? "../.." : "..")

/** Every package that `names` need, as they are installed here: by name and version, where each lies. */
const installed = (names: ReadonlyArray<string>, from: ReadonlyArray<string>) => {
  const found = new Map<string, Map<string, string>>()
  const add = (name: string, folders: ReadonlyArray<string>, needed: boolean): void => {
    const link = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    if (link === undefined) {
      if (needed) throw new Error(`${name} is not installed in this workspace`)
      return
    }
    const folder = realpathSync(link)
    const manifest = manifestIn(folder)
    const versions = found.get(name) ?? new Map<string, string>()
    found.set(name, versions)
    if (versions.has(manifest.version)) return
    versions.set(manifest.version, folder)
    const own = [siblingsOf(folder, manifest), join(folder, "node_modules")]
    for (const dependency of Object.keys(manifest.dependencies ?? {})) add(dependency, own, true)
    for (const dependency of Object.keys(manifest.optionalDependencies ?? {})) add(dependency, own, false)
  }
  for (const name of names) add(name, from, true)
  return found
}

const emptyPackage = (name: string, version: string) => {
  const folder = mkdtempSync(join(tmpdir(), "empty-package-"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version }))
  return folder
}

const pack = (folder: string) =>
  execFileSync(
    "tar",
    [
      "-c",
      "--hard-dereference",
      "--exclude=./node_modules",
      "--transform",
      "s#^\\.#package#",
      "-C",
      folder,
      "--use-compress-program=gzip -1",
      "."
    ],
    { maxBuffer: 512 * 1024 * 1024 }
  )

export interface LocalRegistry {
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * What a package manager asks for because somebody names it as a peer, though nothing of ours loads it, and so it is not
 * installed here: served as empty packages.
 */
const unused: Readonly<Record<string, string>> = { redis: "5.0.0" }

/**
 * A package registry on this machine's loopback that has what this workspace has installed, and nothing else. So a
 * package manager can install our tarballs as it would for a user, while nobody asks the network for anything.
 */
export const serveInstalled = async (
  names: ReadonlyArray<string>,
  /** The `node_modules` folders to find them in. */
  from: ReadonlyArray<string>
): Promise<LocalRegistry> => {
  const found = installed(names, from)
  const empty = Object.entries(unused).filter(([name]) => !found.has(name))
  const made = empty.map(([name, version]) => ({ name, version, folder: emptyPackage(name, version) }))
  for (const { folder, name, version } of made) found.set(name, new Map([[version, folder]]))
  const tarballs = new Map<string, Buffer>()
  const tarballOf = (name: string, version: string) => {
    const key = `${name}@${version}`
    const packed = tarballs.get(key) ?? pack(found.get(name)!.get(version)!)
    tarballs.set(key, packed)
    return packed
  }
  const server = createServer((request, response) => {
    const [path = "/"] = (request.url ?? "/").split("?")
    const [, scoped, version] = /^\/-\/(.+)\/([^/]+)\.tgz$/.exec(decodeURIComponent(path)) ?? []
    const name = scoped ?? decodeURIComponent(path.slice(1))
    const versions = found.get(name)
    if (versions === undefined || (version !== undefined && !versions.has(version))) {
      return void response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not installed here"}')
    }
    if (version !== undefined) {
      return void response.writeHead(200, { "content-type": "application/octet-stream" }).end(tarballOf(name, version))
    }
    const url = `http://${request.headers.host}`
    const document = {
      name,
      "dist-tags": { latest: [...versions.keys()].at(-1) },
      versions: Object.fromEntries(
        [...versions].map(([number, folder]) => [
          number,
          {
            ...manifestIn(folder),
            dist: {
              tarball: `${url}/-/${encodeURIComponent(name)}/${number}.tgz`,
              integrity: `sha512-${createHash("sha512").update(tarballOf(name, number)).digest("base64")}`
            }
          }
        ])
      )
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        for (const { folder } of made) rmSync(folder, { recursive: true, force: true })
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
