import { base, environmentOf, type RouteName, routes } from "./paths.ts"

/** A screen with the parameters of its path. */
export interface Match {
  readonly route: RouteName
  readonly params: { readonly [name: string]: string }
}

const patterns = (Object.entries(routes) as ReadonlyArray<readonly [RouteName, string]>).map(([route, pattern]) => ({
  route,
  test: new RegExp(`^${pattern.replace(/\/$/, "").replace(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`)
}))

const decode = (value: string) => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The screen of an address, or null when no screen matches. */
export const matchOf = (path: string): Match | null => {
  const [pathname = ""] = path.split("?")
  const rest = pathname.slice(environmentOf(pathname) === "test" ? `${base}/test`.length : base.length)
  for (const { route, test } of patterns) {
    const found = test.exec(rest)
    if (found !== null)
      return {
        route,
        params: Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, decode(value)]))
      }
  }
  return null
}
