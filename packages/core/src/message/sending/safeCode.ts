/** A longer reason is free text. */
const longest = 64
/** A phone number has more digits than a provider's code. */
const mostDigits = 7

/**
 * Returns a provider's reason in a form that is safe to store, show and log: a short word such as `21211`, `http_503`
 * or `bad_number`. A third-party channel may pass on its provider's text, and providers repeat addresses and numbers. A
 * reason that looks like one becomes `unspecified`.
 */
export const safeCode = (reason: string): string => {
  const isPersonal = reason.includes("@") || (reason.match(/\d/g)?.length ?? 0) > mostDigits
  const code = reason
    .slice(0, longest)
    .replace(/[^A-Za-z0-9._:-]+/g, "_")
    .replace(/^_+|_+$/g, "")
  return isPersonal || code === "" ? "unspecified" : code
}
