import type { Campaign, Recipient } from "@countersign/core/storage"
import { bool, id, instant, int, nullable, of, others, rest, rows, text } from "./table.ts"

export const campaign = rows<Campaign>()("campaign", ["environment", "id"], {
  environment: text,
  id: text,
  version: int,
  textId: of(text, ({ text }: Campaign) => text.id),
  textVersion: of(int, ({ text }: Campaign) => text.version),
  command: of(nullable(text), ({ command }: Campaign) => command),
  counted: of(bool, ({ counts }: Campaign) => counts !== null),
  // Null again once the campaign has its final counts, which removes it from the index of campaigns to count.
  finishedAt: of(nullable(instant), ({ counts, finishedAt }: Campaign) => (counts === null ? finishedAt : null)),
  state: others
})

/**
 * Values of the column `open` for recipients whose outcome is unknown: not handed to the provider yet, or handed over
 * without a result.
 */
export const waiting = 1
export const inDoubt = 2

const openOf = ({ handedAt, status }: Recipient.Recipient): number | null =>
  status !== "PENDING" ? null : handedAt === null ? waiting : inDoubt

/** `problem` stores the `providerCode`. */
type RecipientState = Pick<Recipient.Recipient, "values" | "tries" | "price" | "carrier"> & {
  readonly problem: string | null
}

export const recipient = rows<Recipient.Recipient>()("recipient", ["environment", "campaignId", "number"], {
  environment: text,
  campaignId: text,
  number: id,
  version: int,
  phone: text,
  open: of(nullable(int), openOf),
  handedAt: nullable(instant),
  status: text,
  providerId: nullable(text),
  state: rest(
    ({ carrier, price, providerCode: problem, tries, values }: Recipient.Recipient): RecipientState => ({
      values,
      tries,
      price,
      problem,
      ...(carrier === undefined ? {} : { carrier })
    }),
    ({ problem, ...state }) => ({ ...state, providerCode: problem })
  )
})
