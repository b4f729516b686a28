import { type ReadonlySignal, signal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import type { Input } from "../../api/Api.ts"
import { call } from "../../api/call.ts"
import type { Failure } from "../../api/Failure.ts"
import type { Preview } from "./template.ts"

type Wanted = Input<"POST /v1/dashboard/templates/preview">["body"]

export interface LivePreview {
  /** The latest valid preview. */
  readonly answer: ReadonlySignal<Preview | null>
  /** Why the latest text has no preview. The previous preview stays. */
  readonly failure: ReadonlySignal<Failure | null>
  readonly ask: (body: Wanted) => void
}

/**
 * A live preview of the typed text. One request runs at a time; input during a request is sent when it returns, and
 * intermediate states are skipped. This needs no debounce timer.
 */
export const usePreview = (): LivePreview =>
  useMemo(() => {
    const answer = signal<Preview | null>(null)
    const failure = signal<Failure | null>(null)
    let latest = ""
    let isBusy = false
    const run = async () => {
      isBusy = true
      for (let asked = ""; asked !== latest; ) {
        asked = latest
        const reply = await call("POST /v1/dashboard/templates/preview", { body: JSON.parse(asked) as Wanted })
        if (reply.ok) answer.value = reply.body
        failure.value = reply.ok ? null : reply.failure
      }
      isBusy = false
    }
    const ask = (body: Wanted) => {
      const next = JSON.stringify(body)
      if (next === latest) return
      latest = next
      if (!isBusy) void run()
    }
    return { answer, failure, ask }
  }, [])
