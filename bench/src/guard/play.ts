import type { Judge } from "./judges.ts"
import type { Visit } from "./traffic.ts"

/** How a played day ended. */
export interface Played {
  readonly attackCost: number
  readonly attackPaid: number
  readonly attackMessages: number
  readonly attackSent: number
  readonly people: number
  readonly delayed: number
  readonly refused: number
  readonly microseconds: number
  readonly hurtBy: { readonly [reason: string]: number }
}

/** Plays visits in the order of time. A message that is refused is not sent, and its code not typed. */
export const play = (visits: ReadonlyArray<Visit>, judge: Judge, from = 0): Played => {
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
  let [attackCost, attackPaid, attackMessages, attackSent, people, delayed, refused, judged] = [0, 0, 0, 0, 0, 0, 0, 0]
  let nanos = 0n
  const hurtBy: Record<string, number> = {}
  for (const visit of visits) {
    while (ends.length > 0 && ends[0]!.at <= visit.at) {
      const { at, state, visit: ended } = pop()
      judge.ended(ended, state, at)
    }
    const began = process.hrtime.bigint()
    const { reason, verdict } = judge.judge(visit, visit.at)
    nanos += process.hrtime.bigint() - began
    judged++
    const counts = visit.at >= from
    if (visit.isAttack) {
      attackMessages++
      attackCost += visit.cost
    } else if (counts) people++
    if (verdict !== "allow") {
      if (!visit.isAttack && counts) {
        if (verdict === "block") refused++
        else delayed++
        const why = reason ?? "?"
        hurtBy[why] = (hurtBy[why] ?? 0) + 1
      }
      continue
    }
    if (visit.isAttack) {
      attackSent++
      attackPaid += visit.cost
    }
    judge.sent(visit, visit.at)
    if (!visit.isDelivered) push({ at: visit.at + 4_000, visit, state: "LOST" })
    else if (visit.typedAfter !== null) push({ at: visit.at + visit.typedAfter, visit, state: "VERIFIED" })
  }
  return {
    attackCost,
    attackPaid,
    attackMessages,
    attackSent,
    people,
    delayed,
    refused,
    hurtBy,
    microseconds: Number(nanos) / 1000 / judged
  }
}
