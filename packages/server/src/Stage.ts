import type { Configuration } from "./Configuration.ts"
import { LocalRequest } from "@countersign/http"

/**
 * Where messages go.
 *
 * - `CONSOLE`: to the console and to `/dev/outbox`.
 * - `SIMULATED`: to simulators on this machine, and to `/dev/outbox`.
 * - `REAL`: to the configured providers. A channel without a provider is disabled; `/dev` and `/demo` do not exist.
 */
export type Stage = "CONSOLE" | "SIMULATED" | "REAL"

type Reachable = Pick<Configuration, "databaseUrl" | "host" | "providers" | "publicUrl">

/** Settings that make codes worth stealing or let others read them: the variable, and what is true of it. */
const exposures = ({ databaseUrl, host, publicUrl }: Reachable): ReadonlyArray<readonly [string, string]> => [
  ...(databaseUrl === undefined ? [] : [["DATABASE_URL", "is set"] as const]),
  ...(LocalRequest.isLoopback(host) ? [] : [["HOST", "can be reached from other machines"] as const]),
  ...(new URL(publicUrl).protocol === "https:" ? [["PUBLIC_URL", "is https"] as const] : [])
]

/**
 * Decides whether codes may be shown. `/dev/outbox` shows the codes of the live environment to anyone who asks. So it
 * exists only without a real database, a real provider, an address that others can reach, and a public https URL.
 */
export const stageOf = (configuration: Reachable, options: { readonly simulate: boolean }): Stage => {
  const exposed = exposures(configuration).length > 0
  if (options.simulate) return exposed ? "REAL" : "SIMULATED"
  // `lines` tells which provider is asked about which numbers. It is there without any provider.
  const provided = Object.entries(configuration.providers).some(
    ([name, provider]) => name !== "lines" && provider !== undefined
  )
  return exposed || provided ? "REAL" : "CONSOLE"
}

/** The configuration problems that forbid `--simulate`, by the rule of `stageOf`. */
export const problemsOfSimulating = (configuration: Reachable): ReadonlyArray<string> =>
  exposures(configuration).map(
    ([name, why]) =>
      `${name}: ${why}, but --simulate shows every code at /dev/outbox; remove the variable or --simulate`
  )
