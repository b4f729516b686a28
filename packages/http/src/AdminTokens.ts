import { type Actor, operator, SecretHash } from "@countersign/core"
import { Redacted } from "effect"

/** The operator's tokens. During a rotation both are accepted. */
export interface AdminTokens {
  readonly adminToken?: Redacted.Redacted | undefined
  readonly previousAdminToken?: Redacted.Redacted | undefined
}

/** Identifies the operator by token. The label is `current` or `previous`. Null for any other token. */
export type OperatorOf = (token: string) => Actor | null

export const makeOperatorOf = ({ adminToken, previousAdminToken }: AdminTokens): OperatorOf => {
  const hashOf = (token: Redacted.Redacted | undefined) =>
    token === undefined ? undefined : SecretHash.hash(Redacted.value(token))
  const current = hashOf(adminToken)
  const previous = hashOf(previousAdminToken)
  return (token) => {
    const given = SecretHash.hash(token)
    const is = (hash: string | undefined) => hash !== undefined && SecretHash.equals(given, hash)
    // Always compare both, so that the time does not reveal which token matched.
    const [isCurrent, isPrevious] = [is(current), is(previous)]
    return isCurrent || isPrevious ? { ...operator, label: isCurrent ? "current" : "previous" } : null
  }
}
