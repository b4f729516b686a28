import { get, type Page, type User } from "./backend.ts"
import { byId } from "./byId.ts"
import { setClock } from "./clock.ts"
import { makeCodeScreen } from "./codeScreen.ts"
import { makeHomeScreen } from "./homeScreen.ts"
import { makeIdentityScreen } from "./identityScreen.ts"
import { kept, type Pending } from "./pending.ts"
import { makeEmailWay, makePhoneWay } from "./ways.ts"

const titles = { identity: "Sign in", code: "Enter the code", home: "Signed in", broken: "Sign in" }

const turnTo = (screen: keyof typeof titles) => {
  for (const name of Object.keys(titles)) byId(`screen-${name}`, HTMLElement).hidden = name !== screen
  document.title = `${titles[screen]} · Countersign demo`
  byId("card", HTMLElement).removeAttribute("aria-busy")
}

const start = (page: Page) => {
  setClock(page.now)
  const { rules } = page
  const ways = { phone: makePhoneWay(page), email: makeEmailWay() }

  const toIdentity: typeof identity.show = (focus, from) => {
    code.hide()
    turnTo("identity")
    identity.show(focus, from)
  }
  const toCode = (pending: Pending) => {
    turnTo("code")
    code.show(pending)
  }
  const toHome = (user: User) => {
    code.hide()
    turnTo("home")
    home.show(user)
  }
  const identity = makeIdentityScreen({ ways, rules, sent: toCode, signedIn: toHome })
  const code = makeCodeScreen({ ways, rules, signedIn: toHome, back: (from) => toIdentity(true, from) })
  const home = makeHomeScreen({ ways, rules, signedOut: () => toIdentity(true) })

  if (page.outboxUrl !== null) {
    byId("outbox", HTMLElement).hidden = false
    byId("outbox-link", HTMLAnchorElement).href = page.outboxUrl
  }
  const pending = kept()
  if (page.user !== null) toHome(page.user)
  else if (pending !== null) toCode(pending)
  else toIdentity(false)
}

byId("reload", HTMLButtonElement).addEventListener("click", () => location.reload())
get<Page>("api/session").then(start, () => turnTo("broken"))
