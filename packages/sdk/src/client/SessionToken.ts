import { CountersignError } from "../CountersignError.ts"

/** Renew the token this long before its end, so that it is still valid when it arrives. In milliseconds. */
const margin = 30_000

/** Detects an error page or JSON early, because the service's error would explain less. */
const isToken = /^[\w.~+/=-]+$/

/** The expiry of a JWT. An unreadable token is kept until the service refuses it. */
const endOf = (token: string): number => {
  try {
    const payload = token.split(".")[1] ?? ""
    const claims: { readonly exp?: unknown } = JSON.parse(atob(payload.replace(/-/g, "+").replace(/_/g, "/")))
    return typeof claims.exp === "number" ? claims.exp * 1000 - margin : Infinity
  } catch {
    return Infinity
  }
}

/** Fetches a session token from the app's backend and caches it. Concurrent callers share one request. */
export const makeSessionToken = (ask: () => string | Promise<string>) => {
  let kept: Promise<string> | undefined
  let end = 0

  const fresh = async () => {
    const token: unknown = await ask()
    if (typeof token !== "string" || !isToken.test(token))
      throw new CountersignError(
        "INVALID_CLIENT_CREDENTIALS",
        "sessionToken did not return a token: return the sessionToken that your backend gets from POST /v1/sdk/session"
      )
    end = endOf(token)
    return token
  }

  const forget = (token: Promise<string>) => {
    if (kept === token) kept = undefined
  }

  const get = () => {
    if (kept !== undefined && Date.now() < end) return kept
    end = Infinity
    const token = fresh()
    kept = token
    token.catch(() => forget(token))
    return token
  }

  return { get, forget }
}
