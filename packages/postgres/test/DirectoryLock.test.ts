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
/** What Node compiles of it: a third of what a contender costs. */
const compiled = join(tmpdir(), "countersign-contender")

/** A process that wants the directory. */
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

  /** Without timers nobody can be watched for signs of life: it works only where the kernel says who is dead. */
  const takeAtOnce = async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    await Effect.runPromise(Effect.scoped(take)).finally(() => vi.useRealTimers())
  }

  it("goes to exactly one of many processes, after a kill -9 to exactly one at once, and never to two", async () => {
    for (let round = 0; round < 2; round++) {
      const many = Array.from({ length: 4 }, contender)
      const answers = await Promise.all(many.map((one) => one.says("held", "in use by process")))
      assert.strictEqual(answers.filter((answer) => answer === "held").length, 1, answers.join())
      await many[answers.indexOf("held")]!.end("SIGKILL")
    }
    await takeAtOnce()
  })

  it("stays with a process that is stopped: it is alive, and may be in the middle of a write", async () => {
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

  it("is lost by a process that another machine took for dead, before it writes again", async () => {
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

  it("of a holder on another machine is taken over only when it gives no sign of life, by nobody's wall clock", async () => {
    assert.isTrue(LockFile.create(directory, 1, other()))
    let beats = 0
    const alive = setInterval(() => LockFile.beat(directory, 1, other(), ++beats), 200)
    assert.deepInclude(await refused(), { _tag: "DirectoryInUse", owner: "process 1 on elsewhere" })
    clearInterval(alive)
    await Effect.runPromise(Effect.scoped(take))
    assert.isFalse(existsSync(join(directory, "lock.1")))
  })

  it("names its holder, goes with it, and is followed at once by the next one under another host name", async () => {
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
    // As if it had died: its socket is gone, and its host name and process id are those of another container.
    writeFileSync(
      join(directory, "lock.1"),
      JSON.stringify({ ...left, released: false, host: "another-container", pid: 1 })
    )
    await takeAtOnce()
    assert.deepStrictEqual(readdirSync(directory), ["lock.2"])
  })

  it("works in a directory whose path is longer than a socket's may be", async () => {
    directory = join(directory, "a".repeat(90), "b".repeat(90))
    mkdirSync(directory, { recursive: true })
    const owner = contender()
    await owner.says("held")
    assert.isNotNull(LockFile.parse(LockFile.read(directory, 1)!)!.socket)
    assert.deepInclude(await refused(), { _tag: "DirectoryInUse" })
    await owner.end("SIGKILL")
    await takeAtOnce()
  })

  it("is not stopped by a file that nobody finished writing", async () => {
    writeFileSync(join(directory, "lock.7"), "{ half a")
    await Effect.runPromise(Effect.scoped(take))
    assert.deepStrictEqual(readdirSync(directory), ["lock.8"])
  })
})
