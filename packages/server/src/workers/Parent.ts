import { Deferred, Effect, Schema } from "effect"
import cluster, { type Worker } from "node:cluster"
import { isSea } from "node:sea"
import { type Action, begin, decide, type Decision, type Event, type Group } from "./Group.ts"
import type { FromParent, FromWorker } from "./Message.ts"
import { MetricsQuestions } from "./MetricsQuestions.ts"

/** The group ended, and nobody had asked for it. */
export class WorkersEnded extends Schema.TaggedError<WorkersEnded>()("WorkersEnded", { why: Schema.String }) {
  override get message(): string {
    return `WORKERS: ${this.why}. What it wrote above says why`
  }
}

export interface Options {
  readonly size: number
  readonly overlap: boolean
  /** How long a worker may take to become ready, in milliseconds. */
  readonly patience: number
  /** What speaks against a start as things are now. */
  readonly objections: () => ReadonlyArray<string>
}

/** After this a worker that was asked to stop is ended, in milliseconds. Left alone it takes less than 5 s. */
const stopsWithin = 9_000

/** Requests to replace the workers that come so soon after one another are one, in milliseconds. */
const oneRequest = 1_000

/** The same program with the same arguments, be it a script that Node runs or an executable that Node is a part of. */
const sameProgram = () => {
  const given = process.argv.slice(2)
  const [exec = "", args] = isSea() ? [given[0], given.slice(1)] : [process.argv[1], given]
  return { exec, args }
}

/** The processes of a group, and what is asked of them. */
class Workers {
  #group: Group
  readonly #options: Options
  readonly #processes = new Map<number, Worker>()
  readonly #questions = new MetricsQuestions()
  readonly #say: (what: Effect.Effect<void>) => void
  readonly #over: (failure: WorkersEnded | null) => void
  #askedToReplace = Number.NEGATIVE_INFINITY
  /** What the first worker says to the operator. */
  #lines: ReadonlyArray<string> = []

  constructor(
    options: Options,
    say: (what: Effect.Effect<void>) => void,
    over: (failure: WorkersEnded | null) => void
  ) {
    this.#options = options
    this.#say = say
    this.#over = over
    // Each connection goes to the next worker. The kernel gives most of them to whoever happened to be awake.
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary(sameProgram())
    const [group, actions] = begin(options.size, options)
    this.#group = group
    for (const action of actions) this.#carryOut(action)
  }

  tell(event: Event): void {
    const [group, actions]: Decision = decide(this.#group, event)
    this.#group = group
    for (const action of actions) this.#carryOut(action)
  }

  stop(): void {
    this.tell({ _tag: "Stop" })
    setTimeout(() => this.tell({ _tag: "Overdue" }), stopsWithin).unref()
  }

  /**
   * Where the old one has to end first, what would stop the new one is looked for before. A terminal that hangs up tells
   * the parent and each worker, which passes it on: within a second that is one request.
   */
  replace(): void {
    const now = performance.now()
    if (now < this.#askedToReplace + oneRequest) return
    this.#askedToReplace = now
    const objections = this.#options.overlap ? [] : this.#options.objections()
    if (objections.length === 0) return this.tell({ _tag: "Replace" })
    process.stderr.write(`${objections.join("\n")}\n`)
    this.#say(Effect.logWarning("A new worker could not start: the one before it goes on"))
  }

  #carryOut(action: Action): void {
    switch (action._tag) {
      case "Start":
        return this.#start(action.id, action.slot)
      case "Retire":
        return this.#send(action.id, { _tag: "Retire" })
      case "Terminate":
        return void this.#processes.get(action.id)?.process.kill("SIGTERM")
      case "Kill":
        return void this.#processes.get(action.id)?.process.kill("SIGKILL")
      case "Wait":
        return void setTimeout(() => this.tell({ _tag: "Due", slot: action.slot }), action.milliseconds)
      case "Announce":
        return void process.stdout.write(`${this.#lines.join("\n")}\n`)
      case "Say":
        return this.#say(action.level === "info" ? Effect.logInfo(action.text) : Effect.logWarning(action.text))
      case "Over":
        return this.#over(action.failure === null ? null : new WorkersEnded({ why: action.failure }))
    }
  }

  #start(id: number, slot: number): void {
    const worker = cluster.fork()
    this.#processes.set(id, worker)
    const late = setTimeout(() => this.tell({ _tag: "TooLong", id }), this.#options.patience)
    const ended = (how: string) => {
      clearTimeout(late)
      if (this.#processes.delete(id)) this.tell({ _tag: "Ended", id, how, now: performance.now() })
    }
    worker.on("message", (message: FromWorker) => this.#heard(id, message))
    worker.process.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`))
    worker.process.on("error", (error) => {
      // Otherwise it is a message to a worker that has just ended.
      if (worker.process.pid === undefined) ended(error.message)
    })
  }

  #send(id: number, message: FromParent): void {
    const worker = this.#processes.get(id)
    if (worker?.isConnected() === true) worker.send(message)
  }

  #heard(id: number, message: FromWorker): void {
    switch (message._tag) {
      case "Ready":
        if (this.#lines.length === 0) this.#lines = message.lines
        return this.tell({ _tag: "Ready", id, now: performance.now() })
      case "Reload":
        return this.replace()
      case "AskMetrics":
        return this.#questions.ask({
          of: this.#group.members.filter(({ phase }) => phase === "ready"),
          tell: (member, question) => this.#send(member, { _tag: "TellMetrics", question }),
          answer: (parts) => this.#send(id, { _tag: "AllMetrics", question: message.question, parts })
        })
      case "OwnMetrics":
        return this.#questions.answered(message.question, id, message.text)
    }
  }
}

/**
 * Starts the workers of a group, and sees to it that they are there: who ends is followed by another after a pause that
 * grows, SIGHUP has all of them replaced, one after another. Interrupted, it has them come to their end and waits for it.
 */
export const run = (options: Options): Effect.Effect<never, WorkersEnded> =>
  Effect.gen(function* () {
    const runFork = Effect.runForkWith(yield* Effect.context<never>())
    const over = yield* Deferred.make<never, WorkersEnded>()
    const stopped = yield* Deferred.make<void>()
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        const workers = new Workers(options, runFork, (failure) => {
          if (failure !== null) Deferred.doneUnsafe(over, Effect.fail(failure))
          Deferred.doneUnsafe(stopped, Effect.void)
        })
        const replace = () => workers.replace()
        process.on("SIGHUP", replace)
        return { replace, workers }
      }),
      ({ replace, workers }) =>
        Effect.suspend(() => {
          process.off("SIGHUP", replace)
          workers.stop()
          return Deferred.await(stopped)
        })
    )
    return yield* Deferred.await(over)
  }).pipe(Effect.scoped)
