import { Layer } from "effect"
import { Agents } from "./Agents.ts"
import { Devices } from "./Devices.ts"
import * as Digests from "./Digests.ts"
import { Labels } from "./Labels.ts"
import { Leads } from "./Leads.ts"
import { Presences } from "./Presences.ts"
import * as Pushes from "./Pushes.ts"
import * as Replies from "./Replies.ts"
import { SavedReplies } from "./SavedReplies.ts"
import { Teams } from "./Teams.ts"

/** The inbox: conversations with customers, the agents and teams who share them, and the sending of replies. */
export const layer = Layer.mergeAll(
  Leads.layerNoDeps,
  Agents.layerNoDeps,
  Teams.layerNoDeps,
  SavedReplies.layerNoDeps,
  Labels.layerNoDeps,
  Presences.layerNoDeps.pipe(Layer.provide(Leads.layerNoDeps)),
  Replies.layer,
  Digests.layer,
  Devices.layerNoDeps,
  Pushes.layer
)
