import { Layer } from "effect"
import * as CodeSender from "./CodeSender.ts"
import * as ExpirySweep from "./ExpirySweep.ts"
import { RefusedAddresses } from "./RefusedAddresses.ts"
import { SdkSessions } from "./SdkSessions.ts"
import { TrustedDevices } from "./TrustedDevices.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import * as VerificationReceipts from "./VerificationReceipts.ts"
import { Verifications } from "./Verifications.ts"

/** Verifying people, for backends and for apps, with the sending and the end of their codes. */
export const layer = Layer.mergeAll(
  Verifications.layerNoDeps,
  SdkSessions.layerNoDeps,
  RefusedAddresses.layer,
  TrustedDevices.layerNoDeps,
  VerificationReceipts.layer,
  CodeSender.layer,
  ExpirySweep.layer
).pipe(Layer.provide(VerificationCommands.layer))
