import { Effect } from "effect"
import * as admin from "./admin/handlers.ts"
import * as agents from "./agents/handlers.ts"
import * as attribution from "./attribution/handlers.ts"
import * as audit from "./audit/handlers.ts"
import * as auth from "./auth/handlers.ts"
import type { Api } from "./Api.ts"
import * as billing from "./billing/handlers.ts"
import * as campaigns from "./campaigns/handlers.ts"
import * as channels from "./channels/handlers.ts"
import * as dashboard from "./dashboard/handlers.ts"
import * as deliveries from "./deliveries/handlers.ts"
import * as erasure from "./erasure/handlers.ts"
import * as example from "./example/handlers.ts"
import type { AllHandlers } from "./Handlers.ts"
import * as hooks from "./hooks/handlers.ts"
import * as inbox from "./inbox/handlers.ts"
import * as keys from "./keys/handlers.ts"
import * as leads from "./leads/handlers.ts"
import * as numbers from "./numbers/handlers.ts"
import * as optOuts from "./optOuts/handlers.ts"
import * as passkeys from "./passkeys/handlers.ts"
import * as protection from "./protection/handlers.ts"
import * as sdk from "./sdk/handlers.ts"
import * as sessions from "./sessions/handlers.ts"
import * as stats from "./stats/handlers.ts"
import * as system from "./system/handlers.ts"
import * as templates from "./templates/handlers.ts"
import * as trials from "./trials/handlers.ts"
import * as verifications from "./verifications/handlers.ts"
import * as webhooks from "./webhooks/handlers.ts"
import type { Failure } from "./wire.ts"

/** The handlers of all endpoints. A missing group is a compile error. */
export const make = Effect.gen(function* () {
  const handlers: AllHandlers<typeof Api, Failure> = {
    auth: yield* auth.make,
    deliveries: yield* deliveries.make,
    sdk: yield* sdk.make,
    attribution: yield* attribution.make,
    billing: yield* billing.make,
    ...(yield* dashboard.make),
    keys: yield* keys.make,
    ...(yield* templates.make),
    campaigns: yield* campaigns.make,
    webhooks: yield* webhooks.make,
    hooks: yield* hooks.make,
    leads: yield* leads.make,
    ...(yield* inbox.make),
    ...(yield* agents.make),
    sessions: yield* sessions.make,
    passkeys: yield* passkeys.make,
    numbers: yield* numbers.make,
    optOuts: yield* optOuts.make,
    identities: yield* erasure.make,
    exampleDay: yield* example.make,
    audit: yield* audit.make,
    verifications: yield* verifications.make,
    protection: yield* protection.make,
    trials: yield* trials.make,
    channels: yield* channels.make,
    admin: yield* admin.make,
    statistics: yield* stats.make,
    system: yield* system.make
  }
  return handlers
})
