import { askedToStop } from "../optOut/askedToStop.ts"
import type { Said } from "../optOut/decisions.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Arrived } from "./Arrived.ts"
import type { Correspondence } from "./receive.ts"

/** The types that can contain an opt-out: text and pressed buttons. List rows carry the merchant's own words. */
const types: ReadonlySet<string> = new Set(["text", "button"])

/**
 * The opt-outs and opt-ins in customers' messages. Only messages without other content count. Repeats are included,
 * because they change nothing. A sender with a hidden number is identified by the number of their lead, if it has one.
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
