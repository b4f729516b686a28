/** Codes of failures in the operating system, TLS and fetch that happen before the first byte of a request. */
const beforeTheRequest = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID"
])

/** Whether fetch refused a blocked port, such as 25 or 6000. That error has no code. */
export const isForbiddenPort = (error: object) => "message" in error && error.message === "bad port"

/**
 * Whether a request failed before its first byte, so that it was certainly not sent. Clients wrap the system's error, and
 * several tried addresses result in an `AggregateError`.
 *
 * @example
 * ```ts
 * import { neverSent } from "@countersign/provider-http"
 *
 * const outcome = await fetch("https://sms.example.com/send", { method: "POST" }).catch((error: unknown) =>
 *   neverSent(error) ? "not sent: another channel may be tried" : "not known: it may have been sent"
 * )
 * ```
 */
export const neverSent = (error: unknown, depth = 0): boolean => {
  if (typeof error !== "object" || error === null || depth > 5) return false
  if ("code" in error && typeof error.code === "string" && beforeTheRequest.has(error.code)) return true
  if (("syscall" in error && error.syscall === "connect") || isForbiddenPort(error)) return true
  if ("errors" in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.every((each) => neverSent(each, depth + 1))
  }
  return "cause" in error && neverSent(error.cause, depth + 1)
}
