import { base, root, type RouteName } from "../address/paths.ts"
import type { Environment } from "../api/place.ts"
import type { Role } from "../session/may.ts"

/** The frame inside the HTML. It is shown until the page's code draws the real one in its place. */
const opening = () => document.getElementById("opening")

/** Shows it to a user who was signed in. */
export const beginOpening = (environment: Environment): void => {
  document.documentElement.dataset["opening"] = environment
}

export const isOpening = (): boolean => document.documentElement.dataset["opening"] !== undefined

/** Adds what the HTML cannot know: the environment, the open screen, and what the role has in its menu. */
export const drawOpening = (environment: Environment, route: RouteName, role: Role): void => {
  const frame = opening()
  if (frame === null) return
  const band = frame.querySelector<HTMLElement>(".banners")?.offsetHeight ?? 0
  document.documentElement.style.setProperty("--banners", `${band}px`)
  const chosen = frame.querySelector<HTMLInputElement>(`[value=${environment}]`)
  if (chosen !== null) chosen.checked = true
  for (const link of frame.querySelectorAll("a")) {
    const routes = (link.dataset["routes"]?.split(" ") ?? []) as ReadonlyArray<RouteName>
    link.pathname = link.pathname.replace(base, root(environment))
    link.hidden = link.dataset["not"]?.split(" ").includes(role) === true
    if (!routes.includes(route)) continue
    link.setAttribute("aria-current", "page")
    // A single item has a heading of its own.
    if (routes[0] === route) frame.querySelector("h1")?.append(link.cloneNode(true).firstChild ?? "")
  }
}

export const endOpening = (): void => {
  opening()?.remove()
  delete document.documentElement.dataset["opening"]
}
