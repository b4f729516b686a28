import { batch, type ReadonlySignal, signal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import type { Answer, Input, Write } from "../api/Api.ts"
import { call, placeNow } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { type Topic, wake } from "../live/topics.ts"

/** A write of the contract. A second one is not sent while the first is running. */
export interface Send<N extends Write> {
  /** Resolves to the answer, or to null on failure. `failure` then has the reason. */
  readonly send: (input: Input<N>, idempotencyKey?: string) => Promise<{ readonly body: Answer<N> } | null>
  readonly busy: ReadonlySignal<boolean>
  readonly failure: ReadonlySignal<Failure | null>
  /** Clears the failure when the user edits the input again. */
  readonly forget: () => void
}

/**
 * A write that refetches the same topics as events do. It keeps the merchant and environment of its creation, so
 * undoing after switching environments applies to the original one.
 */
export const makeSend = <N extends Write>(name: N, ...topics: ReadonlyArray<Topic>): Send<N> => {
  const busy = signal(false)
  const failure = signal<Failure | null>(null)
  const place = placeNow()
  const send = async (input: Input<N>, idempotencyKey?: string) => {
    if (busy.peek()) return null
    batch(() => ((busy.value = true), (failure.value = null)))
    const reply = await call(name, input, null, idempotencyKey, place)
    batch(() => ((busy.value = false), (failure.value = reply.ok ? null : reply.failure)))
    if (!reply.ok) return null
    wake(...topics)
    return { body: reply.body }
  }
  return { send, busy, failure, forget: () => (failure.value = null) }
}

export const useSend = <N extends Write>(name: N, ...topics: ReadonlyArray<Topic>): Send<N> =>
  useMemo(() => makeSend(name, ...topics), [])
