/** A longer one is a text. */
const longest = 64
/** Numbers of people have more digits than codes of providers. */
const mostDigits = 7

/**
 * A provider's reason in a form that may be stored, shown and logged: a short word such as `21211`, `http_503` or
 * `bad_number`. A channel of somebody else's may pass on what its provider said, and providers repeat addresses and
 * numbers: what looks like one becomes `unspecified`.
 */
export const safeCode = (reason: string): string => {
  const isPersonal = reason.includes("@") || (reason.match(/\d/g)?.length ?? 0) > mostDigits
  const code = reason
    .slice(0, longest)
    .replace(/[^A-Za-z0-9._:-]+/g, "_")
    .replace(/^_+|_+$/g, "")
  return isPersonal || code === "" ? "unspecified" : code
}
