import { Layer } from "effect"
import * as MessageSender from "./MessageSender.ts"
import * as ExpirySweep from "./ExpirySweep.ts"
import { Links } from "./Links.ts"
import { NumberVerifications } from "./NumberVerifications.ts"
import { RefusedAddresses } from "./RefusedAddresses.ts"
import { Relays } from "./Relays.ts"
import { SdkSessions } from "./SdkSessions.ts"
import { TryIt } from "./TryIt.ts"
import { TrustedDevices } from "./TrustedDevices.ts"
import { Unlocks } from "./Unlocks.ts"
import { Verifications } from "./Verifications.ts"

/** Verifies people by codes, links and number verifiers, for backends and for apps. */
export const layer = Layer.mergeAll(
  Verifications.layerNoDeps,
  SdkSessions.layerNoDeps,
  Links.layerNoDeps,
  NumberVerifications.layerNoDeps,
  RefusedAddresses.layer,
  Relays.layerNoDeps,
  TryIt.layerNoDeps,
  TrustedDevices.layerNoDeps,
  Unlocks.layerNoDeps,
  MessageSender.layer,
  ExpirySweep.layer
)
