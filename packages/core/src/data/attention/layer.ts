import { Layer } from "effect"
import { Billing } from "../../account/billing/Billing.ts"
import { Leads } from "../../engagement/lead/Leads.ts"
import { ChannelStates } from "../search/ChannelStates.ts"
import { Attentions } from "./Attentions.ts"

/** What needs a person, read from the stores of all capabilities. */
export const layer = Attentions.layerNoDeps.pipe(
  Layer.provide([Billing.layer, ChannelStates.layerNoDeps, Leads.layerNoDeps])
)
