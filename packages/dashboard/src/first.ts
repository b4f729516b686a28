/**
 * The first script, inside the HTML: sets theme and language, shows the opening to a user who was signed in, and asks
 * for the code and the data that the address needs. Without it the page works as well, after more round trips.
 */
import { matchOf } from "./address/match.ts"
import { environmentOf, type RouteName, withoutLive } from "./address/paths.ts"
import type { Name } from "./api/Api.ts"
import { askEarly } from "./api/early.ts"
import { headersOfPlace, urlOf } from "./api/place.ts"
import { earlySeries } from "./screens/overview/early.ts"
import { arrivalOf } from "./session/arrival.ts"
import { lastUser } from "./session/lastUser.ts"
import { startOf } from "./session/startOf.ts"
import { applyTheme, keptTheme } from "./shell/keptTheme.ts"
import { beginOpening, drawOpening } from "./shell/opening.ts"
import { type Language, language } from "./words/language.ts"

declare global {
  /** Written by the build: the scripts of every screen, the entry first, and the other scripts of each screen. */
  const scripts: Readonly<
    Record<
      Language,
      {
        readonly every: ReadonlyArray<string>
        readonly screens: Readonly<Record<RouteName | "signIn", ReadonlyArray<string>>>
      }
    >
  >
  /** Called behind the opening's markup. */
  var countersignOpening: (() => void) | undefined
  /** Imported at the end of the page. */
  var countersignEntry: string
}

const addressOf = (name: string | undefined) => `/dashboard/assets/${language}/${name}.js`

const preload = (name: string) => {
  const link = document.createElement("link")
  link.rel = "modulepreload"
  link.href = addressOf(name)
  document.head.append(link)
}

const { every, screens } = scripts[language]

/** The reads that a screen begins with, from its address alone. */
const readsOf = (route: RouteName, search: string): ReadonlyArray<readonly [Name, { readonly query?: object }]> =>
  route === "overview" ? [["GET /v1/dashboard/stats/series", earlySeries(search, new Date())]] : []

const begin = () => {
  document.documentElement.lang = language
  applyTheme(keptTheme())
  const path = withoutLive(location.pathname)
  const user = lastUser()
  const route = matchOf((user === null ? null : startOf(user.role, path)) ?? path)?.route
  if (route === undefined) return
  const isOperators = route.startsWith("merchant")
  const isLink = arrivalOf(location.hash).kind === "link"
  for (const name of screens[user !== null || isOperators || isLink ? route : "signIn"]) preload(name)
  // A sign-in link may open another session, and the operator's screen has none.
  if (user === null || isOperators || location.hash !== "") return
  const environment = environmentOf(path)
  askEarly(urlOf("GET /v1/dashboard/me", {}), headersOfPlace({ environment, merchant: null }))
  for (const [name, input] of readsOf(route, location.search))
    askEarly(urlOf(name, input as {}), headersOfPlace({ environment, merchant: user.merchant }))
  beginOpening(environment)
  globalThis.countersignOpening = () => drawOpening(environment, route, user.role)
}

// It has run: a script element in the page would be somebody else's.
document.currentScript?.remove()
globalThis.countersignEntry = addressOf(every[0])
for (const name of every) preload(name)
try {
  begin()
} catch {
  // The storage may be blocked. The page's code says so where it matters.
}
