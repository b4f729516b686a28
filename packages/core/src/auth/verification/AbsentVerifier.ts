import { Effect, type Schema } from "effect"
import { ChannelError, Unavailable } from "../../foundation/delivery/ChannelError.ts"
import type { NumberVerifier } from "../../foundation/delivery/NumberVerifier.ts"
import { FirebaseProof, firebaseRefusal } from "./firebaseProof.ts"
import { OpenedProof } from "./openedProof.ts"
import { TruecallerProof, truecallerRefusal } from "./truecallerProof.ts"

const reason = new Unavailable({ providerCode: "not_configured", retryAfterSeconds: 60 })

const fail = (channel: string) => Effect.fail(new ChannelError({ channel, reason }))

const absent = <Payload>(
  name: string,
  payload: Schema.Decoder<Payload>,
  refusal?: string
): NumberVerifier<Payload> => ({
  name,
  provider: "none",
  payload,
  ...(refusal === undefined ? {} : { refusal }),
  verify: () => fail(name)
})

const absentWithStart = <Payload>(name: string, payload: Schema.Decoder<Payload>): NumberVerifier<Payload> => ({
  ...absent(name, payload),
  start: () => fail(name)
})

/**
 * Stand in for verifiers in a process where they are not configured, and always answer that they are unavailable.
 * Another process may have started the login with the verifier configured, and test environments use them without.
 */
export const all: ReadonlyArray<NumberVerifier> = [
  absent("TRUECALLER", TruecallerProof, truecallerRefusal),
  absent("FIREBASE", FirebaseProof, firebaseRefusal),
  absentWithStart("TWILIO_SNA", OpenedProof),
  absentWithStart("CAMARA", OpenedProof)
]
