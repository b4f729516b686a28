import { type ReadonlySignal, signal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import type { Input } from "../../api/Api.ts"
import { call } from "../../api/call.ts"
import type { Failure } from "../../api/Failure.ts"
import type { Preview } from "./template.ts"

type Wanted = Input<"POST /v1/dashboard/templates/preview">["body"]

export interface LivePreview {
  /** Of the latest text that could be shown. */
  readonly answer: ReadonlySignal<Preview | null>
  /** Why the latest text cannot be shown; the one before is still there. */
  readonly failure: ReadonlySignal<Failure | null>
  readonly ask: (body: Wanted) => void
}

/**
 * What a text would be when it is sent, while it is typed. One question is under way at a time: what was typed meanwhile
 * is asked when its answer is there, and all between is left out. So it is as quick as the service is, without a timer.
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
