import { Effect } from "effect"
import cluster from "node:cluster"
import { mergedMetrics } from "./mergedMetrics.ts"
import type { FromParent, FromWorker } from "./Message.ts"

/** Whether this process is a worker, whose parent owns signals and the port. */
export const isWorker = (): boolean => cluster.isWorker

/** Whether other workers may already serve. Only the first worker starts alone. */
export const startsBesideOthers = (): boolean => cluster.worker !== undefined && cluster.worker.id > 1

const tell = (message: FromWorker) => {
  if (process.connected) process.send?.(message)
}

const onMessage = (listener: (message: FromParent) => void): (() => void) => {
  process.on("message", listener)
  return () => void process.off("message", listener)
}

const passReloadOn = () => tell({ _tag: "Reload" })

/**
 * Passes SIGHUP on to the parent. Stops this worker when the parent has ended, because the port is gone with it.
 */
export const followParent = Effect.acquireRelease(
  Effect.sync(() => {
    const stop = () => process.kill(process.pid, "SIGTERM")
    // Without this, Node exits a worker immediately when its parent ends, in the middle of requests.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
    process.on("SIGHUP", passReloadOn).on("disconnect", stop)
    if (!process.connected) stop()
    return stop
  }),
  (stop) => Effect.sync(() => process.off("disconnect", stop))
)

/** Tells the parent that this worker serves. */
export const ready = (lines: ReadonlyArray<string>) => Effect.sync(() => tell({ _tag: "Ready", lines }))

/** Completes when the parent has a successor for this worker. */
export const retired = Effect.callback<void>((resume) =>
  Effect.sync(
    onMessage(({ _tag }) => {
      if (_tag === "Retire") resume(Effect.void)
    })
  )
)

/** Stops this worker as SIGTERM does. */
export const end = Effect.andThen(
  Effect.sync(() => process.kill(process.pid, "SIGTERM")),
  Effect.never
)

/** Longer than a living parent needs to answer. */
const patience = "2 seconds"

/** The metrics of all workers, from any of them. Falls back to `own` when the parent does not answer. */
export const metricsOfAll = (own: Effect.Effect<string>): Effect.Effect<string> => {
  if (!isWorker()) return own
  onMessage((message) => {
    if (message._tag !== "TellMetrics") return
    const { question } = message
    Effect.runFork(Effect.map(own, (text) => tell({ _tag: "OwnMetrics", question, text })))
  })
  let questions = 0
  const all = Effect.callback<string>((resume) => {
    const asked = ++questions
    const stop = onMessage((message) => {
      if (message._tag !== "AllMetrics" || message.question !== asked) return
      stop()
      resume(Effect.sync(() => mergedMetrics(message.parts)))
    })
    tell({ _tag: "AskMetrics", question: asked })
    return Effect.sync(stop)
  })
  return Effect.catchTag(Effect.timeout(all, patience), "TimeoutError", () => own)
}
