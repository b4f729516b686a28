import { readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { contract } from "../src/Routes.ts"

type Bound =
  /** It leaves no row behind, or changes one that is there. */
  | "changes"
  /** One thing for each request, such as a login or a note; what is too old is forgotten. */
  | "one a request"
  /** So many there are at most, or so many in an hour: the number stands in this file of core. */
  | { readonly most: number; readonly in: string }

const most = (number: number, file: string): Bound => ({ most: number, in: file })

/** What a merchant, an app or the operator can create, and what bounds it. A new POST needs its line here. */
const bounds: { readonly [path: string]: Bound } = {
  "/v1/auth/initiate": "one a request",
  "/v1/auth/verify": "changes",
  "/v1/auth/login": "changes",
  "/v1/auth/token": "changes",
  "/v1/auth/verify-code": "changes",
  "/v1/sdk/session": "one a request",
  "/v1/sdk/auth/initiate": "one a request",
  "/v1/sdk/auth/verify": "changes",
  "/v1/sdk/auth/truecaller": "one a request",
  "/v1/sdk/attribution/launch": most(600, "attribution/Attribution.ts"),
  "/v1/sdk/attribution/conversion": most(600, "attribution/Attribution.ts"),
  "/v1/dashboard/unlock": "changes",
  "/v1/dashboard/verifications/:requestId/unlock": "changes",
  "/v1/dashboard/balance/top-ups": "one a request",
  "/v1/dashboard/keys": most(100, "merchant/keyRules.ts"),
  "/v1/dashboard/keys/:id/roll": most(4, "merchant/keyRules.ts"),
  "/v1/dashboard/templates": most(300, "template/changeTemplate.ts"),
  "/v1/dashboard/templates/preview": "changes",
  "/v1/dashboard/templates/:id/preview": "changes",
  "/v1/dashboard/templates/:id/submit": "changes",
  "/v1/dashboard/sender-ids": most(200, "template/SenderIds.ts"),
  "/v1/dashboard/campaigns": most(1_000_000, "campaign/checkRoom.ts"),
  "/v1/dashboard/campaigns/:id/pause": "changes",
  "/v1/dashboard/campaigns/:id/resume": "changes",
  "/v1/dashboard/campaigns/:id/cancel": "changes",
  "/v1/dashboard/webhooks": most(50, "webhook/Webhooks.ts"),
  "/v1/dashboard/webhooks/:id/rotate-secret": most(4, "webhook/Webhook.ts"),
  "/v1/dashboard/webhooks/:id/test": "one a request",
  "/v1/dashboard/webhooks/:id/deliveries/:deliveryId/redeliver": "one a request",
  "/v1/dashboard/webhooks/:id/replay": most(1_000, "webhook/WebhookDeliveries.ts"),
  "/v1/whatsapp/leads/:leadId/assign": "changes",
  "/v1/whatsapp/leads/assign": "changes",
  "/v1/whatsapp/leads/:leadId/team": "changes",
  "/v1/whatsapp/leads/team": "changes",
  "/v1/dashboard/leads": "one a request",
  "/v1/dashboard/leads/:id/close": "changes",
  "/v1/dashboard/leads/:id/reopen": "changes",
  "/v1/dashboard/leads/:id/read": "changes",
  "/v1/dashboard/leads/:id/unread": "changes",
  "/v1/dashboard/leads/:id/reply": "one a request",
  "/v1/dashboard/leads/:id/looking": "changes",
  "/v1/dashboard/leads/:id/notes": "one a request",
  "/v1/dashboard/saved-replies": most(1_000, "lead/SavedReplies.ts"),
  "/v1/dashboard/agents": most(1_000, "lead/Agents.ts"),
  "/v1/dashboard/agents/:id/invite": "changes",
  "/v1/dashboard/teams": most(200, "lead/Teams.ts"),
  "/v1/dashboard/sessions": "one a request",
  "/v1/dashboard/sessions/confirm": most(50, "person/Session.ts"),
  "/v1/dashboard/sessions/redeem": most(50, "person/Session.ts"),
  "/v1/dashboard/passkeys/options": "changes",
  "/v1/dashboard/passkeys": most(20, "person/Passkey.ts"),
  "/v1/dashboard/sessions/passkey/options": "changes",
  "/v1/dashboard/sessions/passkey": most(50, "person/Session.ts"),
  "/v1/dashboard/whatsapp/connect": most(100, "number/Numbers.ts"),
  "/v1/dashboard/opt-outs": "one a request",
  "/v1/dashboard/erase": "one a request",
  "/v1/dashboard/example-day": "changes",
  "/v1/dashboard/verifications/:requestId/unmask": "one a request",
  "/v1/dashboard/try": most(60, "verification/Trials.ts"),
  "/v1/dashboard/try/:requestId/verify": "changes",
  "/v1/admin/merchants": "one a request",
  "/v1/admin/merchants/:id/top-ups": "one a request",
  "/v1/admin/merchants/:id/corrections": "one a request",
  "/v1/admin/merchants/:id/suspend": "changes",
  "/v1/admin/merchants/:id/resume": "changes"
}

it("everything that a POST can create has a bound", () => {
  const posts = contract.filter(({ method }) => method === "POST").map(({ path }) => path)
  assert.sameMembers(Object.keys(bounds), posts, "a POST is missing here, or is here and not in the contract")
})

it("every bound is the number that core refuses at", () => {
  for (const [path, bound] of Object.entries(bounds)) {
    if (typeof bound === "string") continue
    const source = readFileSync(new URL(`../../core/src/${bound.in}`, import.meta.url), "utf8")
    const numbers = [...source.matchAll(/const most\w* = ([\d_]+)/g)].map(([, text = ""]) =>
      Number(text.replaceAll("_", ""))
    )
    assert.include(numbers, bound.most, `${path}: no constant of ${bound.in} says ${bound.most}`)
  }
})

it("only these take more than one thing in a request, and each says how many", () => {
  const large = contract.filter(({ largestBody }) => largestBody > 64 * 1024).map(({ path }) => path)
  assert.deepStrictEqual(large, ["/v1/dashboard/campaigns"])
})
