import type { Configuration } from "./Configuration.ts"
import { LocalRequest } from "@countersign/http"

/**
 * Where messages go.
 *
 * - `CONSOLE`: what has no provider goes to the console and to `/dev/outbox`.
 * - `SIMULATED`: everything goes to simulators on this machine, and is shown at `/dev/outbox`.
 * - `REAL`: to providers alone. A channel without one is not enabled, and there is no `/dev` and no `/demo`.
 */
export type Stage = "CONSOLE" | "SIMULATED" | "REAL"

type Reachable = Pick<Configuration, "databaseUrl" | "host" | "providers" | "publicUrl">

/** What makes codes worth stealing, or lets others read them: each as the variable that says so, and why. */
const exposures = ({ databaseUrl, host, publicUrl }: Reachable): ReadonlyArray<readonly [string, string]> => [
  ...(databaseUrl === undefined ? [] : [["DATABASE_URL", "is set"] as const]),
  ...(LocalRequest.isLoopback(host) ? [] : [["HOST", "is not on this machine alone"] as const]),
  ...(new URL(publicUrl).protocol === "https:" ? [["PUBLIC_URL", "is https"] as const] : [])
]

/**
 * The one rule of what shows codes: it is there only while nothing real can be reached. `/dev/outbox` shows the codes
 * of the live environment to whoever asks, so it goes as soon as there is a real database, a real provider, an address
 * that others can reach, or a public https URL.
 */
export const stageOf = (configuration: Reachable, options: { readonly simulate: boolean }): Stage => {
  const exposed = exposures(configuration).length > 0
  if (options.simulate) return exposed ? "REAL" : "SIMULATED"
  const provided = Object.values(configuration.providers).some((provider) => provider !== undefined)
  return exposed || provided ? "REAL" : "CONSOLE"
}

/** Why `--simulate` is refused: the same rule, as problems of the configuration. */
export const problemsOfSimulating = (configuration: Reachable): ReadonlyArray<string> =>
  exposures(configuration).map(
    ([name, why]) => `${name}: ${why}, and --simulate shows every code at /dev/outbox; leave one of them out`
  )
