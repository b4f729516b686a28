/**
 * Whether a request that changes something came from our own page. Browsers say so in `Sec-Fetch-Site`; where that is
 * missing, the `Origin` must be ours. Who sends neither is no browser, and has nothing to lose.
 */
export const isSameOrigin = (request: Request): boolean => {
  const site = request.headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  return request.headers.get("origin") === new URL(request.url).origin
}
