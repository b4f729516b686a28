import { Layer } from "effect"
import { CampaignReceipts } from "./CampaignReceipts.ts"
import { Campaigns } from "./Campaigns.ts"
import * as CampaignSender from "./CampaignSender.ts"

/** Campaigns: managing them, sending them, and recording their receipts. */
export const layer = Layer.merge(Campaigns.layerNoDeps, CampaignSender.layer)

/** The recording of recipients' outcomes, for modules that change recipients. */
export const recipients = CampaignReceipts.layer
