import { Effect, Redacted } from "effect"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import type { RelayedVerification, Verification } from "./Verification.ts"

const purpose = "relayed-code"

/** The record that holds a code: a seal copied to another record does not open. */
const ownerOf = ({ environment, id }: Pick<Verification, "environment" | "id">): string => `${environment}/${id}`

/** Encrypts a code for its record. */
export const sealCode = (
  keyring: Keyring["Service"],
  code: Redacted.Redacted,
  record: Pick<Verification, "environment" | "id">
): Effect.Effect<string> => Seal.seal(keyring, purpose, Redacted.value(code), ownerOf(record))

/**
 * Opens a code to send it. Null when it was dropped, when its master secret was removed from the keyring, or when the
 * stored text was altered.
 */
export const openCode = (
  keyring: Keyring["Service"],
  verification: RelayedVerification
): Effect.Effect<Redacted.Redacted | null> =>
  verification.sealedCode === null
    ? Effect.succeed(null)
    : Effect.orElseSucceed(
        Effect.map(Seal.open(keyring, purpose, verification.sealedCode, ownerOf(verification)), (code) =>
          Redacted.make(code)
        ),
        () => null
      )

/** The number of hexadecimal digits of a mark: 128 bits. */
const markLength = 32

/**
 * Keyed hashes of an idempotency key, one for each master secret, the current one first. The key itself is not stored,
 * because the caller may have made it from a body that holds the code.
 */
export const marksOf = (
  keyring: Keyring["Service"],
  environment: string,
  idempotencyKey: string | null
): ReadonlyArray<string> =>
  idempotencyKey === null
    ? []
    : keyring.all.map((key) =>
        bytesToHex(key.mac("relayed-request", `${environment}\n${idempotencyKey}`)).slice(0, markLength)
      )
