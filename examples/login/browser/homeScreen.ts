import { post, type Rules, type User } from "./backend.ts"
import { makeBusy } from "./busy.ts"
import { byId } from "./byId.ts"
import type { Way } from "./ways.ts"

export interface HomeScreenOptions {
  readonly ways: { readonly phone: Way; readonly email: Way }
  readonly rules: Rules
  readonly signedOut: () => void
}

/** Shows the signed-in user, with buttons to sign out and to forget the device. */
export const makeHomeScreen = ({ rules, signedOut, ways }: HomeScreenOptions) => {
  const title = byId("home-title", HTMLElement)
  const how = byId("home-how", HTMLElement)
  const notice = byId("home-notice", HTMLElement)
  const out = byId("sign-out", HTMLButtonElement)
  const forget = byId("forget-device", HTMLButtonElement)
  const busy = makeBusy()

  const trying = (button: HTMLButtonElement, work: () => Promise<void>) =>
    busy(button, () =>
      work().catch(() => {
        notice.textContent = "No response. Try again."
      })
    )

  out.addEventListener("click", () => void trying(out, () => post("api/sign-out").then(signedOut)))
  forget.addEventListener(
    "click",
    () =>
      void trying(forget, async () => {
        await Promise.all([ways.phone.forget(), ways.email.forget()])
        how.textContent = "You will need a code the next time you sign in."
        notice.textContent = "This device is no longer trusted."
      })
  )

  return {
    show: ({ byLink, identity, identityType, oneTap, verifiedAt }: User) => {
      title.textContent = oneTap ? "Welcome back" : "You are signed in"
      how.textContent = oneTap
        ? "No code needed: this device is trusted."
        : `${byLink ? "You signed in with a link." : "You entered the correct code."}${rules.oneTap ? " This device needs no code next time." : ""}`
      forget.hidden = !rules.oneTap
      byId("home-identity", HTMLElement).textContent = identity
      byId("home-with", HTMLElement).textContent = identityType === "EMAIL" ? "E-mail address" : "Phone number"
      const when = byId("home-when", HTMLTimeElement)
      when.dateTime = verifiedAt
      when.textContent = new Date(verifiedAt).toLocaleString(undefined, { dateStyle: "long", timeStyle: "short" })
      notice.textContent = ""
      title.focus()
    }
  }
}
