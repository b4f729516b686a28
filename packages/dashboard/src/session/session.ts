import { computed, signal } from "@preact/signals"
import type { Answer } from "../api/Api.ts"
import { call, context } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { base } from "../address/paths.ts"
import { wakeAll } from "../live/topics.ts"

export type Me = Answer<"GET /v1/dashboard/me">

/** The current user. Null when signed out, undefined while loading. */
export const me = signal<Me | null | undefined>(undefined)
export const isSignedIn = computed(() => me.value !== null && me.value !== undefined)
context.merchant = () => me.peek()?.merchant.id ?? null

/** Why the sign-in overlay is open, or null. */
export const asked = signal<"none" | "stale" | null>(null)
let waiting: Array<(signedIn: boolean) => void> = []

/** All calls that need a sign-in wait for the same dialog. */
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

/** Storage key: a user was signed in at the last check. */
const signedInKey = "countersign.somebody"
/** Storage key: the owner of this tab's drafts. */
const draftOwnerKey = "countersign.person"

/** Clears a user's data from the page: drafts, loaded answers, the operator token. */
const leave = (): void => {
  sessionStorage.clear()
  localStorage.removeItem(signedInKey)
  context.adminToken.value = null
  me.value = null
  location.replace(base)
}

let others: BroadcastChannel | undefined

/** The browser has one session. Signing out or switching users applies to all its tabs. */
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
    localStorage.removeItem(signedInKey)
    ended()
    return null
  }
  const [before, now] = [me.peek(), reply.body]
  const { email } = now.agent
  others?.postMessage(email)
  const typed = sessionStorage.getItem(draftOwnerKey)
  if (typed !== null && typed !== email) {
    leave()
    return null
  }
  sessionStorage.setItem(draftOwnerKey, email)
  localStorage.setItem(signedInKey, "yes")
  // A call started for one merchant must not continue for another.
  const isSame = before == null || before.merchant.id === now.merchant.id
  me.value = now
  answerAll(isSame)
  if (!isSame) wakeAll()
  return null
}

/** Loads the current user, at the start and after each sign-in. */
export const loadUser = (): Promise<Failure | null> => look(() => void (me.value = null))

/** Loads the current user only if one was signed in before, to spare a request. */
export const restoreSession = async (): Promise<boolean> => {
  if (localStorage.getItem(signedInKey) !== null) await loadUser()
  return isSignedIn.peek()
}

let isLooking = false
context.elsewhere = () => {
  if (isLooking || !isSignedIn.peek()) return
  isLooking = true
  void look(() => void (asked.value ??= "none")).finally(() => (isLooking = false))
}

/** The user cancelled: reject the waiting calls, and show the sign-in page when there is no session. */
export const signInLater = (): void => {
  const why = asked.peek()
  answerAll(false)
  if (why === "none") me.value = null
}

/**
 * Ends the session and deletes this tab's drafts, because the next user may be another person. When the service is
 * unreachable the user stays signed in, and the failure says why.
 */
export const signOut = async (): Promise<Failure | null> => {
  const reply = await call("DELETE /v1/dashboard/sessions/current", {})
  if (!reply.ok && reply.failure.status !== 401) return reply.failure
  others?.postMessage(null)
  leave()
  return null
}
