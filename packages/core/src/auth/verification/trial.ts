import * as Identity from "../../foundation/identity/Identity.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { type AuditEntry, auditEntry, type Doer } from "../../foundation/outbox/AuditEntry.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Trial, Verification } from "./Verification.ts"

/** The settings that its messages are written by: as they are, but for its own language. */
export const settingsOf = (trial: Trial | undefined, settings: Settings): Settings =>
  trial === undefined || trial.locale === null ? settings : { ...settings, locale: trial.locale }

/**
 * What is live for a trial is sent again for the same trial alone. A customer's login for the same identity lives beside
 * it: neither is ever the other's resend, so nobody can answer a customer's login at the dashboard.
 */
export const loginOf = ({ locale }: Trial): string => (locale === null ? "trial" : `trial.${locale}`)

/** Who sent a message to whom, which costs what every message costs. */
export const triedEntry = (doer: Doer, { channel, id, identity, trial }: Verification, now: Instant): AuditEntry =>
  auditEntry(
    doer,
    {
      action: "verification.tried",
      target: { kind: "verification", id },
      to: { identity: Identity.mask(identity.type, identity.canonical), channel, locale: trial?.locale ?? null }
    },
    now
  )
