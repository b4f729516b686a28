import * as oidc from "../providers/oidc.ts"
import * as providers from "../providers/table.ts"
import * as captcha from "./captcha.ts"
import * as firstMerchant from "./firstMerchant.ts"
import * as listening from "./listening.ts"
import * as rules from "./rules.ts"
import * as secrets from "./secrets.ts"
import * as storage from "./storage.ts"
import { namesOf, type Variable, type VariableGroup } from "./Variable.ts"

/**
 * All variables, in the order in which people need them. The reader, the check for unknown names, `--help`,
 * `countersign check` and the tables of docs/configuration.md all use this list.
 */
export const groups: ReadonlyArray<VariableGroup> = [
  listening.group,
  storage.group,
  secrets.group,
  firstMerchant.group,
  ...providers.groups,
  oidc.group,
  rules.group,
  captcha.group
]

export const variables: ReadonlyArray<Variable> = groups.flatMap((group) => group.variables)

/** All names, including the `_FILE` variables of secrets. */
export const names: ReadonlyArray<string> = namesOf(variables)

/** The prefixes that only Countersign's variables have. */
export const prefixes: ReadonlyArray<string> = groups.flatMap(({ prefix, prefixes = [] }) => [
  ...(prefix === undefined ? [] : [prefix]),
  ...prefixes
])
