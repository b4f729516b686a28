import { batch, type ReadonlySignal, signal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import type { Answer, Input, Write } from "../api/Api.ts"
import { call, placeNow } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { type Topic, wake } from "../live/topics.ts"

/** A write of the contract. While one is under way another is not sent. */
export interface Send<N extends Write> {
  /** What came back; null where it was refused, and `failure` says why. */
  readonly send: (input: Input<N>, idempotencyKey?: string) => Promise<{ readonly body: Answer<N> } | null>
  readonly busy: ReadonlySignal<boolean>
  readonly failure: ReadonlySignal<Failure | null>
  /** Forgets the failure: whoever typed again has seen it. */
  readonly forget: () => void
}

/**
 * A write that wakes the same topics as news does, so that what it changed is read again. It is about the place where it
 * was made: what somebody undoes after they went to the other environment is undone where it was done.
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
