import type { Rules, User } from "./backend.ts"
import { makeBusy } from "./busy.ts"
import { byId } from "./byId.ts"
import { type Pending, pendingAfter } from "./pending.ts"
import { type How, isWaiting, startLink, type Waiting } from "./waiting.ts"
import { isUser, type Way } from "./ways.ts"
import { explain } from "./words.ts"

export interface IdentityScreenOptions {
  readonly ways: { readonly phone: Way; readonly email: Way }
  readonly rules: Rules
  readonly sent: (pending: Pending) => void
  readonly waits: (waiting: Waiting) => void
  /** Whether Truecaller is available. */
  readonly truecaller: boolean
  readonly signedIn: (user: User) => void
}

/** The sign-in methods for a phone number and for an e-mail address. */
const sendings: { readonly [way in "phone" | "email"]: ReadonlyArray<readonly [how: How | "code", words: string]> } = {
  phone: [
    ["code", "A code"],
    ["sms", "A link by SMS"],
    ["whatsapp", "A button in WhatsApp"],
    ["truecaller", "Nothing: use Truecaller"]
  ],
  email: [
    ["code", "A code"],
    ["email", "A link"]
  ]
}

/** Asks for a phone number or an e-mail address, and for the sign-in method. */
export const makeIdentityScreen = (options: IdentityScreenOptions) => {
  const { rules, sent, signedIn, truecaller, waits, ways } = options
  const form = byId("identity-form", HTMLFormElement)
  const fields = {
    phone: {
      choice: byId("by-phone", HTMLInputElement),
      row: byId("phone-row", HTMLElement),
      input: byId("phone", HTMLInputElement)
    },
    email: {
      choice: byId("by-email", HTMLInputElement),
      row: byId("email-row", HTMLElement),
      input: byId("email", HTMLInputElement)
    }
  }
  const send = byId("send", HTMLSelectElement)
  const problem = byId("identity-problem", HTMLElement)
  const button = byId("identity-continue", HTMLButtonElement)
  const busy = makeBusy()

  const chosen = () => (fields.phone.choice.checked ? "phone" : "email")

  const say = (text: string) => {
    problem.textContent = text
    for (const { input } of Object.values(fields)) input.removeAttribute("aria-invalid")
    if (text === "") return
    fields[chosen()].input.setAttribute("aria-invalid", "true")
    fields[chosen()].input.focus()
  }

  const choose = () => {
    fields.phone.row.hidden = !fields.phone.choice.checked
    fields.email.row.hidden = fields.phone.choice.checked
    const choices = sendings[chosen()].filter(([how]) => how !== "truecaller" || truecaller)
    send.replaceChildren(...choices.map(([how, words]) => new Option(words, how)))
    say("")
  }
  for (const { choice, input } of Object.values(fields)) {
    choice.addEventListener("change", choose)
    input.addEventListener("input", () => {
      if (problem.textContent !== "") say("")
    })
  }

  const submit = () =>
    busy(button, async () => {
      const way = chosen()
      const identity = fields[way].input.value.trim()
      if (identity === "") return say(way === "phone" ? "Enter your phone number." : "Enter your e-mail address.")
      say("")
      try {
        const how = sendings[way].find(([one]) => one === send.value)?.[0] ?? "code"
        if (how !== "code") {
          const result = await startLink({ way, how, identity }, rules.resendCooldownSeconds)
          return isWaiting(result) ? waits(result) : signedIn(result)
        }
        const result = await ways[way].start(identity)
        if (isUser(result)) signedIn(result)
        else sent(pendingAfter(result, rules, { way, identity }))
      } catch (error) {
        say(explain(error, way))
      }
    })
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void submit()
  })

  return {
    /** With `focus`, focuses the field where a returning user continues; with `from`, fills in their earlier input. */
    show: (focus: boolean, from?: Pick<Pending, "way" | "identity">) => {
      if (from !== undefined) {
        fields[from.way].choice.checked = true
        fields[from.way].input.value = from.identity
      }
      choose()
      if (focus) fields[chosen()].input.focus()
    },
    say
  }
}
