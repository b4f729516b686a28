import { Effect } from "effect"
import type { WireResponse } from "../WireResponse.ts"
import { script } from "./script.ts"
import { styles } from "./styles.ts"

const sha256 = async (text: string) =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))))

/**
 * The headers of every answer under `/l`. The page may load nothing, be framed by nobody, and run the one script that is
 * named. Its form leads to us alone, unless the approval returns to the merchant: Chromium holds every redirect after the
 * post to `form-action`, also those that the merchant's own page makes, and would leave the person with a button that
 * does nothing although it has approved.
 */
export const make = Effect.promise(async () => {
  const policy = `default-src 'none'; script-src 'sha256-${await sha256(script)}'; style-src 'sha256-${await sha256(styles)}'; base-uri 'none'; frame-ancestors 'none'`
  return (isReturning: boolean): WireResponse["headers"] => ({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": isReturning ? policy : `${policy}; form-action 'self'`,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin"
  })
})
