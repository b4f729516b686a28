import { Identifier } from "@countersign/core"
import type { AuditEntry } from "@countersign/core/storage"

const day = 86_400_000
/** From yesterday: maintenance deletes entries older than a year, also during a check. */
export const noon = Math.floor(Date.now() / day) * day - day / 2

/** The merchant of a test's environment. */
export const merchantOf = (environment: string): string => `mer_of_${environment}`

/** An action of a key in an environment. */
export const auditEntry = (environment: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: Identifier.make("aud", noon),
  merchantId: merchantOf(environment),
  environment,
  at: noon,
  actor: { kind: "KEY", id: "cs_live_1", label: "billing" },
  address: "192.0.2.7",
  action: "settings.changed",
  target: { kind: "settings", id: environment },
  from: { codeLength: 6 },
  to: { codeLength: 4 },
  ...more
})
