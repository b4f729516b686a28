/**
 * Whether a request that changes something came from our own page. Browsers say so in `Sec-Fetch-Site`; without it, the
 * `Origin` must be ours. A client that sends neither is not a browser, so it has no cookies to abuse.
 */
export const isSameOrigin = (request: Request): boolean => {
  const site = request.headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  return request.headers.get("origin") === new URL(request.url).origin
}
