import type { OptionProblem } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { KeptSecret } from "@countersign/postgres"
import type { Effect } from "effect"
import { directoryOf } from "./chooseStorage.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"

const problem =
  "is missing: generate one with `openssl rand -hex 32`, and keep it outside the code and the database; only a directory stores its own"

/**
 * Chooses the master secret: the configured one, the one stored in a directory, or a random one for storage in memory. A
 * database needs a configured secret, because a generated one would differ at the next start and in other processes.
 */
export const chooseSecret = (
  options: CountersignOptions
): { readonly secret: string | Effect.Effect<string, unknown>; readonly problems: ReadonlyArray<OptionProblem> } => {
  const { database, secret, storage } = (options ?? {}) as Partial<CountersignOptions>
  if (secret !== undefined && secret !== "") return { secret, problems: [] }
  const directory = directoryOf(database)
  if (directory !== undefined) return { secret: KeptSecret.beside(directory), problems: [] }
  if (storage === MemoryStorage.layer) return { secret: KeptSecret.generate, problems: [] }
  return { secret: "", problems: [{ option: "secret", problem }] }
}
