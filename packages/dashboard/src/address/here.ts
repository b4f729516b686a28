import { computed, signal } from "@preact/signals"
import { context } from "../api/call.ts"
import { matchOf } from "./match.ts"
import { base, environmentOf, type RouteName, to as pathOf, withoutLive } from "./paths.ts"

const read = () => {
  const typed = `${location.pathname}${location.search}`
  const path = withoutLive(typed)
  if (path !== typed) history.replaceState(history.state, "", `${path}${location.hash}`)
  return path
}
const url = signal(read())

/** Where the page is: path and query. What it shows follows from it, and from nothing else. */
export const here = computed(() => url.value)
export const environment = computed(() => environmentOf(url.value))
context.environment = () => environment.peek()

/** Goes to another place of the page: a step that `back` takes back, or instead of the one before. */
export const go = (path: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  if (path === url.peek()) return
  history[replace ? "replaceState" : "pushState"](null, "", path)
  url.value = read()
}

/** The address of a screen in the environment that is shown. */
export const paths = new Proxy({} as { readonly [R in RouteName]: (...rest: PathInput<R>) => string }, {
  get:
    (_, route: RouteName) =>
    (...rest: ReadonlyArray<never>) =>
      (pathOf as (...all: ReadonlyArray<unknown>) => string)(environment.value, route, ...rest)
})
type PathInput<R extends RouteName> =
  Parameters<typeof pathOf<R>> extends [unknown, unknown, ...infer Rest] ? Rest : never

/** Whether a click is for the browser itself: another tab, a download, another site. */
const isOurs = (event: MouseEvent, link: HTMLAnchorElement) =>
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  link.origin === location.origin &&
  (link.pathname === base || link.pathname.startsWith(`${base}/`)) &&
  !link.pathname.startsWith(`${base}/oidc/`) &&
  !link.hasAttribute("download") &&
  (link.target === "" || link.target === "_self")

/** Links within the page go without loading it again. */
export const followLinks = (): void => {
  addEventListener("popstate", () => (url.value = read()))
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    if (link === null || event.defaultPrevented || !isOurs(event, link)) return
    if (link.hash !== "" && link.pathname === location.pathname && link.search === location.search) return
    event.preventDefault()
    go(`${link.pathname}${link.search}`)
  })
}

export const match = computed(() => matchOf(url.value))
/** A value of the address's path: `param("requestId")`. Reads the signal. */
export const param = (name: string): string => match.value?.params[name] ?? ""
