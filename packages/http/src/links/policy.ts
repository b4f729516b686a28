import { Effect } from "effect"
import type { WireResponse } from "../WireResponse.ts"
import { script } from "./script.ts"
import { styles } from "./styles.ts"

const sha256 = async (text: string) =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))))

/**
 * The headers of every answer under `/l`. The page may load nothing, be framed by nobody, and run the one script that is
 * named. `form-action` names the place that the approval returns to, because browsers hold the redirect to it, too.
 */
export const make = Effect.promise(async () => {
  const policy = `default-src 'none'; script-src 'sha256-${await sha256(script)}'; style-src 'sha256-${await sha256(styles)}'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'`
  return (returnsTo: string | null): WireResponse["headers"] => ({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": returnsTo === null ? policy : `${policy} ${returnsTo}`,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin"
  })
})
