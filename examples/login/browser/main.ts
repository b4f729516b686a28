import { get, type Page, type User } from "./backend.ts"
import { byId } from "./byId.ts"
import { setClock } from "./clock.ts"
import { makeCodeScreen } from "./codeScreen.ts"
import { makeHomeScreen } from "./homeScreen.ts"
import { makeIdentityScreen } from "./identityScreen.ts"
import { kept, type Pending } from "./pending.ts"
import { keptWaiting, type Waiting } from "./waiting.ts"
import { makeWaitScreen } from "./waitScreen.ts"
import { makeClient, makeEmailWay, makePhoneWay } from "./ways.ts"

const titles = {
  identity: "Sign in",
  code: "Enter the code",
  wait: "Open the link",
  home: "Signed in",
  broken: "Sign in"
}

const turnTo = (screen: keyof typeof titles) => {
  for (const name of Object.keys(titles)) byId(`screen-${name}`, HTMLElement).hidden = name !== screen
  document.title = `${titles[screen]} · Countersign demo`
  byId("card", HTMLElement).removeAttribute("aria-busy")
}

const returns: { readonly [back: string]: string } = {
  elsewhere: "This sign-in started in another browser. Continue there, or start again here.",
  failed: "This link is no longer valid. Request a new one."
}

/** Why the return of a link did not sign in. Shown once, not after a reload. */
const returned = (): string | null => {
  const back = new URLSearchParams(location.search).get("back")
  if (back === null) return null
  history.replaceState(null, "", location.pathname)
  return returns[back] ?? null
}

const start = (page: Page) => {
  setClock(page.now)
  const { rules } = page
  const countersign = makeClient(page)
  const ways = { phone: makePhoneWay(countersign), email: makeEmailWay() }
  const leave = () => {
    code.hide()
    wait.hide()
  }

  const toIdentity: typeof identity.show = (focus, from) => {
    leave()
    turnTo("identity")
    identity.show(focus, from)
  }
  const toCode = (pending: Pending) => {
    turnTo("code")
    code.show(pending)
  }
  const toWait = (waiting: Waiting) => {
    turnTo("wait")
    wait.show(waiting)
  }
  const toHome = (user: User) => {
    leave()
    turnTo("home")
    home.show(user)
  }
  const identity = makeIdentityScreen({
    ways,
    rules,
    truecaller: page.truecaller,
    sent: toCode,
    waits: toWait,
    signedIn: toHome
  })
  const code = makeCodeScreen({ ways, rules, signedIn: toHome, back: (from) => toIdentity(true, from) })
  const wait = makeWaitScreen({ countersign, rules, signedIn: toHome, back: (from) => toIdentity(true, from) })
  const home = makeHomeScreen({ ways, rules, signedOut: () => toIdentity(true) })

  if (page.outboxUrl !== null) {
    byId("outbox", HTMLElement).hidden = false
    byId("outbox-link", HTMLAnchorElement).href = page.outboxUrl
  }
  const [pending, waiting] = [kept(), keptWaiting()]
  const back = returned()
  if (page.user !== null) toHome(page.user)
  else if (pending !== null) toCode(pending)
  else if (waiting !== null && back === null) toWait(waiting)
  else toIdentity(false)
  if (back !== null && page.user === null) identity.say(back)
}

byId("reload", HTMLButtonElement).addEventListener("click", () => location.reload())
get<Page>("api/session").then(start, () => turnTo("broken"))
