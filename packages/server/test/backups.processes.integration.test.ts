import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "vitest"
import { Client } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { checkRestored, Logins, writeChannel } from "./fixture/Logins.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { secret } from "./fixture/Service.ts"

/** The number of logins before each backup, and the number of backups. */
const before = Number(process.env["BACKUP_LOGINS"] ?? "10")
const rounds = Number(process.env["BACKUP_ROUNDS"] ?? "1")
const isFull = rounds > 1
const workers = isFull ? 16 : 3

type Kind = "embedded" | "Postgres"

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "countersign-backups-"))
  closing.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** An empty storage, and the variables that name it. */
const emptyPlace = async (kind: Kind) => {
  if (kind === "embedded") {
    const directory = join(folder(), "place")
    return { variables: { COUNTERSIGN_DATA_DIR: directory } }
  }
  const database = await FreshDatabase.make({ empty: true })
  closing.push(database.drop)
  return { variables: { DATABASE_URL: database.url } }
}

const shared = () => {
  const { COUNTERSIGN_ADMIN_TOKEN } = variablesFor("")
  const codes = folder()
  return {
    codes,
    all: { COUNTERSIGN_ADMIN_TOKEN, COUNTERSIGN_SECRET: secret(), COUNTERSIGN_CHANNELS: writeChannel(codes) }
  }
}

const serve = async (variables: ServerProcess.Variables) => {
  const server = await ServerProcess.serve(variables)
  closing.push(() => server.kill("SIGKILL"))
  return server
}

/** The peak memory of a running process, in megabytes. */
const memoryOf = (pid: number): number | undefined => {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
  } catch {
    return undefined
  }
}

/** Runs a command to its end, and returns its peak memory. */
const run = async (args: ReadonlyArray<string>, variables: ServerProcess.Variables) => {
  const command = ServerProcess.begin(args, variables)
  let memory: number | undefined
  const watch = setInterval(() => (memory = memoryOf(command.pid) ?? memory), 20)
  const ended = await command.ended
  clearInterval(watch)
  assert.deepInclude(ended, { code: 0, stderr: "" }, ended.stderr)
  return memory
}

const started = async (kind: Kind) => {
  const { all, codes } = shared()
  const place = await emptyPlace(kind)
  const variables = { ...all, ...place.variables }
  const server = await serve(variables)
  const { live, test } = await overProcesses([server]).merchant()
  const logins = new Logins(test, live, codes, workers)
  closing.push(() => logins.stop().catch(() => {}))
  return { all, variables, server, live, test, logins }
}

/** Starts a service on the restored storage, and reads it with the original keys. */
const restored = async (
  { all, live, logins, test }: Awaited<ReturnType<typeof started>>,
  into: Kind,
  file: string,
  instant: { readonly from: number; readonly to: number }
) => {
  const variables = { ...all, ...(await emptyPlace(into)).variables }
  const memory = await run(["restore", file], variables)
  const server = await serve(variables)
  const service = overProcesses([server])
  const tally = await checkRestored(
    logins,
    { live: new Client(service, live.keys), test: new Client(service, test.keys) },
    instant
  )
  await server.kill("SIGTERM")
  return { ...tally, memory }
}

const pairs: ReadonlyArray<readonly [Kind, Kind]> = isFull
  ? [
      ["embedded", "embedded"],
      ["embedded", "Postgres"],
      ["Postgres", "Postgres"]
    ]
  : [["embedded", "Postgres"]]

const within = 180_000 + (isFull ? 30 * 60_000 : 0)

describe("a backup under load", () => {
  it.each(pairs)(
    "of %s, restored into %s, contains every login acknowledged before it, and no partial login",
    async (from, into) => {
      const service = await started(from)
      const { logins, server, variables } = service
      const path = folder()
      const made: Array<{ file: string; from: number; to: number; memory: number | undefined }> = []
      const quiet: Array<readonly [number, number]> = []
      for (let n = 0; n < rounds; n++) {
        const begun = performance.now()
        await logins.confirmed(before)
        quiet.push([begun, performance.now()])
        const file = join(path, `${n}.backup`)
        const since = performance.now()
        const memory = await run(["backup", file], variables)
        made.push({ file, from: since, to: performance.now(), memory })
      }
      await logins.confirmed(before)
      const memory = memoryOf(server.pid)
      await logins.stop()
      await server.kill("SIGTERM")
      for (const [n, one] of made.entries()) {
        const during = logins.between(one.from, one.to)
        const otherwise = logins.between(...quiet[n]!)
        const tally = await restored(service, into, one.file, one)
        assert.isAtLeast(tally.acknowledged, before)
        console.log(
          `${from} to ${into}: ${Math.round(statSync(one.file).size / 1e6)} MB in ${Math.round(one.to - one.from)} ms; ` +
            `${logins.all.length} logins, ${tally.acknowledged} acknowledged before, ${tally.there} there, ` +
            `${tally.ended} ended; silence ${during.silence} ms (${otherwise.silence}), p99 ${during.p99} ms ` +
            `(${otherwise.p99}), ${during.answers} answers; memory: server ${memory} MB, backup ${one.memory} MB, ` +
            `restore ${tally.memory} MB`
        )
      }
    },
    within
  )
})
