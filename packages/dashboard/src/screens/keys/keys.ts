import type { Item } from "../../api/Api.ts"
import type { Environment } from "../../api/place.ts"

export type Key = Item<"GET /v1/dashboard/keys">

export const scopes = ["auth", "leads", "dashboard"] as const
export type Scope = (typeof scopes)[number]

/** Display name of a key: its name, or else its id. */
export const nameOf = ({ id, name }: { readonly id: string; readonly name: string | null }): string => name ?? id

/** Suggested overlaps in hours. Any whole number up to the maximum is valid. */
export const overlaps = [0, 1, 24, 168] as const
export const longestOverlap = 168

/** Error message of a typed overlap, or null. */
export const overlapOf = (text: string): number | null => {
  const hours = Number(text)
  return /^\d{1,3}$/.test(text.trim()) && hours <= longestOverlap ? hours : null
}

/** When the current secret expires if it is rotated now. */
export const endOf = (hours: number, now: number): Date => new Date(now + hours * 3_600_000)

const hour = 3_600_000

/** Precision of a last use, which is stored by the hour: within this hour, at least n hours ago, or never. */
export type LastUse = "never" | "now" | "before"
export const lastUseOf = (at: string | null, now: number): LastUse =>
  at === null ? "never" : now - Date.parse(at) < hour ? "now" : "before"

interface Pair {
  readonly clientId: string
  readonly clientSecret: string
}

/** Environment variables for a backend. */
export const envLines = (origin: string, { clientId, clientSecret }: Pair): string =>
  [`COUNTERSIGN_URL=${origin}`, `COUNTERSIGN_CLIENT_ID=${clientId}`, `COUNTERSIGN_CLIENT_SECRET=${clientSecret}`].join(
    "\n"
  )

/** App code for a public key. */
export const appSnippet = (origin: string, publicKey: string): string =>
  `import { createClient } from "@countersign/sdk"

const countersign = createClient({
  baseUrl: "${origin}",
  publicKey: "${publicKey}"
})

const { sessionId } = await countersign.initiate({ phone })`

/** A first request with a server key, without its secret. */
export const firstCall = (origin: string, clientId: string, environment: Environment): string =>
  `curl ${origin}/v1/auth/initiate \\
  -H 'X-Client-Id: ${clientId}' -H "X-Client-Secret: $COUNTERSIGN_CLIENT_SECRET" \\
  --json '{"identity": "${environment === "test" ? "+919876543210" : "YOUR NUMBER"}", "identityType": "MOBILE", "mode": "OTP"}'`

interface Held {
  readonly id: string
  readonly scopes: ReadonlyArray<Scope>
}

/** Why a key cannot be revoked here: it is the last one with dashboard access. */
export const isLastOfDashboard = (key: Held, all: ReadonlyArray<Held>): boolean =>
  key.scopes.includes("dashboard") && all.filter((each) => each.scopes.includes("dashboard")).length === 1
