import { Deferred, Effect, Schema } from "effect"
import cluster, { type Worker } from "node:cluster"
import { isSea } from "node:sea"
import { type Action, begin, decide, type Decision, type Event, type Group } from "./Group.ts"
import type { FromParent, FromWorker } from "./Message.ts"
import { MetricsQuestions } from "./MetricsQuestions.ts"

/** The workers ended without a request to stop. */
export class WorkersEnded extends Schema.TaggedError<WorkersEnded>()("WorkersEnded", { why: Schema.String }) {
  override get message(): string {
    return `WORKERS: ${this.why}. Its output above has the reason`
  }
}

export interface Options {
  readonly size: number
  readonly overlap: boolean
  /** How long a worker may take to become ready, in milliseconds. */
  readonly patience: number
  /** The problems that would stop a new worker now. */
  readonly objections: () => ReadonlyArray<string>
}

/** A worker that does not stop within this time is killed, in milliseconds. Stopping normally takes less than 5 s. */
const stopsWithin = 9_000

/** Replacement requests within this time count as one, in milliseconds. */
const oneRequest = 1_000

/** This program with the same arguments, as a script or as a single executable. */
const sameProgram = () => {
  const given = process.argv.slice(2)
  const [exec = "", args] = isSea() ? [given[0], given.slice(1)] : [process.argv[1], given]
  return { exec, args }
}

/** Carries out the actions of a group on its processes. */
class Workers {
  #group: Group
  readonly #options: Options
  readonly #processes = new Map<number, Worker>()
  readonly #questions = new MetricsQuestions()
  readonly #say: (what: Effect.Effect<void>) => void
  readonly #over: (failure: WorkersEnded | null) => void
  #askedToReplace = Number.NEGATIVE_INFINITY
  /** The start-up lines of the first worker. */
  #lines: ReadonlyArray<string> = []

  constructor(
    options: Options,
    say: (what: Effect.Effect<void>) => void,
    over: (failure: WorkersEnded | null) => void
  ) {
    this.#options = options
    this.#say = say
    this.#over = over
    // Round-robin, because the kernel would give most connections to few workers.
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
   * Without overlap the old worker must end first, so problems that would stop the new one are checked before. A terminal
   * that hangs up signals the parent and every worker, so requests within a second count as one.
   */
  replace(): void {
    const now = performance.now()
    if (now < this.#askedToReplace + oneRequest) return
    this.#askedToReplace = now
    const objections = this.#options.overlap ? [] : this.#options.objections()
    if (objections.length === 0) return this.tell({ _tag: "Replace" })
    process.stderr.write(`${objections.join("\n")}\n`)
    this.#say(
      Effect.logWarning("The worker was not replaced, because a new one could not start: fix the problems above")
    )
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
    const ended = (exitReason: string) => {
      clearTimeout(late)
      if (this.#processes.delete(id)) this.tell({ _tag: "Ended", id, how: exitReason, now: performance.now() })
    }
    worker.on("message", (message: FromWorker) => this.#heard(id, message))
    worker.process.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`))
    worker.process.on("error", (error) => {
      // With a pid, the error comes from sending to a worker that has just ended.
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
 * Starts the workers and keeps them running. An ended worker is restarted after a growing pause. SIGHUP replaces all
 * workers, one at a time. On interruption, stops all workers and waits for them.
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
