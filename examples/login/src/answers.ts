/** The error for the page's script. The codes are Countersign's, and a few of our own. */
export interface Problem {
  readonly errorCode: string
  readonly message: string
  readonly retryAfterSeconds?: number | undefined
}

export const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })

export const nothing = (): Response => new Response(null, { status: 204 })

export const problem = (status: number, errorCode: string, message: string, retryAfterSeconds?: number): Response =>
  json(status, { errorCode, message, retryAfterSeconds } satisfies Problem)

/** Headers of every answer. The page may load and call only itself and Countersign, and no site may frame it. */
export const guarded = (response: Response, service: string | null): Response => {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // The SDK solves challenges in a worker that is made from a text.
    "worker-src blob:",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${service === null ? "" : ` ${new URL(service).origin}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ]
  response.headers.set("content-security-policy", policy.join("; "))
  response.headers.set("x-content-type-options", "nosniff")
  response.headers.set("referrer-policy", "same-origin")
  response.headers.set("cross-origin-opener-policy", "same-origin")
  response.headers.set("cross-origin-resource-policy", "same-origin")
  response.headers.set("cache-control", "no-store")
  return response
}
