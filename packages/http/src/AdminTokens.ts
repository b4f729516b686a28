import { type Actor, operator, SecretHash } from "@countersign/core"
import { Redacted } from "effect"

/** The operator's tokens. While one takes the place of the other, both open. */
export interface AdminTokens {
  readonly adminToken?: Redacted.Redacted | undefined
  readonly previousAdminToken?: Redacted.Redacted | undefined
}

/** The operator, by the token that was given: its label says which. Null when it is neither. */
export type OperatorOf = (token: string) => Actor | null

export const makeOperatorOf = ({ adminToken, previousAdminToken }: AdminTokens): OperatorOf => {
  const hashOf = (token: Redacted.Redacted | undefined) =>
    token === undefined ? undefined : SecretHash.hash(Redacted.value(token))
  const current = hashOf(adminToken)
  const previous = hashOf(previousAdminToken)
  return (token) => {
    const given = SecretHash.hash(token)
    const is = (hash: string | undefined) => hash !== undefined && SecretHash.equals(given, hash)
    // Both are compared, whichever it is.
    const [isCurrent, isPrevious] = [is(current), is(previous)]
    return isCurrent || isPrevious ? { ...operator, label: isCurrent ? "current" : "previous" } : null
  }
}
