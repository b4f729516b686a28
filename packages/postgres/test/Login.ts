import { Core } from "@countersign/core"
import type { Channel } from "@countersign/core/channel"
import { Effect, Redacted } from "effect"

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
