import { GuardMemory } from "@countersign/core"
import type { Visit } from "./traffic.ts"

/** Decides about requests, and learns what became of the codes that it let through. */
export interface Judge {
  readonly judge: (visit: Visit, now: number) => { readonly verdict: string; readonly reason: string | null }
  readonly sent: (visit: Visit, now: number) => void
  readonly ended: (visit: Visit, state: "LOST" | "VERIFIED", now: number) => void
}

const allowed = { verdict: "allow", reason: null } as const

const enforced = { isEnforced: () => true, price: null }

/** The guard with all reasons enforced, from this score on. */
export const guardFrom = (leastScore?: number): Judge => {
  const memory = new GuardMemory(leastScore === undefined ? {} : { leastScore })
  return {
    judge: (visit, now) => {
      // The server does not ask the guard about a person who used their latest code.
      if (visit.isTrusted === true) return allowed
      const judgement = memory.judge(visit, now)
      const { reasons, verdict } = judgement
      if (reasons.length > 0) memory.meet(visit, judgement, enforced, now)
      // Below its own threshold the guard's verdict is to allow; here, every reason counts.
      return {
        verdict: verdict === "allow" && reasons.length > 0 ? "delay" : verdict,
        reason: reasons[0]?.reason ?? null
      }
    },
    sent: (visit, now) => memory.observe({ ...visit, state: "PENDING" }, now),
    ended: (visit, state, now) => memory.observe({ ...visit, state }, now)
  }
}

const hour = 3_600_000

/** What a team without a guard sets: a limit an hour for each address, and for each block of ten thousand numbers. */
export const fixedLimits = (perAddress: number, perBlock: number): Judge => {
  const counts = new Map<string, number>()
  const keysOf = ({ address, number }: Visit, now: number) => {
    const of = Math.floor(now / hour)
    return [
      [`${of} ${address}`, perAddress],
      [`${of} ${number.slice(0, -4)}`, perBlock]
    ] as const
  }
  return {
    judge: (visit, now) => {
      const full = keysOf(visit, now).find(([key, most]) => (counts.get(key) ?? 0) >= most)
      return full === undefined ? allowed : { verdict: "delay", reason: "LIMIT" }
    },
    sent: (visit, now) => {
      for (const [key] of keysOf(visit, now)) counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    ended: () => undefined
  }
}
