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

/** Whether a link names the browser that requested it, so that no other browser can share it. */
const namesBrowser = ({ codeChallenge, state }: Handover): boolean =>
  codeChallenge !== null || (state !== null && state !== "")

const relayed = "relayed."

/** The login of a relayed code. Each is its own, found only by the mark of its idempotency key. */
export const relayedLogin = (mark: string): string => `${relayed}${mark}`

export const isRelayedLogin = (login: string | undefined): boolean => login?.startsWith(relayed) === true

/**
 * Returns the key by which an initiate finds the live verification that it sends again. Null for codes: any initiate
 * for the same identity sends the same code.
 *
 * A code must be typed in the browser that requested it. With a link, the browser only waits: if a stranger's request
 * joined the person's own, one approval would sign both in. So a link is sent again only for the browser that requested
 * it:
 *
 * - With a `state` or a `codeChallenge`, requests with equal `redirectUri`, `state` and `codeChallenge` share a link.
 * - Without both, requests with the same `orderId` share a link.
 * - Without an `orderId` too, every request is its own login. Only its `requestId` or its idempotency key
 *   sends it again.
 *
 * A link and a number verifier never share a key, nor do two verifiers. A dashboard trial shares a key only with the
 * same trial.
 */
export const loginKeyOf = (flow: Flow, { channel, id = "", orderId, trial }: Login): string | null => {
  if (trial !== undefined) return loginOf(trial)
  if (flow.kind === "Code") return null
  if (flow.kind === "Relayed") return relayedLogin(flow.mark ?? id)
  const isBound = namesBrowser(flow.handover)
  if (!isBound && orderId === null) return `${flow.kind.toLowerCase()}.${id}`
  const { codeChallenge, redirectUri, state } = flow.handover
  const parts = [flow.kind === "Number" ? channel : null, redirectUri, state, codeChallenge]
  return SecretHash.hash(JSON.stringify(isBound ? parts : [...parts, orderId])).slice(0, 32)
}

/** Whether only an idempotency key or a `requestId` finds the login. For a request, the key is only a prefix. */
export const isAlone = (login: string | null): boolean => login !== null && /^(?:link|number)\./.test(login)
