import type { Challenge } from "../Challenge.ts"
import { CountersignError } from "../CountersignError.ts"
import { checkAborted } from "../request/abortable.ts"
import { solve } from "./solve.ts"

export interface ChallengeNews extends Challenge {
  readonly state: "SOLVING" | "SOLVED"
}

/**
 * Told when the service asks for a challenge, and again when it is solved. For `CAPTCHA` it shows your captcha and returns
 * the token of its widget; without a token, the call rejects with the service's refusal. Its errors reach the caller.
 */
export type OnChallenge = (news: ChallengeNews) => string | void | Promise<string | void>

interface Answer {
  readonly token: string
  readonly answer: string
}

/** A person may change networks once while their device works, and mistype a captcha once. */
const mostTries = 5

const answerTo = async (
  challenge: Challenge,
  onChallenge: OnChallenge | undefined,
  signal: AbortSignal | undefined
): Promise<Answer | undefined> => {
  const news = onChallenge?.({ ...challenge, state: "SOLVING" })
  const answer = await (challenge.kind === "PROOF_OF_WORK" ? solve(challenge, signal) : news)
  checkAborted(signal)
  if (!answer) return undefined
  void onChallenge?.({ ...challenge, state: "SOLVED" })
  return { token: challenge.token, answer }
}

/** Sends a request, and again with the answer when the service refuses it with a challenge. */
export const answering = async <A>(
  send: (answer: Answer | undefined) => Promise<A>,
  onChallenge: OnChallenge | undefined,
  signal: AbortSignal | undefined
): Promise<A> => {
  let answer: Answer | undefined
  for (let tries = 1; ; tries++) {
    try {
      return await send(answer)
    } catch (error) {
      if (!(error instanceof CountersignError) || tries === mostTries) throw error
      const isAnswerRefused = answer !== undefined && error.errorCode === "INVALID_REQUEST"
      answer = error.challenge === null ? undefined : await answerTo(error.challenge, onChallenge, signal)
      // An answer from another network, or a late one, is refused. The request alone gets a new challenge.
      if (answer === undefined && !isAnswerRefused) throw error
    }
  }
}
