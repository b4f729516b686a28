import { Schema } from "effect"
import type { AuditFields, Deed } from "../../foundation/outbox/AuditEntry.ts"
import type { Secrets } from "../../foundation/secret/rotation.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { HookKind } from "./hookKinds.ts"
import type { SignatureFault } from "./HookRequest.ts"

/** The receiver of one sign-in system: it asks there to send the codes that it made. */
export interface Hook extends Secrets {
  readonly id: string
  readonly environment: string
  /** The version this state was read at; 0 before the first save. */
  readonly version: number
  readonly kind: HookKind
  readonly name: string
  readonly createdAt: Instant
}

/** What became of a request: sent, known from an earlier try, refused, failed because of us, or not signed. */
export type HookOutcome = "SENT" | "REPEATED" | "REFUSED" | "FAILED" | "UNSIGNED"

/** One request in the list of a hook. It never has the code, and its recipients are masked. */
export interface HookEntry {
  readonly id: string
  readonly environment: string
  readonly hookId: string
  readonly at: Instant
  /** Whether a secret of the hook signed it. Requests of strangers cannot push the others out of the list. */
  readonly signed: boolean
  readonly outcome: HookOutcome
  /** Masked. Empty when the body could not be read. */
  readonly recipients: ReadonlyArray<string>
  /** The deliveries that it started, or that an earlier try of it started. */
  readonly deliveryIds: ReadonlyArray<string>
  /** What the code is for, in the words of the sign-in system. */
  readonly purpose: string | null
  /** Why it was not sent: the error code of the answer, and its sentence. */
  readonly errorCode: string | null
  readonly problem: string | null
}

/** This environment has no hook with that id. */
export class UnknownHook extends Schema.TaggedError<UnknownHook>()("UnknownHook", {}) {}

/** No secret of the hook signed the request, or its signature is too old. The caller learns no more. */
export class HookUnsigned extends Schema.TaggedError<HookUnsigned>()("HookUnsigned", {}) {}

/** Why a request was not signed, for the list of its hook. */
export const problemOfFault: { readonly [Fault in SignatureFault]: string } = {
  MISSING: "The request has no signature, or its headers have another form",
  OLD: "The signature is more than five minutes old, or the clock of the sign-in system is wrong",
  WRONG: "The request is signed with another secret, or its body was changed on the way"
}

/** The part of a hook that history entries may show: everything except its secrets. */
export const auditFieldsOf = ({ kind, name }: Hook): AuditFields => ({ kind, name })

export const auditActionOf = (action: string, { id }: Hook): Deed => ({ action, target: { kind: "hook", id } })
