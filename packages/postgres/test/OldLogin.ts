import { type Caller, Core, defaultSettings, Verification } from "@countersign/core"
import type { Channel } from "@countersign/core/channel"
import { Subject } from "@countersign/core/storage"
import { Effect, Redacted } from "effect"

export const environment = "env_1"
export const caller: Caller = {
  environment,
  kind: "live",
  merchantId: "mer_1",
  credentialId: "cs_1",
  audience: "cs_1",
  scopes: ["auth"],
  settings: { ...defaultSettings, fallbackChannel: null },
  person: null,
  actor: { kind: "KEY", id: "cs_1", label: null },
  address: null
}

const silent: Channel = {
  name: "SMS",
  provider: "silent",
  supports: { identityTypes: ["MOBILE"], receipts: true },
  send: () => Effect.succeed({ providerId: null })
}

export const secret = "a1".repeat(32)

export const core = Core.layer({
  secret: Redacted.make(secret),
  publicUrl: "https://verify.example.com",
  channels: [silent]
})

/** A text of JSON without some of its names, at any depth. */
const without = (text: string, ...names: ReadonlyArray<string>): string =>
  JSON.stringify(JSON.parse(text, (name, value: unknown) => (names.includes(name) ? undefined : value)))

/** What the first version wrote of a person with one code on the way. */
export const asOfOld = (subject: Subject.Subject, verification: Verification.Verification) => ({
  verification: without(Verification.encode(verification), "expiryAnnounced"),
  subject: without(Subject.encode(subject), "devices", "command")
})

/** A code on its way to a person of that number. */
export const codeFor = (keyId: string, index: number, expiresAt: number): Verification.Verification => ({
  id: `ver_${"0".repeat(22)}${String(index).padStart(4, "0")}`,
  environment,
  identity: {
    type: "MOBILE",
    spelling: `+9198765${10_000 + index}`,
    canonical: `9198765${10_000 + index}`,
    countryCode: "91",
    nationalNumber: `98765${10_000 + index}`
  },
  mode: "OTP",
  path: "SERVER",
  channel: "SMS",
  orderId: null,
  status: "PENDING",
  method: null,
  codeLength: 6,
  keyId,
  attempts: 0,
  maxAttempts: 3,
  resends: 0,
  createdAt: expiresAt - 300_000,
  sentAt: expiresAt - 300_000,
  expiresAt,
  endsAt: expiresAt + 1_500_000,
  verifiedAt: null,
  expiryAnnounced: false,
  undeliverable: false,
  deliveries: [],
  fallback: null,
  deviceInfo: null
})
