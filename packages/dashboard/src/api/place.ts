import type { Name } from "./Api.ts"

export type Environment = "live" | "test"

/** The merchant and environment of a call, fixed when the call starts, so that retries keep them. */
export interface Place {
  readonly environment: Environment
  /** Null when signed out. */
  readonly merchant: string | null
}

/** Headers that name the merchant and environment, so that the service cannot act on another one. */
export const headersOfPlace = ({ environment, merchant }: Place): Record<string, string> => ({
  "x-environment": environment,
  ...(merchant === null ? {} : { "x-merchant": merchant })
})

type Values = { readonly [name: string]: unknown }

/** The URL of a call, with path parameters and query. */
export const urlOf = (
  name: Name,
  { params = {}, query = {} }: { readonly params?: Values; readonly query?: Values }
): string => {
  const path = name
    .slice(name.indexOf(" ") + 1)
    .replace(/:(\w+)/g, (_, field: string) => encodeURIComponent(String(params[field])))
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "")
  const search = new URLSearchParams(asked.map(([field, value]) => [field, String(value)]))
  return search.size === 0 ? path : `${path}?${search}`
}
