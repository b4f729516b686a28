import * as Identity from "../../foundation/identity/Identity.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { type AuditEntry, auditEntry, type Doer } from "../../foundation/outbox/AuditEntry.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Flow, Trial, Verification } from "./Verification.ts"

/** The settings for messages, with the language that a trial or a relayed code has of its own. */
export const settingsOf = (flow: Flow, trial: Trial | undefined, settings: Settings): Settings => {
  const locale = flow.kind === "Relayed" ? flow.locale : (trial?.locale ?? null)
  return locale === null ? settings : { ...settings, locale }
}

/**
 * A live trial is sent again only for the same trial. A customer's login for the same identity is separate: neither is
 * a resend of the other. So the dashboard cannot answer a customer's login.
 */
export const loginOf = ({ locale }: Trial): string => (locale === null ? "trial" : `trial.${locale}`)

/** Records who sent a message to whom, because a trial costs as much as any message. */
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
