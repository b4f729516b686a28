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

/** Path and query of the page. Everything shown derives from it. */
export const here = computed(() => url.value)
export const environment = computed(() => environmentOf(url.value))
context.environment = () => environment.peek()

/** Navigates within the page, as a new history entry or in place of the current one. */
export const go = (path: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  if (path === url.peek()) return
  history[replace ? "replaceState" : "pushState"](null, "", path)
  url.value = read()
}

/** Address of a screen in the current environment. */
export const paths = new Proxy({} as { readonly [R in RouteName]: (...rest: PathInput<R>) => string }, {
  get:
    (_, route: RouteName) =>
    (...rest: ReadonlyArray<never>) =>
      (pathOf as (...all: ReadonlyArray<unknown>) => string)(environment.value, route, ...rest)
})
type PathInput<R extends RouteName> =
  Parameters<typeof pathOf<R>> extends [unknown, unknown, ...infer Rest] ? Rest : never

/** Whether the browser must handle a click itself: new tab, download, other site. */
const isOurs = (event: MouseEvent, link: HTMLAnchorElement) =>
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  link.origin === location.origin &&
  (link.pathname === base || link.pathname.startsWith(`${base}/`)) &&
  !link.pathname.startsWith(`${base}/oidc/`) &&
  !link.hasAttribute("download") &&
  (link.target === "" || link.target === "_self")

/** Navigates links within the page without loading it again. */
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
/** A parameter of the current path, such as `param("requestId")`. Reads a signal. */
export const param = (name: string): string => match.value?.params[name] ?? ""
