import { brandLogo, logoHash, Merchants } from "@countersign/core"
import { Effect } from "effect"
import { MethodUnknown, PathUnknown } from "./Fault.ts"
import type { Failure } from "./wire.ts"
import type { WireRequest } from "./WireRequest.ts"
import type { WireResponse } from "./WireResponse.ts"

/** The path of the merchants' logos, for e-mails: `/logos/{environment}/{hash}.png`. */
const address = /^\/logos\/(\w{1,64})\/([0-9a-f]{32})\.png$/

export const serves = (path: string): boolean => address.test(path)

/** Mail clients on any site may show the image, and nothing may run in it. Its address names its content. */
const headers = {
  "content-type": "image/png",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow"
}

/** Serves the current logo of an environment. The address of a replaced or removed logo answers 404. */
export const make = Effect.map(Merchants, (merchants) =>
  Effect.fnUntraced(function* (request: WireRequest): Effect.fn.Return<WireResponse, Failure> {
    const [, id = "", hash = ""] = address.exec(request.path) ?? []
    if (request.method !== "GET" && request.method !== "HEAD") return yield* new MethodUnknown({ allow: ["GET"] })
    const environment = yield* merchants.environment(id)
    const logo = environment?.settings.brandLogo ?? null
    if (logo === null || logoHash(logo) !== hash) return yield* new PathUnknown()
    return { status: 200, headers, body: brandLogo.logoBytes(logo) }
  })
)
