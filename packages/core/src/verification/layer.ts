import { Layer } from "effect"
import * as MessageSender from "./MessageSender.ts"
import * as ExpirySweep from "./ExpirySweep.ts"
import { RefusedAddresses } from "./RefusedAddresses.ts"
import { SdkSessions } from "./SdkSessions.ts"
import { Trials } from "./Trials.ts"
import { TrustedDevices } from "./TrustedDevices.ts"
import { Unlocks } from "./Unlocks.ts"
import { Verifications } from "./Verifications.ts"

/** Verifying people, for backends and for apps, with the sending and the end of their codes. */
export const layer = Layer.mergeAll(
  Verifications.layerNoDeps,
  SdkSessions.layerNoDeps,
  RefusedAddresses.layer,
  Trials.layerNoDeps,
  TrustedDevices.layerNoDeps,
  Unlocks.layerNoDeps,
  MessageSender.layer,
  ExpirySweep.layer
)
