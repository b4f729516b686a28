import type { Client } from "@countersign/sdk"
import { post, type Rules, type User } from "./backend.ts"
import { makeBusy } from "./busy.ts"
import { byId } from "./byId.ts"
import { left, now } from "./clock.ts"
import { isWaiting, keepWaiting, startLink, type Waiting } from "./waiting.ts"
import { explain } from "./words.ts"

export interface WaitScreenOptions {
  readonly countersign: Client
  readonly rules: Rules
  readonly signedIn: (user: User) => void
  /** Changes the number, the address or the method. */
  readonly back: (from: Pick<Waiting, "way" | "identity">) => void
}

const sentences: { readonly [how in Waiting["how"]]: string } = {
  email: "We sent a link by e-mail to",
  sms: "We sent a link by SMS to",
  whatsapp: "We sent a WhatsApp message with a button to",
  truecaller: "We asked Truecaller to verify"
}

const lookEvery = 1000

/** Waits until the link is approved, here or on another device. */
export const makeWaitScreen = ({ back, countersign, rules, signedIn }: WaitScreenOptions) => {
  const title = byId("wait-title", HTMLElement)
  const sentence = byId("wait-sent", HTMLElement)
  const number = byId("wait-number", HTMLElement)
  const timer = byId("wait-timer", HTMLElement)
  const status = byId("wait-status", HTMLElement)
  const again = byId("wait-again", HTMLButtonElement)
  const busy = makeBusy()
  let waiting: Waiting | null = null
  /** Stops this screen's background work. */
  let shown = new AbortController()

  const say = (text: string) => {
    // Screen readers announce a live region at every write, even without a change.
    if (status.textContent !== text) status.textContent = text
  }

  const tick = () => {
    if (waiting === null) return
    const wait = now() < waiting.againAt
    again.disabled = wait
    again.textContent = wait ? `Send again in ${left(waiting.againAt)}` : "Send again"
    timer.textContent = now() < waiting.expiresAt ? `The link is valid for ${left(waiting.expiresAt)}` : ""
  }

  /** Stops waiting and offers another link. */
  const over = (text: string) => {
    say(text)
    keepWaiting(null)
    if (waiting !== null) waiting = { ...waiting, expiresAt: 0, againAt: 0 }
    tick()
  }

  /** The link is approved. Another tab may have signed in already; otherwise this page finishes. */
  const finish = async (requestId: string, signal: AbortSignal) => {
    say("Approved. Signing you in…")
    for (let looks = 0; looks < 10 && !signal.aborted; looks++) {
      const { user } = await post<{ readonly user: User | null }>("api/link/finish", { requestId })
      if (user !== null) return signedIn(user)
      await new Promise((resume) => setTimeout(resume, lookEvery))
    }
    over("Approved. Continue in the browser that opened the link.")
  }

  const wait = async ({ how, requestId, truecaller, way }: Waiting, signal: AbortSignal) => {
    try {
      if (truecaller !== null) await countersign.truecaller({ sessionId: requestId, ...truecaller, state: requestId })
      const approval = await countersign.waitForApproval(requestId, { signal })
      if (approval.status === "VERIFIED") return await finish(requestId, signal)
      if (approval.status === "EXPIRED") return over("The link has expired. Send a new one.")
      over(
        how === "truecaller"
          ? "Truecaller has a different number."
          : "This sign-in was stopped, or its message could not be delivered. Send a new link."
      )
    } catch (error) {
      if (!signal.aborted) over(explain(error, way))
    }
  }

  const show = (next: Waiting) => {
    shown.abort()
    shown = new AbortController()
    const { signal } = shown
    const asksTruecaller = next.how === "truecaller"
    waiting = next
    // Truecaller's code works once, so a reload must not send it again.
    keepWaiting({ ...next, truecaller: null })
    title.textContent = asksTruecaller ? "Waiting for Truecaller" : "Open the link"
    sentence.textContent = `${sentences[next.how]} ${next.identity}.`
    byId("wait-match", HTMLElement).hidden = next.matchNumber === null
    number.textContent = next.matchNumber
    again.hidden = asksTruecaller
    timer.hidden = asksTruecaller
    say(asksTruecaller ? "It takes a moment." : "Waiting for you to open it.")
    tick()
    const ticking = setInterval(tick, 500)
    signal.addEventListener("abort", () => clearInterval(ticking))
    title.focus()
    void wait(next, signal)
  }

  const hide = () => {
    shown.abort()
    waiting = null
    keepWaiting(null)
  }

  again.addEventListener(
    "click",
    () =>
      void busy(again, async () => {
        if (waiting === null) return
        const { how, identity, way } = waiting
        try {
          const result = await startLink({ way, how, identity }, rules.resendCooldownSeconds)
          if (!isWaiting(result)) return signedIn(result)
          show(result)
          say("The link was sent again.")
        } catch (error) {
          say(explain(error, way))
        }
      })
  )
  byId("wait-back", HTMLButtonElement).addEventListener("click", () => waiting !== null && back(waiting))

  return { show, hide }
}
