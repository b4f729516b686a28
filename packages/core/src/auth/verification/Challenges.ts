import { Cause, Clock, Duration, Effect } from "effect"
import { CaptchaCheck, CaptchaUnavailable } from "../../foundation/guard/CaptchaCheck.ts"
import {
  type Challenge,
  type ChallengeAnswer,
  type ChallengeFault,
  type ChallengeScope,
  difficultyOf,
  makeChallenge,
  readAnswer
} from "./Challenge.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Place } from "../../foundation/limit/Limits.ts"
import { LocalCounts } from "../../foundation/limit/LocalCounts.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import { minutes } from "../../foundation/time/Instant.ts"
import { type SteadyInstant, steadyNow } from "../../foundation/time/steadyTime.ts"
import { GuardRefused } from "./GuardRefused.ts"

/** How long a captcha's provider may take. The person waits for it. */
const patience = Duration.seconds(3)
/** The most questions to the captcha's provider at the same time in this process. */
const mostAtOnce = 64
const warnEvery = minutes(1)

const again = "send the request again without it, and solve the challenge that it gets"

const problems: { readonly [fault in ChallengeFault]: string } = {
  FORGED: `is no answer for this number, network and environment: ${again}`,
  EXPIRED: `answers a challenge that has expired: ${again}`,
  UNSOLVED: `does not solve its challenge: ${again}`
}
const refuse = (problem: string) => new InvalidField({ field: "challenge", problem })

/** The answer was used before, by this or another process. */
export const usedBefore = (): InvalidField => refuse(`was used before: ${again}`)

/** The place that an answer takes. It has one in an hour, and its challenge does not live that long. */
export const placeOfAnswer = ({ token }: Challenge): Place => ({
  key: `challenge:${token}`,
  most: 1,
  limit: "challenge",
  countedIn: "storage"
})

/** Makes challenges for apps that the guard holds back, and judges the answers. */
export const make = Effect.gen(function* () {
  const keyring = yield* Keyring
  const { check } = yield* CaptchaCheck
  const solved = new LocalCounts()
  let asking = 0
  let warnedAt: SteadyInstant | null = null

  /** Logs a failure once a minute. Its text is left out, because it may contain the token or the secret. */
  const warn = (error: unknown) =>
    Effect.flatMap(steadyNow, (now) => {
      if (warnedAt !== null && now - warnedAt < warnEvery) return Effect.void
      warnedAt = now
      const why = error instanceof CaptchaUnavailable ? error.why : Cause.isTimeoutError(error) ? "timeout" : "failed"
      return Effect.logWarning("The captcha could not be checked, so apps get a proof of work", { why })
    })

  const keysOf = ({ canonical, environment, network }: ChallengeScope) => [
    `${environment}/prefix:${canonical.slice(0, -4)}`,
    `${environment}/network:${network}`
  ]

  /** Null when the provider cannot be asked now. */
  const ask = (token: string, clientIp: string | null): Effect.Effect<boolean | null> =>
    Effect.suspend(() => {
      if (check === null || asking >= mostAtOnce) return Effect.succeed(null)
      asking++
      return Effect.suspend(() => check(token, { clientIp })).pipe(
        Effect.timeout(patience),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.as(warn(Cause.squash(cause)), null)
        ),
        Effect.ensuring(Effect.sync(() => asking--))
      )
    })

  return {
    /** Reads an answer without asking anybody. A proof of work is judged by that. */
    read: Effect.fnUntraced(function* (scope: ChallengeScope, answer: ChallengeAnswer) {
      const challenge = readAnswer(keyring, scope, answer, yield* Clock.currentTimeMillis)
      return typeof challenge === "string" ? yield* refuse(problems[challenge]) : challenge
    }),

    /** Whether a read answer solves its challenge. False when its captcha cannot be checked now. */
    isSolved: Effect.fnUntraced(function* ({ kind }: Challenge, { answer }: ChallengeAnswer, clientIp: string | null) {
      if (kind === "PROOF_OF_WORK") return true
      const isRight = yield* ask(answer, clientIp)
      if (isRight === false) return yield* refuse(problems.UNSOLVED)
      return isRight === true
    }),

    /** Counts an answer that let a request pass, so that the next challenges are harder. */
    count: (scope: ChallengeScope): Effect.Effect<void> =>
      Effect.map(steadyNow, (now) => {
        for (const key of keysOf(scope)) solved.count(key, now)
      }),

    /** Adds a challenge to a refusal that one can lift. `isAway`: the captcha's provider has just failed. */
    offer: Effect.fnUntraced(function* (scope: ChallengeScope, refused: GuardRefused, isAway: boolean) {
      const { answerable, reason, waitSeconds } = refused
      if (answerable === undefined) return refused
      const at = yield* steadyNow
      const solvedLately = Math.max(...keysOf(scope).map((key) => solved.countOf(key, at)))
      const kind = check === null || isAway ? "PROOF_OF_WORK" : "CAPTCHA"
      const difficulty = difficultyOf(answerable, solvedLately)
      const challenge = makeChallenge(keyring, scope, { difficulty, kind }, yield* Clock.currentTimeMillis)
      return new GuardRefused({ reason, waitSeconds, answerable, challenge })
    })
  }
})
