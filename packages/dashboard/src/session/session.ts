import { computed, signal } from "@preact/signals"
import type { Answer } from "../api/Api.ts"
import { call, context } from "../api/call.ts"
import { forgetEarly } from "../api/early.ts"
import type { Failure } from "../api/Failure.ts"
import { base } from "../address/paths.ts"
import { wakeAll } from "../live/topics.ts"
import { forgetLastUser, keepLastUser, lastUser } from "./lastUser.ts"
import { forgetRecents } from "./recent.ts"

export type Me = Answer<"GET /v1/dashboard/me">

/** The current user. Null when signed out, undefined while loading. */
export const me = signal<Me | null | undefined>(undefined)
/** Names a team member at one merchant, without their address. */
export const ownerOf = ({ agent, merchant }: Me): string => `${merchant.id}/${agent.id}`
export const isSignedIn = computed(() => me.value !== null && me.value !== undefined)
context.merchant = () => me.peek()?.merchant.id ?? null

/** Why the sign-in overlay is open, or null. */
export const signInNeeded = signal<"none" | "stale" | null>(null)
let waiting: Array<(signedIn: boolean) => void> = []

/** All calls that need a sign-in wait for the same dialog. */
context.signIn = (why) => {
  if (me.peek() === undefined || me.peek() === null) {
    me.value = null
    return Promise.resolve(false)
  }
  signInNeeded.value = why
  return new Promise((answer) => waiting.push(answer))
}

/** Until when the sign-in counts as recent, by the clock of this page. */
let recentUntil = 0
/** How long a sign-in stays recent, less a minute to fill in a form. */
const recent = 9 * 60_000

/** Opens the sign-in dialog if the last sign-in is too old for a sensitive action, or soon will be. */
export const askForRecentSignIn = (): void => {
  if (isSignedIn.peek() && signInNeeded.peek() === null && recentUntil < Date.now()) void context.signIn("stale")
}

const answerAll = (signedIn: boolean) => {
  const all = waiting
  waiting = []
  signInNeeded.value = null
  for (const answer of all) answer(signedIn)
}

/** Storage key: the owner of this tab's drafts. */
const draftOwnerKey = "countersign.person"

/** Clears a user's data from the page: drafts, opened items, loaded answers, the operator token. */
const leave = (): void => {
  sessionStorage.clear()
  forgetRecents()
  forgetLastUser()
  context.adminToken.value = null
  me.value = null
  location.replace(base)
}

let otherTabs: BroadcastChannel | undefined

/** The browser has one session. Signing out or switching users applies to all its tabs. */
export const followOtherTabs = (): void => {
  otherTabs = new BroadcastChannel("countersign")
  otherTabs.addEventListener("message", ({ data }) => {
    const user = me.peek()
    if (user != null && data !== user.agent.email) leave()
  })
}

let openStart = (_user: Me): void => {}

/** Sets what opens a user's start screen: after a sign-in, and on the first load of a tab. */
export const whenStarting = (run: (user: Me) => void): void => void (openStart = run)

const loadMe = async (onSignedOut: () => void): Promise<Failure | null> => {
  const reply = await call("GET /v1/dashboard/me", {})
  if (!reply.ok) {
    if (reply.failure.status !== 401) return reply.failure
    forgetLastUser()
    forgetEarly()
    onSignedOut()
    return null
  }
  const [before, now] = [me.peek(), reply.body]
  const { email } = now.agent
  otherTabs?.postMessage(email)
  const draftOwner = sessionStorage.getItem(draftOwnerKey)
  if (draftOwner !== null && draftOwner !== email) {
    leave()
    return null
  }
  sessionStorage.setItem(draftOwnerKey, email)
  keepLastUser({ merchant: now.merchant.id, role: now.agent.role })
  // A call started for one merchant must not continue for another.
  const isSameMerchant = before == null || before.merchant.id === now.merchant.id
  // Before the page renders, so that no other screen loads first. A reload of a tab stays where it was.
  if (draftOwner === null || before === null) openStart(now)
  // A sign-in on this page is recent, even if the clocks of server and browser differ.
  recentUntil = waiting.length > 0 ? Date.now() + recent : Date.parse(now.freshUntil) - 60_000
  me.value = now
  answerAll(isSameMerchant)
  if (!isSameMerchant) wakeAll()
  return null
}

/** Loads the current user, at the start and after each sign-in. */
export const loadUser = (): Promise<Failure | null> => loadMe(() => void (me.value = null))

/** Loads the current user only if one was signed in before, to spare a request. */
export const restoreSession = async (): Promise<boolean> => {
  if (lastUser() !== null) await loadUser()
  return isSignedIn.peek()
}

let isLoadingMe = false
context.elsewhere = () => {
  if (isLoadingMe || !isSignedIn.peek()) return
  isLoadingMe = true
  void loadMe(() => void (signInNeeded.value ??= "none")).finally(() => (isLoadingMe = false))
}

/** The user cancelled: reject the waiting calls, and show the sign-in page when there is no session. */
export const signInLater = (): void => {
  const why = signInNeeded.peek()
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
  otherTabs?.postMessage(null)
  leave()
  return null
}
