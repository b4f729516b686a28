import type { Verification } from "../verification/Verification.ts"

/** Where the browser goes after an approval: to the merchant's own address, with what it needs to go on. */
export const returnTo = ({ handover, id }: Verification, code: string | null): string | null => {
  if (handover?.redirectUri == null || code === null) return null
  const url = new URL(handover.redirectUri)
  url.searchParams.set("code", code)
  if (handover.state !== null) url.searchParams.set("state", handover.state)
  url.searchParams.set("requestId", id)
  return url.href
}
