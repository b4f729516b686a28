import { computed, signal } from "@preact/signals"
import type { Answer } from "../api/Api.ts"
import { call, context } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { wakeAll } from "../live/topics.ts"

export type Me = Answer<"GET /v1/dashboard/me">

/** Who is signed in; null: nobody; undefined: not known yet. */
export const me = signal<Me | null | undefined>(undefined)
export const isSignedIn = computed(() => me.value !== null && me.value !== undefined)

/** Why a sign-in is asked for over the screen; null: it is not. */
export const asked = signal<"none" | "stale" | null>(null)
let waiting: Array<(signedIn: boolean) => void> = []

/** Every call that needs a sign-in waits for the one dialog. */
context.signIn = (why) => {
  if (me.peek() === undefined || me.peek() === null) {
    me.value = null
    return Promise.resolve(false)
  }
  asked.value = why
  return new Promise((answer) => waiting.push(answer))
}

const answerAll = (signedIn: boolean) => {
  const all = waiting
  waiting = []
  asked.value = null
  for (const answer of all) answer(signedIn)
}

/** Reads who is here, once at the start and after each sign-in. */
export const lookWho = async (): Promise<Failure | null> => {
  const reply = await call("GET /v1/dashboard/me", {})
  if (reply.ok) {
    const before = me.peek()
    me.value = reply.body
    answerAll(true)
    if (before != null && before.merchant.id !== reply.body.merchant.id) wakeAll()
    return null
  }
  if (reply.failure.status === 401) me.value = null
  return reply.failure.status === 401 ? null : reply.failure
}

/** They would rather not: what waited is refused, and without a session the whole page asks for one. */
export const signInLater = (): void => {
  const why = asked.peek()
  answerAll(false)
  if (why === "none") me.value = null
}

/** The session ends, and what was typed in this tab goes with it: the next person is another. */
export const signOut = async (): Promise<void> => {
  await call("DELETE /v1/dashboard/sessions/current", {})
  sessionStorage.clear()
  me.value = null
}
