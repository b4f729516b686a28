import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "../../tools/embedded-postgres.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

export interface EmbeddedServer {
  readonly port: number
  /** Ends it, and deletes its temporary directory. */
  readonly stop: () => Promise<void>
}

/** An empty directory for a server's data. */
export const emptyDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), "countersign-start-"))

/**
 * The server as `pnpm start` starts it, with its own database. It is ready when this resolves. Without a `directory`, it
 * uses a temporary one.
 */
export const startEmbedded = async (
  env: { readonly [name: string]: string },
  given?: string
): Promise<EmbeddedServer> => {
  const directory = given ?? (await emptyDirectory())
  const port = await freePort()
  const server = spawn(process.execPath, ["packages/server/src/main.ts", "serve"], {
    cwd: root,
    env: { PATH: process.env["PATH"], PORT: String(port), COUNTERSIGN_DATA_DIR: directory, ...env }
  })
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()))
  const stop = async () => {
    server.kill("SIGTERM")
    await ended
    if (given === undefined) await rm(directory, { recursive: true, force: true })
  }
  try {
    await new Promise<void>((resolve, reject) => {
      let output = ""
      const read = (chunk: Buffer) => {
        if (output.length < 4_000) output += String(chunk)
        if (output.includes("ready at")) resolve()
      }
      server.stdout.on("data", read)
      server.stderr.on("data", read)
      server.once("error", reject)
      server.once("close", () => reject(new Error(`The server did not start.\n${output}`)))
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { port, stop }
}
