import { Effect } from "effect"
import type { WireResponse } from "../WireResponse.ts"
import { script } from "./script.ts"
import { styles } from "./styles.ts"

const sha256 = async (text: string) =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))))

/**
 * The headers of every answer under `/l`. The page may not load anything or be framed, and may run only its own script. Its
 * images are in the page. Its form may post only to this service, unless the approval redirects to the merchant. Chromium
 * applies `form-action` to all redirects after the post, including those of the merchant's page, so the button would seem
 * to do nothing. `tints` is the page's second style.
 */
export const make = Effect.promise(async () => {
  const [scriptHash, styleHash] = [await sha256(script), await sha256(styles)]
  return (isReturning: boolean, tints: string): Effect.Effect<WireResponse["headers"]> =>
    Effect.promise(async () => {
      const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'sha256-${styleHash}' 'sha256-${await sha256(tints)}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`
      return {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": isReturning ? policy : `${policy}; form-action 'self'`,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex, nofollow",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin"
      }
    })
})
