import type { OptionProblem } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { KeptSecret } from "@countersign/postgres"
import type { Effect } from "effect"
import { directoryOf } from "./chooseStorage.ts"
import type { CountersignOptions } from "./Countersign.ts"

const problem =
  "is missing: make one with `openssl rand -hex 32`, and keep it outside the code and the database; only a directory keeps one of its own"

/**
 * The master secret that is given, the one that a directory keeps for itself, or one that is forgotten together with all
 * that it sealed. Nobody else goes without: a secret that was invented for a database would be another one at the next
 * start, or in the next process.
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
