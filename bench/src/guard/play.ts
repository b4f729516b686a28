import type { Judge } from "./judges.ts"
import type { Visit } from "./traffic.ts"

/** How a played day ended. */
export interface Played {
  readonly attackCost: number
  readonly attackPaid: number
  readonly attackMessages: number
  readonly attackSent: number
  /** Codes that the attackers typed. */
  readonly attackTyped: number
  readonly people: number
  /** Requests of people who signed in before, and those of them that were delayed or refused. */
  readonly known: number
  readonly knownHurt: number
  readonly delayed: number
  readonly refused: number
  readonly microseconds: number
  readonly hurtBy: { readonly [reason: string]: number }
}

/** After so many messages without a sign-in, a person counts as new again: `knownFor` of the server. */
const knownFor = 3

export interface PlayOptions {
  /** Whether the person behind a number signed in before the first visit. */
  readonly hasSignedIn?: (number: string) => boolean
  /** Which requests of people count. */
  readonly counts?: (visit: Visit) => boolean
}

/**
 * Plays visits in the order of time. A message that is refused is not sent, and its code not typed. People are known
 * after they typed a code.
 */
export const play = (
  visits: ReadonlyArray<Visit>,
  judge: Judge,
  { counts: isCounted = () => true, hasSignedIn = () => false }: PlayOptions = {}
): Played => {
  const ends: Array<{ readonly at: number; readonly visit: Visit; readonly state: "LOST" | "VERIFIED" }> = []
  // A heap by time.
  const push = (end: (typeof ends)[number]) => {
    let i = ends.push(end) - 1
    while (i > 0) {
      const up = (i - 1) >> 1
      if (ends[up]!.at <= ends[i]!.at) break
      ;[ends[up], ends[i]] = [ends[i]!, ends[up]!]
      i = up
    }
  }
  const pop = () => {
    const first = ends[0]!
    const last = ends.pop()!
    if (ends.length > 0) {
      ends[0] = last
      for (let i = 0; ; ) {
        const [l, r] = [2 * i + 1, 2 * i + 2]
        let least = i
        if (l < ends.length && ends[l]!.at < ends[least]!.at) least = l
        if (r < ends.length && ends[r]!.at < ends[least]!.at) least = r
        if (least === i) break
        ;[ends[least], ends[i]] = [ends[i]!, ends[least]!]
        i = least
      }
    }
    return first
  }
  let [
    attackCost,
    attackPaid,
    attackMessages,
    attackSent,
    attackTyped,
    people,
    known,
    knownHurt,
    delayed,
    refused,
    judged
  ] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  let nanos = 0n
  const hurtBy: Record<string, number> = {}
  /** Messages to each number since it signed in. */
  const sentSince = new Map<string, number>()
  const sentTo = (number: string) => sentSince.get(number) ?? (hasSignedIn(number) ? 0 : knownFor)
  for (const planned of visits) {
    while (ends.length > 0 && ends[0]!.at <= planned.at) {
      const { at, state, visit: ended } = pop()
      if (state === "VERIFIED") sentSince.set(ended.number, 0)
      judge.ended(ended, state, at)
    }
    const sent = sentTo(planned.number)
    const visit = { ...planned, isKnown: sent < knownFor, isTrusted: sent === 0 }
    const began = process.hrtime.bigint()
    const { reason, verdict } = judge.judge(visit, visit.at)
    nanos += process.hrtime.bigint() - began
    judged++
    const counts = isCounted(visit)
    if (visit.isAttack) {
      attackMessages++
      attackCost += visit.cost
    } else if (counts) {
      people++
      if (visit.isKnown) known++
    }
    if (verdict !== "allow") {
      if (!visit.isAttack && counts) {
        if (verdict === "block") refused++
        else delayed++
        if (visit.isKnown) knownHurt++
        const why = reason ?? "?"
        hurtBy[why] = (hurtBy[why] ?? 0) + 1
      }
      continue
    }
    if (visit.isAttack) {
      attackSent++
      if (visit.isDelivered && visit.typedAfter !== null) attackTyped++
      attackPaid += visit.cost
    }
    judge.sent(visit, visit.at)
    if (visit.isKnown) sentSince.set(visit.number, sent + 1)
    if (!visit.isDelivered) push({ at: visit.at + 4_000, visit, state: "LOST" })
    else if (visit.typedAfter !== null) push({ at: visit.at + visit.typedAfter, visit, state: "VERIFIED" })
  }
  return {
    attackCost,
    attackPaid,
    attackMessages,
    attackSent,
    attackTyped,
    people,
    known,
    knownHurt,
    delayed,
    refused,
    hurtBy,
    microseconds: Number(nanos) / 1000 / judged
  }
}
