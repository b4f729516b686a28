import { Schema } from "effect"
import type { Settings } from "../../account/merchant/Settings.ts"
import { Challenge } from "./Challenge.ts"
import {
  type GuardReason,
  guardReasons,
  type GuardVerdict,
  type Judgement,
  verdictOf
} from "../../foundation/guard/GuardReason.ts"

/** The guard refuses to send a code to this number, for a reason that the merchant enforces. */
export class GuardRefused extends Schema.TaggedError<GuardRefused>()("GuardRefused", {
  reason: Schema.Literals(guardReasons),
  /** When a new try may succeed. Null when the evidence is so strong that waiting does not help. */
  waitSeconds: Schema.NullOr(Schema.Int),
  /** The score of the reason, if a solved challenge would let the request pass. */
  answerable: Schema.optionalKey(Schema.Finite),
  /** With the public key: what to solve instead of waiting. */
  challenge: Schema.optionalKey(Challenge)
}) {}

/** Whether the merchant trusts this number, so that the guard does not judge it. */
export const isSafe = (canonical: string, { safeList }: Pick<Settings, "safeList">): boolean =>
  safeList.some((prefix) => canonical.startsWith(prefix))

/** What the merchant's enforced reasons lead to. Null when none of them applies. */
export const enforcedReason = (
  { reasons }: Judgement,
  { guardEnforces }: Pick<Settings, "guardEnforces">
): { readonly reason: GuardReason; readonly verdict: GuardVerdict } | null => {
  const first = reasons.find(({ reason }) => guardEnforces.includes(reason))
  return first === undefined ? null : { reason: first.reason, verdict: verdictOf(first.score) }
}
