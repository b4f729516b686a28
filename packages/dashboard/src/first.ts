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
import { language } from "./words/language.ts"

declare global {
  /** Written by the build: the names of the scripts of each screen besides those of every screen. */
  const screenFiles: Readonly<Record<RouteName | "signIn", ReadonlyArray<string>>>
  /** Called behind the opening's markup. */
  var countersignOpening: (() => void) | undefined
}

const preload = (name: string) => {
  const link = document.createElement("link")
  link.rel = "modulepreload"
  link.href = `/dashboard/assets/${name}.js`
  document.head.append(link)
}

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
  for (const name of screenFiles[user !== null || isOperators || isLink ? route : "signIn"]) preload(name)
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
try {
  begin()
} catch {
  // The storage may be blocked. The page's code says so where it matters.
}
