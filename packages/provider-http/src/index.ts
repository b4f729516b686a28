/** Sends requests to providers over HTTP and reports their outcome. Shared by the HTTP channels. */
export { type Answered, ask, field, json, type Question, type Reply } from "./ask.ts"
export { checked, type EmptyQuestion } from "./checked.ts"
export { neverSent } from "./neverSent.ts"
export { received } from "./received.ts"
export { byStatus, isBroken, type Outcome, tell, unavailable } from "./tell.ts"
export { apiUrlProblem, callbackUrl, publicUrlProblem, trimmed } from "./addresses.ts"
export { siteverify, type SiteverifyOptions } from "./siteverify.ts"
export { isSame, isVisible } from "./secrets.ts"
