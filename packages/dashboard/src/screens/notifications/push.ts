import { go, paths } from "../../address/here.ts"
import { call } from "../../api/call.ts"
import type { Failure } from "../../api/Failure.ts"
import { loadUser, me, ownerOf } from "../../session/session.ts"
import { alerts, chooseAlerts } from "../../shell/device.ts"
import { language } from "../../words/language.ts"

const scope = "/dashboard/"
/** Storage key: the user whose notifications this browser shows, and the device's id at the service. */
const kept = "countersign.push"

/** Whether this browser can show notifications while the page is closed. */
export const canPush = "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis

interface Own {
  readonly owner: string
  readonly id: string
}

const own = (): Own | null => {
  const [owner = "", id = ""] = (localStorage.getItem(kept) ?? "").split(" ")
  return owner === "" ? null : { owner, id }
}

/** This browser's device id, if it shows notifications to the current user. */
export const ownDevice = (): string | null => {
  const user = me.peek()
  const mine = own()
  return user != null && mine?.owner === ownerOf(user) ? mine.id : null
}

interface Policy {
  readonly createScriptURL: (url: string) => unknown
}

interface Types {
  readonly createPolicy: (name: string, rules: Policy) => Policy
}

/** Accepts the worker's address only. */
const rules: Policy = {
  createScriptURL: (url) => {
    if (!/^\/dashboard\/push\.js\?lang=(en|hi)$/.test(url)) throw new TypeError("This is not the worker")
    return url
  }
}
let policy: Policy | undefined

/** The content policy demands a typed address for a worker. A page can make its only policy once. */
const worker = (): string => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Types }
  policy ??= trustedTypes?.createPolicy("countersign-worker", rules) ?? rules
  return policy.createScriptURL(`/dashboard/push.js?lang=${language}`) as string
}

/** The worker in the user's language, when it runs. `ready` would wait forever on a page outside its scope. */
const registered = async (): Promise<ServiceWorkerRegistration> => {
  const registration = await navigator.serviceWorker.register(worker(), { scope, updateViaCache: "none" })
  const starting = registration.installing ?? registration.waiting
  if (registration.active === null && starting !== null)
    await new Promise<void>((done) =>
      starting.addEventListener("statechange", () => {
        if (starting.state === "activated" || starting.state === "redundant") done()
      })
    )
  return registration
}

const text = (bytes: ArrayBuffer | null): string =>
  bytes === null
    ? ""
    : btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "")

/** This browser's subscription for a key. One of another key, or of another user, is ended first. */
const subscribed = async (key: string, isOurs: boolean): Promise<PushSubscription> => {
  const { pushManager } = await registered()
  const before = await pushManager.getSubscription()
  if (before !== null && isOurs && text(before.options.applicationServerKey) === key) return before
  await before?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** Why this browser shows no notifications. */
export type Problem = "BLOCKED" | "UNSUBSCRIBED" | Failure

const forget = () => {
  currentFor = null
  localStorage.removeItem(kept)
  chooseAlerts({ ...alerts.peek(), push: false })
}

/** The user whose subscription this page has made current. */
let currentFor: string | null = null

/** Subscribes this browser, and tells the service. Null when it worked. */
const subscribe = async (owner: string): Promise<Problem | null> => {
  const list = await call("GET /v1/dashboard/me/devices", {})
  if (!list.ok) return list.failure
  const { key } = list.body
  if (key === null) return "UNSUBSCRIBED"
  const subscription = await subscribed(key, own()?.owner === owner).catch(() => null)
  if (subscription === null) return "UNSUBSCRIBED"
  const [p256dh, auth] = [text(subscription.getKey("p256dh")), text(subscription.getKey("auth"))]
  const reply = await call("POST /v1/dashboard/me/devices", {
    body: { endpoint: subscription.endpoint, p256dh, auth, key }
  })
  if (!reply.ok) return reply.failure
  localStorage.setItem(kept, `${owner} ${reply.body.id}`)
  currentFor = owner
  // A new value starts `keepPush`.
  if (!alerts.peek().push) chooseAlerts({ ...alerts.peek(), push: true })
  return null
}

/** Turns notifications on for this browser and the current user. */
export const turnOn = async (): Promise<Problem | null> => {
  const user = me.peek()
  if (user == null) return "UNSUBSCRIBED"
  if ((await Notification.requestPermission()) !== "granted") return "BLOCKED"
  follow()
  return subscribe(ownerOf(user))
}

/** Ends the subscription, so that no service can reach this browser any more. */
const unsubscribe = async () => {
  const registration = await navigator.serviceWorker.getRegistration(scope)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  await registration?.unregister()
}

/** Turns notifications off for this browser. */
export const turnOff = async (): Promise<Failure | null> => {
  const id = ownDevice()
  const reply = id === null ? null : await call("DELETE /v1/dashboard/me/devices/:id", { params: { id } })
  if (reply !== null && !reply.ok) return reply.failure
  forget()
  await unsubscribe().catch(() => {})
  return null
}

/** Goes where a notification points. Its lead may belong to another merchant of the user. */
const openPath = async (path: string): Promise<void> => {
  const url = new URL(path, location.origin)
  const lead = /^\/dashboard\/inbox\/(\d+)$/.exec(url.pathname)?.[1]
  const merchant = url.searchParams.get("merchant")
  if (me.peek()?.merchant.id !== merchant) {
    const isOwn = me.peek()?.merchants.some(({ id }) => id === merchant) === true
    if (lead === undefined || !isOwn || merchant === null) return go(paths.inbox())
    const reply = await call("PATCH /v1/dashboard/sessions/current", { body: { merchantId: merchant } })
    if (!reply.ok || (await loadUser()) !== null) return go(paths.inbox())
  }
  go(lead === undefined ? paths.inbox() : `/dashboard/inbox/${lead}`)
}

let isFollowing = false

/** Opens conversations from notifications in this tab. */
const follow = () => {
  if (isFollowing) return
  isFollowing = true
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.countersign === "open" && typeof data.path === "string") void openPath(data.path)
  })
  // A sign-out ends the subscription too: the next user of this browser may be another person.
  me.subscribe((user) => {
    if (user === null && own() !== null) {
      forget()
      void unsubscribe()
    }
  })
}

/** Keeps this browser's subscription current: its session, its language, and the service's key. */
export const keepPush = async (): Promise<void> => {
  const user = me.peek()
  if (!canPush || user == null) return
  follow()
  if (new URLSearchParams(location.search).has("merchant")) void openPath(`${location.pathname}${location.search}`)
  if (ownDevice() === null || currentFor === ownerOf(user)) return
  const { state } = await navigator.permissions.query({ name: "notifications" })
  if (state === "granted") await subscribe(ownerOf(user))
  else await turnOff()
}
