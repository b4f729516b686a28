import { render } from "preact"
import { followLinks, go, here } from "./address/here.ts"
import { App } from "./App.tsx"
import { listenForKeys } from "./keys/useKeys.ts"
import { arrive, followArrivals } from "./session/arrival.ts"
import { followOtherTabs, loadUser, whenStarting } from "./session/session.ts"
import { openSignInLink, signInError } from "./session/signInLink.ts"
import { startOf } from "./session/startOf.ts"
import { watchBuild } from "./shell/newer.ts"
import "./shell/theme.ts"
import { language } from "./words/language.ts"
import { say } from "./words/say.ts"

const begin = async () => {
  const arrival = arrive()
  if (arrival.kind === "link") await openSignInLink(arrival.token)
  if (arrival.kind === "refused") signInError.value = say.signIn.oidcRefused
  if (arrival.kind === "away") signInError.value = say.signIn.oidcAway
  if (arrival.kind === "limited") signInError.value = say.signIn.oidcLimited
  await loadUser()
}

document.documentElement.lang = language
followLinks()
followOtherTabs()
followArrivals()
listenForKeys()
whenStarting(({ agent }) => {
  const start = startOf(agent.role, here.peek())
  if (start !== null) go(start, { replace: true })
})
watchBuild()
render(<App />, document.getElementById("app")!)
void begin()
