import { readFileSync } from "node:fs"
import { Result } from "effect"
import { assert, it } from "vitest"
import { contract } from "../src/Routes.ts"

type Bound =
  /** Creates no row, or changes an existing one. */
  | "changes"
  /** One row per request, such as a login or a note; old rows are deleted. */
  | "one a request"
  /** The maximum in total or per hour, defined in this file of core. */
  | { readonly most: number; readonly in: string }

const most = (number: number, file: string): Bound => ({ most: number, in: file })

/** What merchants, apps and the operator can create, and its limit. A new POST needs a row here. */
const bounds: { readonly [path: string]: Bound } = {
  "/v1/auth/initiate": "one a request",
  "/v1/auth/verify": "changes",
  "/v1/auth/login": "changes",
  "/v1/auth/token": "changes",
  "/v1/auth/verify-code": "changes",
  "/v1/sdk/session": "one a request",
  "/v1/deliveries": "one a request",
  "/v1/sdk/auth/initiate": "one a request",
  "/v1/sdk/auth/verify": "changes",
  "/v1/sdk/auth/truecaller": "one a request",
  "/v1/sdk/auth/verify-number/:verifier": "one a request",
  "/v1/sdk/auth/verify-number/:verifier/start": "one a request",
  "/v1/sdk/attribution/launch": most(600, "engagement/attribution/Attribution.ts"),
  "/v1/sdk/attribution/conversion": most(600, "engagement/attribution/Attribution.ts"),
  "/v1/dashboard/unlock": "changes",
  "/v1/dashboard/people/:person/unlock": "changes",
  "/v1/dashboard/verifications/:requestId/unlock": "changes",
  "/v1/dashboard/balance/top-ups": "one a request",
  "/v1/dashboard/keys": most(100, "account/merchant/keyRules.ts"),
  "/v1/dashboard/keys/:id/roll": most(4, "account/merchant/keyRules.ts"),
  "/v1/dashboard/templates": most(300, "message/template/changeTemplate.ts"),
  "/v1/dashboard/templates/preview": "changes",
  "/v1/dashboard/templates/:id/preview": "changes",
  "/v1/dashboard/templates/:id/submit": "changes",
  "/v1/dashboard/sender-ids": most(200, "message/template/SenderIds.ts"),
  "/v1/dashboard/campaigns": most(1_000_000, "engagement/campaign/checkRoom.ts"),
  "/v1/dashboard/campaigns/:id/pause": "changes",
  "/v1/dashboard/campaigns/:id/resume": "changes",
  "/v1/dashboard/campaigns/:id/cancel": "changes",
  "/v1/dashboard/webhooks": most(50, "account/webhook/Webhooks.ts"),
  "/v1/dashboard/webhooks/:id/rotate-secret": most(4, "foundation/secret/rotation.ts"),
  "/v1/dashboard/hooks": most(50, "auth/hook/Hooks.ts"),
  "/v1/dashboard/hooks/:id/rotate-secret": most(4, "foundation/secret/rotation.ts"),
  "/v1/dashboard/webhooks/:id/test": "one a request",
  "/v1/dashboard/webhooks/:id/deliveries/:deliveryId/redeliver": "one a request",
  "/v1/dashboard/webhooks/:id/events/:eventId/retry": "one a request",
  "/v1/dashboard/webhooks/:id/retry": "changes",
  "/v1/dashboard/webhooks/:id/replay": most(1_000, "account/webhook/WebhookDeliveries.ts"),
  "/v1/whatsapp/leads/:leadId/assign": "changes",
  "/v1/whatsapp/leads/assign": "changes",
  "/v1/whatsapp/leads/:leadId/team": "changes",
  "/v1/whatsapp/leads/team": "changes",
  "/v1/dashboard/leads": "one a request",
  "/v1/dashboard/leads/bulk": most(100, "engagement/lead/inBulk.ts"),
  "/v1/dashboard/leads/:id/close": "changes",
  "/v1/dashboard/leads/:id/reopen": "changes",
  "/v1/dashboard/leads/:id/read": "changes",
  "/v1/dashboard/leads/:id/unread": "changes",
  "/v1/dashboard/leads/:id/answered": "changes",
  "/v1/dashboard/leads/:id/unanswered": "changes",
  "/v1/dashboard/leads/:id/snooze": "changes",
  "/v1/dashboard/leads/:id/unsnooze": "changes",
  "/v1/dashboard/leads/:id/reply": "one a request",
  "/v1/dashboard/leads/:id/media": "changes",
  "/v1/dashboard/leads/:id/looking": "changes",
  "/v1/dashboard/leads/:id/notes": "one a request",
  "/v1/dashboard/leads/:id/labels": "changes",
  "/v1/dashboard/labels": most(50, "engagement/lead/Label.ts"),
  "/v1/dashboard/saved-replies": most(1_000, "engagement/lead/SavedReplies.ts"),
  "/v1/dashboard/agents": most(1_000, "engagement/lead/Agents.ts"),
  "/v1/dashboard/agents/:id/invite": "changes",
  "/v1/dashboard/teams": most(200, "engagement/lead/Teams.ts"),
  "/v1/dashboard/sessions": "one a request",
  "/v1/dashboard/me/devices": most(10, "auth/staff/deviceRules.ts"),
  "/v1/dashboard/sessions/confirm": most(50, "auth/staff/Session.ts"),
  "/v1/dashboard/sessions/redeem": most(50, "auth/staff/Session.ts"),
  "/v1/dashboard/passkeys/options": "changes",
  "/v1/dashboard/passkeys": most(20, "auth/staff/Passkey.ts"),
  "/v1/dashboard/sessions/passkey/options": "changes",
  "/v1/dashboard/sessions/passkey": most(50, "auth/staff/Session.ts"),
  "/v1/dashboard/whatsapp/connect": most(100, "account/number/Numbers.ts"),
  "/v1/dashboard/opt-outs": "one a request",
  "/v1/dashboard/erase": "one a request",
  "/v1/dashboard/example-day": "changes",
  "/v1/dashboard/verifications/:requestId/unmask": "one a request",
  "/v1/dashboard/protection/reasons/:reason/enforce": "changes",
  "/v1/dashboard/protection/reasons/:reason/undo": "changes",
  "/v1/dashboard/protection/trips/:reason/:place/let-through": "changes",
  "/v1/dashboard/try": most(60, "auth/verification/TryIt.ts"),
  "/v1/dashboard/try/:requestId/verify": "changes",
  "/v1/admin/merchants": "one a request",
  "/v1/admin/merchants/:id/top-ups": "one a request",
  "/v1/admin/merchants/:id/corrections": "one a request",
  "/v1/admin/merchants/:id/suspend": "changes",
  "/v1/admin/merchants/:id/resume": "changes"
}

it("everything that a POST can create has a limit", () => {
  const posts = contract.filter(({ method }) => method === "POST").map(({ path }) => path)
  assert.sameMembers(Object.keys(bounds), posts, "a POST is missing here, or is here and not in the contract")
})

it("every limit listed here is the limit that core enforces", () => {
  for (const [path, bound] of Object.entries(bounds)) {
    if (typeof bound === "string") continue
    const source = readFileSync(new URL(`../../core/src/${bound.in}`, import.meta.url), "utf8")
    const numbers = [...source.matchAll(/const most\w* = ([\d_]+)/g)].map(([, text = ""]) =>
      Number(text.replaceAll("_", ""))
    )
    assert.include(numbers, bound.most, `${path}: no constant of ${bound.in} says ${bound.most}`)
  }
})

type Read =
  /** One record by its key, and its parts. */
  | "one"
  /** At most as many rows as `limit` or `size` allows, within its own maximum. */
  | "page"
  /** Sums over a time range: one value per point. */
  | "sums"
  /** A page that reads at most this many rows of this kind, or a body that is read while it is sent. */
  | { readonly reads: string }
  /** All records: what this POST creates is limited. */
  | { readonly all: string }

/** The maximum cost of each read by a merchant. A new GET needs a row here. */
const reads: { readonly [path: string]: Read } = {
  "/v1/auth/status": "one",
  "/v1/deliveries/:id": "one",
  "/v1/sdk/auth/status": "one",
  "/v1/dashboard/attribution": "sums",
  "/v1/dashboard/settings": "one",
  "/v1/dashboard/events": "page",
  "/v1/dashboard/devices": "one",
  "/v1/dashboard/balance": "one",
  "/v1/dashboard/statement": { reads: "entries of the month, and of an hour before and after it" },
  "/v1/dashboard/ledger": { reads: "entries of the span, and of an hour before and after it" },
  "/v1/dashboard/keys": { all: "/v1/dashboard/keys" },
  "/v1/dashboard/templates": "page",
  "/v1/dashboard/templates/:id": "one",
  "/v1/dashboard/sender-ids": { all: "/v1/dashboard/sender-ids" },
  "/v1/dashboard/campaigns": "page",
  "/v1/dashboard/campaigns/:id": "one",
  "/v1/dashboard/campaigns/:id/recipients": { reads: "recipients of one campaign, until as many as have the status" },
  "/v1/dashboard/webhooks": { all: "/v1/dashboard/webhooks" },
  "/v1/dashboard/hooks": { all: "/v1/dashboard/hooks" },
  "/v1/dashboard/hooks/:id/requests": "page",
  "/v1/dashboard/webhooks/:id": "one",
  "/v1/dashboard/webhooks/:id/deliveries": "page",
  "/v1/dashboard/webhooks/:id/deliveries/:deliveryId": "one",
  "/v1/dashboard/webhooks/:id/events": { reads: "tried events, 2,000 at most" },
  "/v1/dashboard/webhooks/:id/backlog": { reads: "the last 200 failed tries, and jobs of one lane, 10,000 at most" },
  "/v1/dashboard/webhooks/:id/replay": { reads: "events, five pages at most" },
  "/v1/whatsapp/leads": "page",
  "/v1/whatsapp/leads/agents": { all: "/v1/dashboard/agents" },
  "/v1/whatsapp/leads/teams": { all: "/v1/dashboard/teams" },
  "/v1/dashboard/leads": "page",
  "/v1/dashboard/leads/waiting": "one",
  "/v1/dashboard/assignees": { all: "/v1/dashboard/agents" },
  "/v1/dashboard/leads/:id": "one",
  "/v1/dashboard/leads/:id/messages": "page",
  "/v1/dashboard/leads/:id/messages/:mid/media": "one",
  "/v1/dashboard/leads/:id/history": "page",
  "/v1/dashboard/labels": { all: "/v1/dashboard/labels" },
  "/v1/dashboard/saved-replies": { all: "/v1/dashboard/saved-replies" },
  "/v1/dashboard/agents": { all: "/v1/dashboard/agents" },
  "/v1/dashboard/agents/:id": "one",
  "/v1/dashboard/agents/:id/credentials": { all: "/v1/dashboard/passkeys" },
  "/v1/dashboard/teams": { all: "/v1/dashboard/teams" },
  "/v1/dashboard/teams/:id": "one",
  "/v1/dashboard/sign-in": "one",
  "/v1/dashboard/sessions": { all: "/v1/dashboard/sessions/confirm" },
  "/v1/dashboard/me": "one",
  "/v1/dashboard/me/devices": { all: "/v1/dashboard/me/devices" },
  "/v1/dashboard/passkeys": { all: "/v1/dashboard/passkeys" },
  "/v1/dashboard/whatsapp/numbers": { all: "/v1/dashboard/whatsapp/connect" },
  "/v1/dashboard/opt-outs": "page",
  "/v1/dashboard/protection": "sums",
  "/v1/dashboard/erasures/:id": "one",
  "/v1/dashboard/export": { reads: "all of one person, as the body goes out" },
  "/v1/dashboard/example-day": "one",
  "/v1/dashboard/audit": "page",
  "/v1/dashboard/settings/history": "page",
  "/v1/dashboard/people": { reads: "people, ten at most for each way to find them" },
  "/v1/dashboard/people/:person": "one",
  "/v1/dashboard/verifications": { reads: "verifications, 5,000 at most" },
  "/v1/dashboard/verifications/:requestId": "one",
  "/v1/dashboard/verifications/:requestId/timeline": { reads: "events, ten pages at most" },
  "/v1/dashboard/verifications/:requestId/messages": "one",
  "/v1/dashboard/verifications/:requestId/lock": "one",
  "/v1/dashboard/refusals": "page",
  "/v1/dashboard/live": { reads: "what was just committed, 200 at a time, as the body goes out" },
  "/v1/dashboard/channels": { reads: "waiting jobs of each channel, 1,000 at most" },
  "/v1/dashboard/stats/series": "sums",
  "/v1/dashboard/stats/funnel": "sums",
  "/v1/dashboard/stats/latency": "sums",
  "/v1/dashboard/stats/spend": "sums",
  "/v1/dashboard/stats/refusals": "sums",
  "/v1/dashboard/attention": {
    reads: "sums of five windows, 50 conversations, 200 verifications, and jobs of channels"
  }
}

const gets = contract.filter(
  ({ method, path }) => method === "GET" && path.startsWith("/v1/") && !path.startsWith("/v1/admin/")
)

it("every read by a merchant has a limit", () => {
  const paths = gets.map(({ path }) => path)
  assert.sameMembers(Object.keys(reads), paths, "a GET is missing here, or is here and not in the contract")
  for (const [path, bound] of Object.entries(reads)) {
    if (typeof bound === "object" && "all" in bound)
      assert.isObject(bounds[bound.all], `${path}: ${bound.all} has none`)
  }
})

it("every page declares its maximum length", () => {
  const pages = gets.filter(({ path }) => reads[path] === "page")
  for (const { path, query } of pages) {
    const refused =
      query === undefined ? [] : ["limit", "size"].filter((name) => Result.isFailure(query({ [name]: "201" })))
    assert.isNotEmpty(refused, `${path} takes a page of 201`)
  }
})

it("every read beyond the caller's own session takes a place of its environment", () => {
  const without = gets.filter(({ path, takesPlace }) => !takesPlace && reads[path] !== "one").map(({ path }) => path)
  assert.deepStrictEqual(without, ["/v1/dashboard/sessions", "/v1/dashboard/me/devices", "/v1/dashboard/passkeys"])
})

it("only these endpoints accept several items in a request, and each declares its maximum", () => {
  const large = contract.filter(({ largestBody }) => largestBody > 64 * 1024).map(({ path }) => path)
  assert.deepStrictEqual(large, ["/v1/dashboard/campaigns", "/v1/dashboard/leads/:id/media"])
})
