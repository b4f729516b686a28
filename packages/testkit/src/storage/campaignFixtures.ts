import { Identifier } from "@countersign/core"
import type { Campaign, Recipient } from "@countersign/core/storage"
import { noon } from "./fixtures.ts"
import { freshPhone } from "./leadFixtures.ts"

/** A campaign before its first save. */
export const campaign = (environment: string, fields: Partial<Campaign> = {}): Campaign => ({
  environment,
  id: Identifier.make("cmp", noon),
  version: 0,
  name: "Diwali",
  channel: "WHATSAPP",
  text: { id: "tpl_1", version: 2 },
  status: "RUNNING",
  pausedFor: null,
  problem: null,
  total: 3,
  command: null,
  startAt: noon,
  createdAt: noon,
  finishedAt: null,
  run: 1,
  counts: null,
  ...fields
})

/** A recipient without a message. */
export const recipient = (
  { environment, id }: Pick<Campaign, "environment" | "id">,
  number: number,
  fields: Partial<Recipient.Recipient> = {}
): Recipient.Recipient => ({
  environment,
  campaignId: id,
  number,
  version: 0,
  phone: `+${freshPhone()}`,
  values: ["Asha", "10 %"],
  status: "PENDING",
  handedAt: null,
  tries: 0,
  price: null,
  providerId: null,
  providerCode: null,
  ...fields
})
