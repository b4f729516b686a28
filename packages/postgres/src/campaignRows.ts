import type { Campaign, Recipient } from "@countersign/core/storage"
import type { Row } from "./PgDatabase.ts"

type CampaignState = Omit<Campaign, "environment" | "id" | "version">

export const campaignColumns = (c: string) => `${c}.environment, ${c}.id, ${c}.version, ${c}.state`

export const encodeCampaign = ({ environment: _e, id: _i, version: _v, ...state }: Campaign): string =>
  JSON.stringify(state satisfies CampaignState)

export const campaignOf = (row: Row, from = 0): Campaign => ({
  environment: row[from] as string,
  id: row[from + 1] as string,
  version: row[from + 2] as number,
  ...(JSON.parse(row[from + 3] as string) as CampaignState)
})

/** `problem` is the `providerCode`. */
type RecipientState = Pick<Recipient.Recipient, "values" | "tries" | "price"> & { readonly problem: string | null }

export const recipientColumns = (r: string) =>
  ["environment", "campaign_id", "number", "version", "phone", "handed_at", "status", "provider_id", "state"]
    .map((name) => `${r}.${name}`)
    .join(", ")

export const encodeRecipient = ({ price, providerCode, tries, values }: Recipient.Recipient): string =>
  JSON.stringify({ values, tries, price, problem: providerCode } satisfies RecipientState)

export const recipientOf = (row: Row, from = 0): Recipient.Recipient => {
  const { problem, ...state } = JSON.parse(row[from + 8] as string) as RecipientState
  return {
    environment: row[from] as string,
    campaignId: row[from + 1] as string,
    number: row[from + 2] as number,
    version: row[from + 3] as number,
    phone: row[from + 4] as string,
    handedAt: (row[from + 5] as Date | null)?.getTime() ?? null,
    status: row[from + 6] as Recipient.Recipient["status"],
    providerId: row[from + 7] as string | null,
    ...state,
    providerCode: problem
  }
}

const waiting = 1
const inDoubt = 2

/** What the column `open` says of those whose message is not known to have gone, nor not to. */
export const openOf = ({ handedAt, status }: Recipient.Recipient): number | null =>
  status !== "PENDING" ? null : handedAt === null ? waiting : inDoubt
