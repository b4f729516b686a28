import { Result } from "effect"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { checkOccurredAt, checkWord } from "./attributionFields.ts"
import type { LaunchRequest } from "./AttributionRequest.ts"
import type { LaunchDetails, Origin } from "./Launch.ts"

export const longestUtm = 200
export const longestClickId = 512
const longestReferrer = 2_000
const longestFingerprint = 512
const longestPlatform = 40

/** A launch that passed the checks. */
export interface CheckedLaunch {
  readonly at: Instant
  readonly origin: Origin
  readonly clickId: string | null
  /** The raw fingerprint. It is only used to compute an HMAC. */
  readonly fingerprint: string | null
  readonly details: LaunchDetails
}

/** The parameter names under which an install referrer or a link carries a click id. */
const clickNames = ["qa_clid", "gclid", "fbclid", "ctwa_clid"]

/** The parameters of an install referrer. Some app stores pass it on with an additional URL encoding. */
const read = (referrer: string): URLSearchParams => {
  const whole = referrer.includes("=")
    ? referrer
    : Result.getOrElse(
        Result.try(() => decodeURIComponent(referrer)),
        () => referrer
      )
  return new URLSearchParams(whole)
}

/** Checks a launch. Fails with the first problem. The app's own fields take precedence over the install referrer. */
export const checkLaunch = (request: LaunchRequest, now: Instant): Result.Result<CheckedLaunch, InvalidField> =>
  Result.gen(function* () {
    const installReferrer = yield* checkWord("installReferrer", request.installReferrer, longestReferrer)
    const referred = read(installReferrer ?? "")
    const utm = (name: "source" | "medium" | "campaign" | "term" | "content") =>
      Result.flatMap(checkWord(`utm.${name}`, request.utm?.[name], longestUtm), (word) =>
        word === null ? checkWord("installReferrer", referred.get(`utm_${name}`), longestUtm) : Result.succeed(word)
      )
    const origin: Origin = {
      source: (yield* utm("source")) ?? "",
      medium: (yield* utm("medium")) ?? "",
      campaign: (yield* utm("campaign")) ?? ""
    }
    const clicked = clickNames.map((name) => referred.get(name)).find((found) => found !== null && found !== "")
    const clickId =
      (yield* checkWord("clickId", request.clickId, longestClickId)) ??
      (yield* checkWord("installReferrer", clicked, longestClickId))
    const fingerprint = yield* checkWord("fingerprint", request.fingerprint, longestFingerprint)
    const details: LaunchDetails = {
      term: yield* utm("term"),
      content: yield* utm("content"),
      installReferrer,
      platform: yield* checkWord("platform", request.platform, longestPlatform)
    }
    return { at: yield* checkOccurredAt(request.occurredAt, now), origin, clickId, fingerprint, details }
  })
