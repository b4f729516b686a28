import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import type { Identity } from "../../foundation/identity/Identity.ts"
import type { Keyring, MasterKey } from "../../foundation/secret/Keyring.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { empty, isKeptName, keptMark, type Subject } from "./Subject.ts"
import type { VerificationStore } from "./VerificationStore.ts"

type Store = Pick<VerificationStore["Service"], "subject">

const hashOf = (key: MasterKey, environment: string, text: string) =>
  `${keptMark}${bytesToHex(key.mac("erased-limits", `${environment}\n${text}`))}`

/** Returns the name under which an erased person's limits are kept: a keyed hash. */
export const keptNameOf = (key: MasterKey, environment: string, canonical: string): string =>
  hashOf(key, environment, `identity\n${canonical}`)

const keptSpellingOf = (key: MasterKey, environment: string, spelling: string) =>
  hashOf(key, environment, `spelling\n${spelling}`)

/** Returns the limits to keep for an erased person: only the instants that count, under hashes. */
export const keptOf = (key: MasterKey, subject: Subject): Subject => {
  const { canonical, codes, environment, guesses, sdkMessages, version, wrongNumbers } = subject
  return {
    ...empty(environment, keptNameOf(key, environment, canonical)),
    version,
    codes: codes.map((log) => ({
      ...log,
      spelling: isKeptName(log.spelling) ? log.spelling : keptSpellingOf(key, environment, log.spelling)
    })),
    guesses,
    devices: { trusted: [], revokedAt: subject.devices.revokedAt },
    ...(sdkMessages === undefined ? {} : { sdkMessages }),
    ...(wrongNumbers === undefined ? {} : { wrongNumbers })
  }
}

/** Restores the spelling on the kept codes of an erased person, so that they count for it again. */
const spelledAgain = ({ all }: Keyring["Service"], subject: Subject, spelling: string): Subject => {
  if (!subject.codes.some((log) => isKeptName(log.spelling))) return subject
  const names = new Set(all.map((key) => keptSpellingOf(key, subject.environment, spelling)))
  return { ...subject, codes: subject.codes.map((log) => (names.has(log.spelling) ? { ...log, spelling } : log)) }
}

/**
 * Returns a person's state. A person without one gets the limits kept since their erasure, under the hashed name. It
 * needs a further lookup only if storage keeps such limits in that environment.
 */
export const findLimits = (
  store: Store,
  keyring: Keyring["Service"],
  environment: string,
  canonical: string
): Effect.Effect<Subject, StoreError> =>
  Effect.flatMap(store.subject(environment, canonical), (subject) =>
    subject.mayBeErased !== true
      ? Effect.succeed(subject)
      : Effect.map(
          Effect.forEach(keyring.all, (key) => store.subject(environment, keptNameOf(key, environment, canonical))),
          (kept) => kept.find(({ version }) => version > 0) ?? empty(environment, canonical)
        )
  )

/**
 * Returns a person's state for a login. Limits survive an erasure, so a person who returns within the hour continues at
 * the same counts. Their new row begins above the version of the old one, so a decision based on the old row can never
 * commit.
 */
export const forLogin = (
  store: Store,
  keyring: Keyring["Service"],
  environment: string,
  { canonical, spelling }: Pick<Identity, "canonical" | "spelling">
): Effect.Effect<Subject, StoreError> =>
  Effect.map(findLimits(store, keyring, environment, canonical), (found) =>
    spelledAgain(
      keyring,
      found.canonical === canonical ? found : { ...found, canonical, version: -found.version },
      spelling
    )
  )
