import { computed, signal } from "@preact/signals"
import type { Answer } from "../api/Api.ts"
import { call, context } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { base } from "../address/paths.ts"
import { wakeAll } from "../live/topics.ts"

export type Me = Answer<"GET /v1/dashboard/me">

/** Who is signed in; null: nobody; undefined: not known yet. */
export const me = signal<Me | null | undefined>(undefined)
export const isSignedIn = computed(() => me.value !== null && me.value !== undefined)
context.merchant = () => me.peek()?.merchant.id ?? null

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

/** That somebody was signed in here when it was last asked. */
const somebody = "countersign.somebody"
/** Who typed what this tab keeps. */
const typist = "countersign.person"

/** All that is of one person leaves the page with them: what was typed, what was read, the operator's token. */
const leave = (): void => {
  sessionStorage.clear()
  localStorage.removeItem(somebody)
  context.adminToken.value = null
  me.value = null
  location.replace(base)
}

let others: BroadcastChannel | undefined

/** A browser has one session. Who signs out, or in as somebody else, does so in all of its tabs. */
export const followOtherTabs = (): void => {
  others = new BroadcastChannel("countersign")
  others.addEventListener("message", ({ data }) => {
    const here = me.peek()
    if (here != null && data !== here.agent.email) leave()
  })
}

const look = async (ended: () => void): Promise<Failure | null> => {
  const reply = await call("GET /v1/dashboard/me", {})
  if (!reply.ok) {
    if (reply.failure.status !== 401) return reply.failure
    localStorage.removeItem(somebody)
    ended()
    return null
  }
  const [before, now] = [me.peek(), reply.body]
  const { email } = now.agent
  others?.postMessage(email)
  const typed = sessionStorage.getItem(typist)
  if (typed !== null && typed !== email) {
    leave()
    return null
  }
  sessionStorage.setItem(typist, email)
  localStorage.setItem(somebody, "yes")
  // What was begun for another merchant is not carried out for this one.
  const isSame = before == null || before.merchant.id === now.merchant.id
  me.value = now
  answerAll(isSame)
  if (!isSame) wakeAll()
  return null
}

/** Reads who is here, once at the start and after each sign-in. */
export const lookWho = (): Promise<Failure | null> => look(() => void (me.value = null))

/** Whoever is signed in, where it may be that somebody is: a browser that has seen nobody is not asked. */
export const isSomebodyHere = async (): Promise<boolean> => {
  if (localStorage.getItem(somebody) !== null) await lookWho()
  return isSignedIn.peek()
}

let isLooking = false
context.elsewhere = () => {
  if (isLooking || !isSignedIn.peek()) return
  isLooking = true
  void look(() => void (asked.value ??= "none")).finally(() => (isLooking = false))
}

/** They would rather not: what waited is refused, and without a session the whole page asks for one. */
export const signInLater = (): void => {
  const why = asked.peek()
  answerAll(false)
  if (why === "none") me.value = null
}

/**
 * The session ends, and what was typed in this tab goes with it: the next person is another. While the service cannot be
 * told so, nobody is signed out, and the failure says why.
 */
export const signOut = async (): Promise<Failure | null> => {
  const reply = await call("DELETE /v1/dashboard/sessions/current", {})
  if (!reply.ok && reply.failure.status !== 401) return reply.failure
  others?.postMessage(null)
  leave()
  return null
}
