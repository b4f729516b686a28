import type { LinkVerification } from "./Verification.ts"

/**
 * Where the browser goes after an approval: to the merchant's own address, with what it needs to go on. The address stays
 * as it was registered, to the letter: what is added comes behind it. A space is `%20` and never `+`, which the query
 * parsers of some apps leave as it is.
 */
export const returnTo = (
  { handover: { redirectUri, state }, id }: Pick<LinkVerification, "handover" | "id">,
  code: string | null
): string | null => {
  if (redirectUri === null || code === null) return null
  const added = [
    `code=${code}`,
    ...(state === null ? [] : [`state=${encodeURIComponent(state)}`]),
    `requestId=${id}`
  ].join("&")
  const glue = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&"
  return `${redirectUri}${glue}${added}`
}
