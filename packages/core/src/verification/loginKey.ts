import type { ChannelName } from "../delivery/ChannelName.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import { loginOf } from "./trial.ts"
import type { Handover, Trial } from "./Verification.ts"

/**
 * What makes two wishes for a login without a code one and the same, so that the second is a resend of the first. Null
 * for codes, but for those that are tried at the dashboard.
 *
 * Whoever asks for a code has to type it. Whoever asks for a link only waits: if a stranger's wish to sign in as somebody
 * joined that person's own, the one approval would let both in. So a link is sent again only to where it would return,
 * with the same `state` and challenge: another browser's wish is another login, with a link of its own. And what a link
 * approves is never what a provider proves: the one asks for a number to match, the other sends nothing.
 */
export const loginKeyOf = ({
  channel,
  handover,
  trial
}: {
  readonly channel: ChannelName
  readonly handover?: Handover | null
  readonly trial?: Trial
}): string | null => {
  if (trial !== undefined) return loginOf(trial)
  return handover == null
    ? null
    : SecretHash.hash(
        JSON.stringify([channel === "TRUECALLER", handover.redirectUri, handover.state, handover.codeChallenge])
      ).slice(0, 32)
}
