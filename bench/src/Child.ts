import { type ChildProcess, fork } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

export interface ChildOptions {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string | undefined>>
  /** A module that the process loads before its own. */
  readonly preload?: string
  /** Receives what the process reports unasked. */
  readonly hear?: (report: never) => void
}

/** A process of the benchmark that is asked over IPC. */
export class Child {
  readonly #process: ChildProcess
  readonly #waiting = new Map<
    number,
    { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }
  >()
  #last = 0
  #ended = false
  #output = ""
  #lines = 0

  constructor(module: string, { args = [], env, hear, preload }: ChildOptions = {}) {
    this.#process = fork(fileURLToPath(new URL(module, import.meta.url)), args, {
      ...(env === undefined ? {} : { env }),
      ...(preload === undefined ? {} : { execArgv: ["--import", new URL(preload, import.meta.url).href] }),
      serialization: "advanced",
      silent: true
    })
    for (const stream of [this.#process.stdout!, this.#process.stderr!])
      stream.on("data", (chunk: Buffer) => {
        this.#lines += String(chunk).split("\n").length - 1
        if (this.#output.length < 4000) this.#output += String(chunk)
      })
    this.#process.on("message", (message: { id: number; error?: string; value?: never; report?: never }) => {
      const { error, id, report, value } = message
      if (report !== undefined) {
        hear?.(report)
        return
      }
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(value as never)
      else waiting?.reject(new Error(error))
    })
    this.#process.once("exit", (code) => {
      this.#ended = true
      for (const { reject } of this.#waiting.values())
        reject(new Error(`${module} ended with code ${code}\n${this.#output}`))
    })
  }

  /** Waits until the process has printed a text. What it printed until then is no complaint. */
  async printed(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      if (this.#ended) throw new Error(`The process ended before it was ready\n${this.#output}`)
      await sleep(20)
    }
    await sleep(200)
    this.#output = ""
    this.#lines = 0
  }

  ask<A>(question: string, argument?: unknown): Promise<A> {
    return new Promise((resolve, reject) => {
      const id = ++this.#last
      this.#waiting.set(id, { resolve, reject })
      this.#process.send({ id, question, argument })
    })
  }

  /** Microseconds of CPU time that the process has used so far, in all its threads. */
  cpu(): Promise<number> {
    return this.ask("cpu")
  }

  /** What the process had to say. Under load that works there is nothing to say. */
  get complaint(): string | undefined {
    return this.#lines === 0
      ? undefined
      : `${this.#lines} lines of log, which begin with\n${this.#output.slice(0, 1500)}`
  }

  stop(): Promise<void> {
    if (this.#ended) return Promise.resolve()
    return new Promise((resolve) => {
      const force = setTimeout(() => this.#process.kill("SIGKILL"), 10_000)
      this.#process.once("exit", () => {
        clearTimeout(force)
        resolve()
      })
      this.#process.kill("SIGTERM")
    })
  }
}

/** The child's side: answers questions until the parent goes. */
export const answer = (answers: Readonly<Record<string, (argument: never) => unknown>>) => {
  const all: typeof answers = {
    cpu: () => {
      const { system, user } = process.cpuUsage()
      return system + user
    },
    ...answers
  }
  process.on("message", ({ id, question, argument }: { id: number; question: string; argument: never }) => {
    Promise.resolve()
      .then(() => all[question]!(argument))
      .then(
        (value) => process.send!({ id, value }),
        (error: unknown) =>
          process.send!({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      )
  })
  process.once("disconnect", () => process.exit(0))
}
