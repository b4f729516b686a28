import { get, type Rules, type User } from "./backend.ts"
import { makeBusy } from "./busy.ts"
import { byId } from "./byId.ts"
import { left, now } from "./clock.ts"
import { codeIn } from "./codeIn.ts"
import { keep, type Pending, pendingAfter } from "./pending.ts"
import { isUser, type Sent, type Way } from "./ways.ts"
import { codeFromSms } from "./webOtp.ts"
import { channelName, explain, isFinal } from "./words.ts"

export interface CodeScreenOptions {
  readonly ways: { readonly phone: Way; readonly email: Way }
  readonly rules: Rules
  readonly signedIn: (user: User) => void
  /** Changes the number or address, starting from the current one. */
  readonly back: (from: Pick<Pending, "way" | "identity">) => void
}

interface Progress {
  readonly channels: ReadonlyArray<string>
  readonly failed: boolean
}

const lookEvery = 3000

/** Asks for the code, and shows its delivery. */
export const makeCodeScreen = ({ back, rules, signedIn, ways }: CodeScreenOptions) => {
  const form = byId("code-form", HTMLFormElement)
  const input = byId("code", HTMLInputElement)
  const sentence = byId("code-sent", HTMLElement)
  const problem = byId("code-problem", HTMLElement)
  const notice = byId("code-notice", HTMLElement)
  const timer = byId("code-timer", HTMLElement)
  const button = byId("code-continue", HTMLButtonElement)
  const again = byId("code-again", HTMLButtonElement)
  const bySms = byId("code-by-sms", HTMLButtonElement)
  const busy = makeBusy()
  let pending: Pending | null = null
  /** Stops this screen's background work. */
  let shown = new AbortController()

  const write = (element: HTMLElement, text: string) => {
    // Screen readers announce a live region at every write, even without a change.
    if (element.textContent !== text) element.textContent = text
  }

  const say = (text: string) => {
    write(problem, text)
    if (text === "") input.removeAttribute("aria-invalid")
    else input.setAttribute("aria-invalid", "true")
  }

  const tick = () => {
    if (pending === null) return
    if (!pending.over && now() >= pending.expiresAt) end("The code has expired. Send a new one.")
    const { againAt, channels, expiresAt, over } = pending
    const wait = now() < againAt
    write(timer, over ? "" : `The code is valid for ${left(expiresAt)}`)
    write(again, wait ? `Send again in ${left(againAt)}` : "Send again")
    again.disabled = wait
    again.hidden = over
    bySms.hidden = over || pending.way !== "phone" || channels.at(-1) === "SMS"
    bySms.disabled = wait
  }

  const update = (next: Pending) => {
    pending = next
    keep(next)
    const name = channelName(next.channels.at(-1) ?? "")
    write(sentence, `We sent a ${next.codeLength}-digit code by ${name} to ${next.identity}.`)
    form.style.setProperty("--digits", String(next.codeLength))
    write(button, next.over ? "Send a new code" : "Continue")
    input.readOnly = next.over
    tick()
  }

  const end = (text: string) => {
    if (pending === null) return
    input.value = ""
    write(notice, "")
    say(text)
    update({ ...pending, over: true })
    button.focus()
  }

  const sentTo = (result: Sent | User, before: Pending): boolean => {
    if (isUser(result)) {
      signedIn(result)
      return false
    }
    say("")
    input.value = ""
    update(pendingAfter(result, rules, before, before))
    input.focus()
    return true
  }

  const failed = (error: unknown, { way }: Pending) => {
    if (isFinal(error)) end(explain(error, way))
    else say(explain(error, way))
  }

  /** Resends the code, or sends a new one if the old one is no longer valid. */
  const send = (pressed: HTMLButtonElement, channel?: "sms") =>
    busy(pressed, async () => {
      if (pending === null) return
      const before = pending
      const way = ways[before.way]
      write(notice, "")
      try {
        const result = before.over
          ? await way.start(before.identity)
          : await way.again(before.identity, before.requestId, channel)
        if (sentTo(result, before)) write(notice, before.over ? "A new code was sent." : "The code was sent again.")
      } catch (error) {
        failed(error, before)
      }
    })

  const check = () =>
    busy(button, async () => {
      if (pending === null) return
      const { codeLength, identity, requestId, triesLeft, way } = pending
      if (input.value.length !== codeLength) {
        say(`Enter all ${codeLength} digits.`)
        return input.focus()
      }
      say("")
      input.readOnly = true
      try {
        const user = await ways[way].check(identity, requestId, input.value)
        if (user !== null) return signedIn(user)
        if (triesLeft <= 1) return end("Too many wrong codes. Send a new code.")
        update({ ...pending, triesLeft: triesLeft - 1 })
        input.value = ""
        say(`Wrong code. ${triesLeft === 2 ? "1 attempt" : `${triesLeft - 1} attempts`} left.`)
        input.focus()
      } catch (error) {
        failed(error, pending)
      } finally {
        input.readOnly = pending?.over ?? false
      }
    })

  const enter = (text: string) => {
    if (pending === null || pending.over || input.readOnly) return
    const code = codeIn(text, pending.codeLength)
    // A write moves the cursor to the end.
    if (input.value !== code) input.value = code
    if (input.value !== "") say("")
    if (input.value.length === pending.codeLength) void check()
  }

  /** Checks whether the code was also sent on another channel, or could not be delivered. */
  const look = async () => {
    if (pending === null || pending.over || document.hidden) return
    const { requestId } = pending
    const progress = await get<Progress>(`api/progress?requestId=${encodeURIComponent(requestId)}`).catch(() => null)
    if (progress === null || pending?.requestId !== requestId || pending.over) return
    const { channels } = pending
    const more = progress.channels.filter((channel) => !channels.includes(channel))
    if (progress.failed) return end("We could not deliver the code. Check the number or address, or send a new code.")
    if (more.length === 0) return
    update({ ...pending, channels: [...more, ...channels] })
    write(notice, `We also sent it by ${more.map(channelName).join(" and ")}.`)
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void (pending?.over === true ? send(button) : check())
  })
  input.addEventListener("input", () => enter(input.value))
  input.addEventListener("paste", (event) => {
    event.preventDefault()
    enter(event.clipboardData?.getData("text") ?? "")
  })
  again.addEventListener("click", () => void send(again))
  bySms.addEventListener("click", () => void send(bySms, "sms"))
  byId("code-back", HTMLButtonElement).addEventListener("click", () => pending !== null && back(pending))

  const hide = () => {
    shown.abort()
    pending = null
    keep(null)
    input.value = ""
  }

  return {
    show: (next: Pending) => {
      shown.abort()
      shown = new AbortController()
      const { signal } = shown
      say(next.over ? "This code is no longer valid. Send a new one." : "")
      write(notice, "")
      update(next)
      const timers = [setInterval(tick, 500), setInterval(() => void look(), lookEvery)]
      signal.addEventListener("abort", () => timers.forEach((timer) => clearInterval(timer)))
      void codeFromSms(signal).then((code) => code !== null && enter(code))
      input.focus()
    },
    hide
  }
}
