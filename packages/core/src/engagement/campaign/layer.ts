import { Layer } from "effect"
import { CampaignReceipts } from "./CampaignReceipts.ts"
import { Campaigns } from "./Campaigns.ts"
import * as CampaignSender from "./CampaignSender.ts"

/** Campaigns: what people do with them, their sending, and what is reported of their messages. */
export const layer = Layer.merge(Campaigns.layerNoDeps, CampaignSender.layer)

/** What becomes of recipients, for whoever changes them. */
export const recipients = CampaignReceipts.layer
