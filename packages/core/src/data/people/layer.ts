import { Layer } from "effect"
import { Unlocks } from "../../auth/verification/Unlocks.ts"
import { Leads } from "../../engagement/lead/Leads.ts"
import { History } from "../search/History.ts"
import { People } from "./People.ts"

/** The people of an environment, read from the stores of all capabilities. */
export const layer = People.layerNoDeps.pipe(
  Layer.provide([History.layerNoDeps, Leads.layerNoDeps, Unlocks.layerNoDeps])
)
