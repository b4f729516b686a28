import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "./Postgres.ts"
import { initiateOne } from "./Requests.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const clientId = "cs_live_of_the_benchmark"
const clientSecret = "sk_live_of_the_benchmark_and_nobody_else"

/** Seconds from the start of the server, without any configuration but a port and keys, to its first answer. */
export const firstAnswer = async (): Promise<number> => {
  const directory = await mkdtemp(join(tmpdir(), "countersign-start-"))
  const port = await freePort()
  const began = performance.now()
  const server = spawn(process.execPath, ["packages/server/src/main.ts", "serve"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      COUNTERSIGN_DATA_DIR: directory,
      COUNTERSIGN_CLIENT_ID: clientId,
      COUNTERSIGN_CLIENT_SECRET: clientSecret,
      COUNTERSIGN_PUBLIC_KEY: "pk_live_of_the_benchmark"
    }
  })
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()))
  try {
    await new Promise<void>((resolve, reject) => {
      let output = ""
      const read = (chunk: Buffer) => {
        output += String(chunk)
        if (output.includes("ready at")) resolve()
      }
      server.stdout.on("data", read)
      server.stderr.on("data", read)
      server.once("error", reject)
      server.once("close", () => reject(new Error(`The server did not start.\n${output}`)))
    })
    await initiateOne({ port, clientId, clientSecret })
    return (performance.now() - began) / 1000
  } finally {
    server.kill("SIGTERM")
    await ended
    await rm(directory, { recursive: true, force: true })
  }
}
