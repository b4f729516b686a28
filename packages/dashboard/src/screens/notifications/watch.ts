import { go, paths } from "../../address/here.ts"
import { call } from "../../api/call.ts"
import { news, onNews } from "../../live/topics.ts"
import { isVisible } from "../../query/useEvery.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { alerts } from "../../shell/device.ts"
import { count } from "../../words/format.ts"
import { type Alert, alertOf, nameIn } from "./alertOf.ts"
import { ring } from "./ring.ts"
import { say } from "./words.ts"

const every = 15_000
const leadsLookedAt = 50
/** Of all tabs of this browser, the holder of this lock looks for messages. */
const watcher = "countersign.watcher"
/** Every visible tab shares this lock: whoever sees the page needs no notification. */
const visible = "countersign.visible"

const never = (signal: AbortSignal) => new Promise<void>((done) => signal.addEventListener("abort", () => done()))

/** Holds a lock until the function that it returns is called. */
const hold = (name: string, mode: LockMode, run: (signal: AbortSignal) => void = () => {}) => {
  const stop = new AbortController()
  void navigator.locks
    .request(name, { mode, signal: stop.signal }, () => {
      run(stop.signal)
      return never(stop.signal)
    })
    .catch(() => {}) // given up before it was granted
  return () => stop.abort()
}

const isSeen = async () => ((await navigator.locks.query()).held ?? []).some(({ name }) => name === visible)

/** Names the customer only to those who may see names. The text of a message never leaves the page. */
const show = ({ leads }: Alert) => {
  const [first] = leads
  if (first === undefined) return
  const name = may.work === undefined ? nameIn(first.name) : null
  const title = leads.length > 1 ? say.several(count(leads.length)) : name === null ? say.someoneWrote : say.wrote(name)
  const notification = new Notification(title, { tag: "countersign-inbox", body: me.peek()?.merchant.name ?? "" })
  notification.addEventListener("click", () => {
    focus()
    go(leads.length > 1 ? paths.inbox() : paths.lead({ id: first.id }))
    notification.close()
  })
}

const look = async (since: string | null): Promise<string | null> => {
  const user = me.peek()
  if (user == null) return null
  const reply = await call(
    "GET /v1/dashboard/leads",
    { query: { status: "OPEN", limit: leadsLookedAt } },
    null,
    crypto.randomUUID(),
    { environment: "live", merchant: user.merchant.id }
  )
  if (!reply.ok) return since
  const alert = alertOf(reply.body.items, since, user.agent.email)
  if (alert.leads.length === 0) return alert.since
  news("lead") // a hidden tab closes its stream, but its title still counts
  if (await isSeen()) return alert.since
  // With push notifications, the worker shows them.
  const { notify, push } = alerts.peek()
  if (notify && !push && Notification.permission === "granted") show(alert)
  if (alerts.peek().sound) ring()
  return alert.since
}

/** Looks for customers' messages in one of this browser's tabs, until the returned function is called. */
export const watch = (): (() => void) => {
  const { notify, push, sound } = alerts.peek()
  if (push) void import("./push.ts").then(({ keepPush }) => keepPush())
  if (!notify && !sound) return () => {}
  let release = () => {}
  const stopVisible = isVisible.subscribe((isShown) => {
    release()
    release = isShown ? hold(visible, "shared") : () => {}
  })
  const stopWatching = hold(watcher, "exclusive", (signal) => {
    let since: string | null = null
    let merchant: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let [isLooking, isBehind] = [false, false]
    const again = async () => {
      if (isLooking) return void (isBehind = true)
      clearTimeout(timer)
      isLooking = true
      do {
        isBehind = false
        // The customers of another merchant are no news after a switch.
        if (merchant !== me.peek()?.merchant.id) [since, merchant] = [null, me.peek()?.merchant.id]
        since = await look(since)
      } while (isBehind && !signal.aborted)
      isLooking = false
      if (!signal.aborted) timer = setTimeout(() => void again(), every)
    }
    // The stream of a tab that was just hidden still brings news at once.
    const stopNews = onNews("lead", () => void again())
    signal.addEventListener("abort", () => (clearTimeout(timer), stopNews()))
    void again()
  })
  return () => {
    stopWatching()
    stopVisible()
    release()
  }
}
