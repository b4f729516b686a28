import { Schema } from "effect"
import type { TrustedDevice } from "../../auth/verification/TrustedDevices.ts"
import type { Path } from "../../auth/verification/Verification.ts"
import type { Lead } from "../../engagement/lead/Lead.ts"
import type { OptOut } from "../../engagement/optOut/OptOutStore.ts"
import type { IdentityType } from "../../foundation/identity/Identity.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** The text is not the reference of a person in this environment. */
export class UnknownPerson extends Schema.TaggedError<UnknownPerson>()("UnknownPerson", {}) {}

/** The wrong codes of a person on one path. */
export interface PathLock {
  readonly path: Path
  /** Consecutive wrong codes that count now. */
  readonly wrongCodes: number
  /** Until when new requests are refused. Null while they are allowed. */
  readonly lockedUntil: Instant | null
}

/** A person's conversation. The name is masked for callers who see masked identities. */
export type PersonLead = Pick<Lead, "id" | "lastMessageAt" | "name" | "status"> & {
  /** Since when an open lead waits for a reply. */
  readonly waitingSince: Instant | null
}

/** A person with what the environment stores about them now, except their verifications and refusals. */
export interface Person {
  readonly reference: string
  /** Masked. */
  readonly identity: string
  readonly identityType: IdentityType
  readonly country: string | null
  readonly locks: ReadonlyArray<PathLock>
  /** Until when the person gets no sign-in links, because of wrong numbers. Null while links are allowed. */
  readonly linksPausedUntil: Instant | null
  /** Most recently used first. */
  readonly devices: ReadonlyArray<TrustedDevice>
  readonly lead: PersonLead | null
  /** An opt-out from campaigns, which are the only messages that a person can opt out of. */
  readonly optOut: Pick<OptOut, "at" | "by"> | null
}

/** How a search found a person: by the whole identity, its last four digits, a request, an order, or a lead's name. */
export const FoundBy = ["IDENTITY", "REQUEST", "ORDER", "ENDING", "NAME"] as const
export type FoundBy = (typeof FoundBy)[number]

/** A person that a search found. */
export interface FoundPerson extends Pick<Person, "identity" | "identityType" | "reference"> {
  readonly by: FoundBy
  /** The name of their lead, masked like that of a person. */
  readonly name: string | null
  readonly leadId: number | null
  /** The verification that matches, or the newest one. */
  readonly requestId: string | null
}
