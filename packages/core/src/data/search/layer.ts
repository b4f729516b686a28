import { Layer } from "effect"
import { ChannelStates } from "./ChannelStates.ts"
import { History } from "./History.ts"
import { Leads } from "../../engagement/lead/Leads.ts"
import { Live } from "./Live.ts"
import { RefusedInitiates } from "./RefusedInitiates.ts"

/** Search of verifications and events, their timelines, and the live feed. */
export const layer = Layer.mergeAll(
  ChannelStates.layerNoDeps,
  History.layerNoDeps,
  Live.layerNoDeps.pipe(Layer.provide(Leads.layerNoDeps)),
  RefusedInitiates.layerNoDeps
)
