import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import { loginOf } from "./trial.ts"
import type { Flow, Handover, Trial } from "./Verification.ts"

/** A request, or the verification that it became. */
export interface Login {
  /** Absent for a request. */
  readonly id?: string
  readonly channel: ChannelName
  readonly orderId: string | null
  readonly trial?: Trial
}

/** Whether a link names the browser that asked for it, so that no other browser can share it. */
const namesBrowser = ({ codeChallenge, state }: Handover): boolean =>
  codeChallenge !== null || (state !== null && state !== "")

/**
 * The key by which an initiate finds the live verification that it sends again. Null for codes: any initiate for the
 * same identity sends the same code.
 *
 * A code must be typed by the browser that asked. A link is only waited for: if a stranger's request joined the
 * person's own, one approval would sign both in. So a link is sent again only to the browser that asked:
 *
 * - With a `state` or a `codeChallenge`, requests with the same `redirectUri`, `state` and `codeChallenge` share a link.
 * - Without both, requests with the same `orderId` share a link.
 * - Without an `orderId` too, every request is a login of its own. It is sent again only by its `requestId` or its
 *   idempotency key.
 *
 * A link and a login by a number verifier never share a key, nor do two verifiers. A trial at the dashboard shares one with the same trial only.
 */
export const loginKeyOf = (flow: Flow, { channel, id = "", orderId, trial }: Login): string | null => {
  if (trial !== undefined) return loginOf(trial)
  if (flow.kind === "Code") return null
  const isBound = namesBrowser(flow.handover)
  if (!isBound && orderId === null) return `${flow.kind.toLowerCase()}.${id}`
  const { codeChallenge, redirectUri, state } = flow.handover
  const parts = [flow.kind === "Number" ? channel : null, redirectUri, state, codeChallenge]
  return SecretHash.hash(JSON.stringify(isBound ? parts : [...parts, orderId])).slice(0, 32)
}

/** Whether a login is found only by its idempotency key or its `requestId`. Of a request it is the key's beginning. */
export const isAlone = (login: string | null): boolean => login !== null && /^(?:link|number)\./.test(login)
