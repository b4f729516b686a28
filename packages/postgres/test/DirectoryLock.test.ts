import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { directoryLock } from "../src/DirectoryLock.ts"
import * as LockFile from "../src/LockFile.ts"

const program = fileURLToPath(new URL("fixture/holdDirectory.ts", import.meta.url))
/** Node's compile cache. Without it, compiling takes a third of a contender's start. */
const compiled = join(tmpdir(), "countersign-contender")

/** A process that tries to take the directory. */
class Contender {
  readonly child: ChildProcess
  output = ""
  #changed: () => void = () => {}
  constructor(directory: string) {
    this.child = spawn(process.execPath, [program, directory], {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      stdio: ["pipe", "pipe", "inherit"]
    })
    this.child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      this.output += text
      this.#changed()
    })
  }

  async says(...words: ReadonlyArray<string>): Promise<string> {
    for (;;) {
      const found = words.find((word) => this.output.includes(word))
      if (found !== undefined) return found
      await new Promise<void>((changed) => {
        this.#changed = changed
      })
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = new Promise((resolve) => this.child.once("close", resolve))
    this.child.kill(signal)
    await ended
  }
}

describe("the lock on a directory", () => {
  let directory: string
  let contenders: Array<Contender>
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "countersign-lock-"))
    contenders = []
  })
  afterEach(async () => {
    await Promise.all(contenders.map((one) => one.end("SIGKILL")))
    rmSync(directory, { recursive: true, force: true })
  })
  const contender = () => {
    const one = new Contender(directory)
    contenders.push(one)
    return one
  }
  const take = Effect.suspend(() => directoryLock(directory, () => {}))
  const refused = () => Effect.runPromise(Effect.map(Effect.flip(Effect.scoped(take)), ({ reason }) => reason))

  /** Without timers no heartbeat can be watched. So this works only when the kernel shows that the holder is dead. */
  const takeAtOnce = async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    await Effect.runPromise(Effect.scoped(take)).finally(() => vi.useRealTimers())
  }

  it("goes to exactly one of many processes, and to exactly one immediately after a kill -9", async () => {
    for (let round = 0; round < 2; round++) {
      const many = Array.from({ length: 4 }, contender)
      const answers = await Promise.all(many.map((one) => one.says("held", "in use by process")))
      assert.strictEqual(answers.filter((answer) => answer === "held").length, 1, answers.join())
      await many[answers.indexOf("held")]!.end("SIGKILL")
    }
    await takeAtOnce()
  })

  it("stays with a stopped process, which is alive and may be writing", async () => {
    const owner = contender()
    await owner.says("held")
    owner.child.kill("SIGSTOP")
    assert.deepInclude(await refused(), { _tag: "DirectoryInUse", directory })
    owner.child.kill("SIGCONT")
    owner.child.stdin!.write("?")
    await owner.says("wrote")
    assert.notInclude(owner.output, "lost")
  })

  const other = (changed: Partial<LockFile.Holder> = {}): LockFile.Holder => ({
    id: "00ff",
    kernel: "another machine",
    socket: "lock-00ff.sock",
    pid: 1,
    host: "elsewhere",
    released: false,
    ...changed
  })

  it("is lost by a process that another machine considered dead, before its next write", async () => {
    const owner = contender()
    await owner.says("held")
    owner.child.kill("SIGSTOP")
    assert.isTrue(LockFile.create(directory, 2, other()))
    owner.child.kill("SIGCONT")
    await owner.says("lost: ")
    owner.child.stdin!.write("?")
    assert.strictEqual(await owner.says("refused to write", "wrote"), "refused to write")
    await owner.end("SIGKILL")
    assert.strictEqual(LockFile.parse(LockFile.read(directory, 2)!)?.id, "00ff")
  })

  it("passes from a holder on another machine only after missing heartbeats, independent of wall clocks", async () => {
    assert.isTrue(LockFile.create(directory, 1, other()))
    let beats = 0
    const alive = setInterval(() => LockFile.beat(directory, 1, other(), ++beats), 200)
    assert.deepInclude(await refused(), { _tag: "DirectoryInUse", owner: "process 1 on elsewhere" })
    clearInterval(alive)
    await Effect.runPromise(Effect.scoped(take))
    assert.isFalse(existsSync(join(directory, "lock.1")))
  })

  it("names its holder, is released by it, and passes immediately to a holder with another host name", async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* take
          assert.deepInclude(LockFile.parse(readFileSync(join(directory, "lock.1"), "utf8")), { pid: process.pid })
          assert.deepInclude(yield* Effect.promise(refused), { _tag: "DirectoryInUse", owner: "this process" })
        })
      )
    )
    const left = LockFile.parse(readFileSync(join(directory, "lock.1"), "utf8"))!
    assert.isTrue(left.released)
    // Simulates death: the socket is gone, and the host name and process id are those of another container.
    writeFileSync(
      join(directory, "lock.1"),
      JSON.stringify({ ...left, released: false, host: "another-container", pid: 1 })
    )
    await takeAtOnce()
    assert.deepStrictEqual(readdirSync(directory), ["lock.2"])
  })

  it("works in a directory whose path is too long for a socket", async () => {
    directory = join(directory, "a".repeat(90), "b".repeat(90))
    mkdirSync(directory, { recursive: true })
    const owner = contender()
    await owner.says("held")
    assert.isNotNull(LockFile.parse(LockFile.read(directory, 1)!)!.socket)
    assert.deepInclude(await refused(), { _tag: "DirectoryInUse" })
    await owner.end("SIGKILL")
    await takeAtOnce()
  })

  it("is not blocked by an unfinished lock file", async () => {
    writeFileSync(join(directory, "lock.7"), "{ half a")
    await Effect.runPromise(Effect.scoped(take))
    assert.deepStrictEqual(readdirSync(directory), ["lock.8"])
  })
})
