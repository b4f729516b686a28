import type { Role } from "@countersign/core"

/** Who may call an endpoint, in the words of its documentation. */
export type Who =
  | "public"
  | "auth key"
  | "public key"
  | "public key and launch token"
  | "session token"
  | "operator"
  | "page"
  | { readonly person: "signed in" | "signed in just now" }
  | {
      readonly role: Role
      readonly fresh: boolean
      readonly scope: "leads" | "dashboard"
      readonly of: "environment" | "merchant"
      /** Whether a key with the scope may call it too. */
      readonly keys: boolean
    }

const staff = (role: Role, more: Partial<Exclude<Who, string | { readonly person: unknown }>> = {}): Who => ({
  role,
  fresh: false,
  scope: "dashboard",
  of: "environment",
  keys: true,
  ...more
})
const signedIn: Who = { person: "signed in" }
const ofMerchant = { of: "merchant" } as const
const leads = { scope: "leads" } as const
const fresh = { fresh: true } as const

/**
 * Written by hand from the documentation, never derived from the contract, so that a test can find a mistake in the
 * contract. The first matching line counts. An endpoint without a line fails the test: add a line that says who may
 * call it.
 */
const promised: ReadonlyArray<readonly [endpoint: RegExp, who: Who]> = [
  [/^\w+ \/v1\/auth\//, "auth key"],
  [/^\w+ \/v1\/deliveries(\/:id)?$/, "auth key"],
  [/^POST \/v1\/sdk\/session$/, "auth key"],
  [/^POST \/v1\/sdk\/auth\/(initiate|truecaller|verify-number\/:verifier(\/start)?)$/, "public key"],
  [/^POST \/v1\/sdk\/attribution\//, "public key"],
  [/^DELETE \/v1\/sdk\/attribution\/launch\/:id$/, "public key and launch token"],
  [/^(POST \/v1\/sdk\/auth\/verify|GET \/v1\/sdk\/auth\/status)$/, "session token"],
  [/^\w+ \/v1\/admin\//, "operator"],
  [/^GET \/(healthz|readyz|\.well-known\/jwks\.json)$/, "public"],

  // Sign-in, and the person's own sessions and passkeys.
  [/^GET \/v1\/dashboard\/sign-in$/, "public"],
  [/^POST \/v1\/dashboard\/sessions(\/(confirm|redeem|passkey|passkey\/options))?$/, "page"],
  [/^GET \/v1\/dashboard\/(me|sessions|passkeys)$/, signedIn],
  [/^(PATCH|DELETE) \/v1\/dashboard\/sessions\//, signedIn],
  [/^PATCH \/v1\/dashboard\/me$/, signedIn],
  [/^\w+ \/v1\/dashboard\/me\/devices/, signedIn],
  [/^\w+ \/v1\/dashboard\/passkeys/, { person: "signed in just now" }],

  // VIEWER reads; AGENT also works on leads.
  [/^GET \/v1\/whatsapp\/leads/, staff("VIEWER", leads)],
  [/^POST \/v1\/whatsapp\/leads\//, staff("AGENT", leads)],
  [/^GET \/v1\/dashboard\/assignees$/, staff("VIEWER")],
  [/^GET \/v1\/dashboard\/leads\/:id\/messages\/:mid\/media$/, staff("AGENT")],
  [/^POST \/v1\/dashboard\/leads\/:id\/(looking|media)$/, staff("AGENT", { keys: false })],
  [/^POST \/v1\/dashboard\/leads/, staff("AGENT")],
  [/^(POST|PATCH|DELETE) \/v1\/dashboard\/saved-replies/, staff("AGENT")],
  [/^(POST|PATCH|DELETE) \/v1\/dashboard\/labels/, staff("ADMIN")],
  [/^POST \/v1\/dashboard\/opt-outs$/, staff("AGENT")],
  [/^POST \/v1\/dashboard\/(people\/:person|verifications\/:requestId)\/unlock$/, staff("AGENT")],

  // ADMIN changes settings, templates, webhooks, campaigns, and agents up to ADMIN.
  [/^GET \/v1\/dashboard\/agents\/:id\/credentials$/, staff("OWNER", { ...ofMerchant, keys: false })],
  [/^DELETE \/v1\/dashboard\/agents\/:id\/credentials\//, staff("OWNER", { ...ofMerchant, ...fresh, keys: false })],
  [/^(POST|PATCH|DELETE) \/v1\/dashboard\/agents/, staff("ADMIN", { ...ofMerchant, ...fresh })],
  [/^(POST|PATCH|DELETE) \/v1\/dashboard\/teams/, staff("ADMIN", ofMerchant)],
  [/^GET \/v1\/dashboard\/(agents|teams)/, staff("VIEWER", ofMerchant)],
  // The audit log shows what colleagues do.
  [/^GET \/v1\/dashboard\/audit$/, staff("ADMIN", ofMerchant)],
  // Renders a preview and changes nothing.
  [/^POST \/v1\/dashboard\/templates\/(:id\/)?preview$/, staff("VIEWER")],
  [/^POST \/v1\/dashboard\/verifications\/:requestId\/unmask$/, staff("ADMIN", fresh)],
  [/^POST \/v1\/dashboard\/campaigns(\/:id\/resume)?$/, staff("ADMIN", fresh)],
  [/^POST \/v1\/dashboard\/protection\/reasons\/:reason\/(enforce|undo)$/, staff("ADMIN", fresh)],
  // Ends a block of the guard, and may put the place on the safe list.
  [/^POST \/v1\/dashboard\/protection\/trips\/:reason\/:place\/let-through$/, staff("ADMIN", fresh)],
  [/^(POST \/v1\/dashboard\/erase|GET \/v1\/dashboard\/export)$/, staff("ADMIN", fresh)],
  [
    /^POST \/v1\/dashboard\/(web)?hooks(\/:id\/(rotate-secret|replay|deliveries\/:deliveryId\/redeliver))?$/,
    staff("ADMIN", fresh)
  ],
  [
    /^(POST|PATCH|DELETE) \/v1\/dashboard\/(settings|devices|unlock|webhooks|hooks|templates|sender-ids|whatsapp|campaigns|opt-outs|try|example-day)/,
    staff("ADMIN")
  ],

  // OWNER also manages keys and money.
  [/^(POST|PATCH|DELETE) \/v1\/dashboard\/keys/, staff("OWNER", fresh)],
  [/^POST \/v1\/dashboard\/balance\/top-ups$/, staff("OWNER", fresh)],

  [
    /^GET \/v1\/dashboard\/(attention|attribution|settings|events|devices|keys|webhooks|hooks|templates|sender-ids|labels|leads|people|saved-replies|whatsapp|verifications|refusals|live|stats|balance|ledger|statement|campaigns|opt-outs|protection|channels|erasures|example-day)/,
    staff("VIEWER")
  ]
]

export const whoMay = (endpoint: string): Who => {
  const [, who] = promised.find(([pattern]) => pattern.test(endpoint)) ?? []
  if (who === undefined)
    throw new Error(`No line says who may call ${endpoint}: add one to packages/http/test/access/expected.ts`)
  return who
}
