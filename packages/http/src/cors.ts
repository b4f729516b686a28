import type { WireResponse } from "./WireResponse.ts"

/** Paths that browsers may call from other sites. Cookies give no access here, and keys are checked with the request. */
const prefix = "/v1/sdk/"

export const isShared = (path: string): boolean => path.startsWith(prefix)

/** Added to every answer, including refusals, so that a page can read why it was refused. */
export const headers = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after, x-request-id, x-problem, idempotency-replayed"
}

/** The answer to a CORS preflight. The merchant's allowed origins are checked later, with the key. */
export const preflight: WireResponse = {
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "authorization, content-type, idempotency-key, x-public-key, x-request-id",
    "access-control-max-age": "7200"
  },
  body: ""
}
