import type { LinkVerification } from "./Verification.ts"

/**
 * Returns the URL that the browser opens after an approval: the merchant's own address with the result appended. The
 * registered address stays unchanged, to the letter. A space becomes `%20` and never `+`, because the query parsers of
 * some apps do not decode `+`.
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
