import { Effect } from "effect"
import cluster from "node:cluster"
import { mergedMetrics } from "./mergedMetrics.ts"
import type { FromParent, FromWorker } from "./Message.ts"

/** Whether this process is one of a group, and has a parent that owns signals and the port. */
export const isWorker = (): boolean => cluster.isWorker

/** Whether others may serve already: only the first worker of a group starts alone. */
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
 * What a worker does about its parent. SIGHUP is the parent's business: a worker that gets one passes it on. A parent that has gone took the port with it: what runs is brought to its end.
 */
export const followParent = Effect.acquireRelease(
  Effect.sync(() => {
    const stop = () => process.kill(process.pid, "SIGTERM")
    // Without this Node ends a worker without its parent at once, in the middle of its requests.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
    process.on("SIGHUP", passReloadOn).on("disconnect", stop)
    if (!process.connected) stop()
    return stop
  }),
  (stop) => Effect.sync(() => process.off("disconnect", stop))
)

/** Tells the parent that this worker serves. */
export const ready = (lines: ReadonlyArray<string>) => Effect.sync(() => tell({ _tag: "Ready", lines }))

/** Until the parent has a successor for this worker. */
export const retired = Effect.callback<void>((resume) =>
  Effect.sync(
    onMessage(({ _tag }) => {
      if (_tag === "Retire") resume(Effect.void)
    })
  )
)

/** Comes to its end as any process that is told to stop. */
export const end = Effect.andThen(
  Effect.sync(() => process.kill(process.pid, "SIGTERM")),
  Effect.never
)

/** A parent answers sooner, unless it has gone. */
const patience = "2 seconds"

/** The metrics of the whole group, whichever of its workers is asked; a worker alone answers with its own. */
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
