import type { WireResponse } from "./WireResponse.ts"

/** What browsers may call from other sites: nothing here is opened by a cookie, and the keys are checked with the request. */
const prefix = "/v1/sdk/"

export const isShared = (path: string): boolean => path.startsWith(prefix)

/** On every answer, the refusals too: a page could not read why it was refused. */
export const headers = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after, x-request-id, idempotency-replayed"
}

/** What a browser asks before the request itself. Which origins a merchant allows is seen when the key comes along. */
export const preflight: WireResponse = {
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "authorization, content-type, idempotency-key, x-public-key, x-request-id",
    "access-control-max-age": "7200"
  },
  body: ""
}
