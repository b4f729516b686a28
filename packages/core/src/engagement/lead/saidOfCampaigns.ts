import { askedToStop } from "../optOut/askedToStop.ts"
import type { Said } from "../optOut/decisions.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Arrived } from "./Arrived.ts"
import type { Correspondence } from "./receive.ts"

/** In which a wish can be: what was written or pressed. A list's row has a word of the merchant's own. */
const types: ReadonlySet<string> = new Set(["text", "button"])

/**
 * What customers said about campaigns, in messages that say nothing else: also in repeated ones, which change nothing.
 * Whoever hides their number is known by the one of their lead, if it has one.
 */
export const saidOfCampaigns = (
  arrived: ReadonlyArray<Arrived>,
  { leads }: Pick<Correspondence, "leads">,
  now: Instant
): ReadonlyArray<Said> =>
  arrived.flatMap(({ written }): ReadonlyArray<Said> => {
    if (written._tag !== "Message" || !types.has(written.type)) return []
    const asked = askedToStop(written.text)
    const { phone, userId } = written.sender
    const number = phone ?? leads.find((lead) => userId !== null && lead.userId === userId)?.phone ?? null
    if (asked === null || number === null) return []
    return [{ phone: `+${number}`, isOut: asked === "STOP", by: "MESSAGE", at: Math.min(written.at, now) }]
  })
