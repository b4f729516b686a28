import type { CheckedRequest } from "./InitiateRequest.ts"
import type { Verification } from "./Verification.ts"

/**
 * Whether a request asks for the very login that a live verification is, so that it is sent again.
 *
 * Whoever asks for a code has to type it. Whoever asks for a link only waits: if a stranger's wish to sign in as somebody
 * joined that person's own, the one approval would let both in. So a link is sent again only to where it would return,
 * with the same `state` and challenge: another browser's wish is another login, with a link of its own.
 */
export const joins = ({ handover }: Verification, request: Pick<CheckedRequest, "handover">): boolean =>
  handover === undefined || request.handover === null
    ? handover === undefined && request.handover === null
    : handover.redirectUri === request.handover.redirectUri &&
      handover.state === request.handover.state &&
      handover.codeChallenge === request.handover.codeChallenge
