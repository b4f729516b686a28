import { Identifier } from "@countersign/core"
import type { AuditEntry } from "@countersign/core/storage"
import { noon } from "./fixtures.ts"

/** The merchant that an environment of a test belongs to. */
export const merchantOf = (environment: string): string => `mer_of_${environment}`

/** Something that a key did in an environment. */
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
