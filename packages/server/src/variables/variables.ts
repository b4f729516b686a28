import * as oidc from "../providers/oidc.ts"
import * as providers from "../providers/table.ts"
import * as firstMerchant from "./firstMerchant.ts"
import * as listening from "./listening.ts"
import * as rules from "./rules.ts"
import * as secrets from "./secrets.ts"
import * as storage from "./storage.ts"
import { namesOf, type Variable, type VariableGroup } from "./Variable.ts"

/**
 * Every variable there is, in the order in which people need them. The reader, the check for names that do not exist,
 * `--help`, `countersign check` and the tables of docs/configuration.md know no other.
 */
export const groups: ReadonlyArray<VariableGroup> = [
  listening.group,
  storage.group,
  secrets.group,
  firstMerchant.group,
  ...providers.groups,
  oidc.group,
  rules.group
]

export const variables: ReadonlyArray<Variable> = groups.flatMap((group) => group.variables)

/** Every name that may be set, those of secrets' files among them. */
export const names: ReadonlyArray<string> = namesOf(variables)

/** How the names begin that are meant for us. */
export const prefixes: ReadonlyArray<string> = groups.flatMap(({ prefix, prefixes = [] }) => [
  ...(prefix === undefined ? [] : [prefix]),
  ...prefixes
])
