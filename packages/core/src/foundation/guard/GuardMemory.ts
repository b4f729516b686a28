import { hours, type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"
import {
  allowed,
  blockScore,
  type GuardReason,
  type Judgement,
  leastScore as usualLeastScore,
  type ScoredReason,
  verdictOf
} from "./GuardReason.ts"
import { placesOfNumber } from "./placesOfNumber.ts"
import { Tallies } from "./Tallies.ts"
import {
  isDueForRenewal,
  isStopped,
  isTripReason,
  mostTrips,
  type Trip,
  tripKept,
  tripLength,
  type TripReason,
  type TripReport
} from "./Trip.ts"
import { addTo, emptyTally, type Tally, weightAt } from "./Tally.ts"

/** A request to send a code to a phone number. */
export interface GuardedRequest {
  /** E.164 digits without `+`. */
  readonly number: string
  /** The end user's IPv4 address, or the /64 of an IPv6 address. Null when it is unknown. */
  readonly address: string | null
  /** The backend's own id of the device. Null when it is unknown. */
  readonly device: string | null
}

/** The state of a request by now. */
export interface GuardedOutcome extends GuardedRequest {
  readonly at: Instant
  /** `LOST` means that no message arrived, so its code could not be typed. */
  readonly state: "PENDING" | "VERIFIED" | "LOST"
}

/** Most people type a code within this time. A code that is older counts as unverified until it is typed. */
export const usualTyping = seconds(60)
/** A code that is typed later than this changes nothing. Another request for the number counts again. */
export const longestTyping = minutes(15)

/** Entries are kept longer than that: a report of another process about the same person comes a minute late. */
const entriesKept = longestTyping + minutes(2)

/** For so long, a number whose latest code was typed is not judged. */
const trusted = hours(24)
/** The most numbers to remember. More requests in fifteen minutes forget the oldest ones early. */
const mostEntries = 50_000

/** At most this share of the codes of an attack are typed. */
const typedInAttack = 0.05
/** Neighbours in number: `…4711` and `…4713`. */
const nearest = 3
const neighboursKept = 16
/** A neighbour without a typed code says as much as this many codes that were not typed. */
const neighbourScore = 1.5

type Scope = "address" | "country" | "device" | "prefix" | "range"

const reasonOf: { readonly [scope in Scope]: GuardReason } = {
  prefix: "PREFIX_UNVERIFIED",
  range: "RANGE_UNVERIFIED",
  country: "COUNTRY_UNVERIFIED",
  address: "ADDRESS_UNVERIFIED",
  device: "DEVICE_UNVERIFIED"
}

/**
 * The highest usual share of typed codes that a scope is held to. The larger a scope, the more its share may differ for
 * honest reasons: a language without a template, a carrier that filters.
 */
const usualAtMost: { readonly [scope in Scope]: number } = {
  prefix: 0.8,
  device: 0.8,
  address: 0.7,
  range: 0.6,
  country: 0.45
}
/** The usual share before anything is known, and how many codes this assumption is worth. */
const assumed = { share: 0.7, worth: 20 } as const
/**
 * No merchant's share is believed to be lower: otherwise an attack would become the usual. People who type 22 of 100
 * codes still score below zero.
 */
const lowestUsual = 0.5

/** Codes under way that a country may have before any was typed, and for each that was typed. */
const underWay = { first: 200, each: 3 } as const

/** A stopped place, and what this process saw of it since it was stored. */
interface Stopped {
  report: TripReport
  /** Whether it is new or renewed, so that it must be stored now. */
  isNew: boolean
}

/** A report to store. */
export interface UnstoredTrip {
  readonly report: TripReport
  readonly isNew: boolean
}

/** What the merchant's settings say about a request that has reasons. */
export interface MetWith {
  readonly isEnforced: (reason: TripReason) => boolean
  /** The price of its message, in the smallest unit of money; null when it has none. */
  readonly price: number | null
}

/** What the codes of a scope say: their weights, how many there are, and the sum. */
interface Evidence {
  readonly forMissed: number
  readonly forTyped: number
  readonly missed: number
  readonly verified: number
  readonly score: number
}

interface Entry {
  readonly number: string
  readonly at: Instant
  state: "LOST" | "PENDING" | "UNVERIFIED" | "VERIFIED"
  readonly tallies: ReadonlyArray<Tally>
  readonly prefix: Tally | null
}

const keysOf = ({ address, device, number }: GuardedRequest): ReadonlyArray<readonly [Scope, string]> => {
  const { country, prefix, range } = placesOfNumber(number)
  const keys: Array<readonly [Scope, string]> = [["country", `c${country}`]]
  if (prefix !== null) keys.push(["prefix", `n${prefix}`])
  if (range !== null) keys.push(["range", `n${range}**`])
  if (address !== null) keys.push(["address", `a${address}`])
  if (device !== null) keys.push(["device", `d${device}`])
  return keys
}

const placeOf: { readonly [R in TripReason]: (key: string) => string } = {
  PREFIX_UNVERIFIED: (key) => key.slice(1),
  RANGE_UNVERIFIED: (key) => key.slice(1, -2),
  COUNTRY_UNVERIFIED: (key) => key.slice(1)
}

const keyOfPlace: { readonly [R in TripReason]: (place: string) => string } = {
  PREFIX_UNVERIFIED: (place) => `n${place}`,
  RANGE_UNVERIFIED: (place) => `n${place}**`,
  COUNTRY_UNVERIFIED: (place) => `c${place}`
}

export interface GuardMemoryOptions {
  /** The score from which a reason is named. Lower scores stop attacks earlier, and real people more often. */
  readonly leastScore?: number
  /** The most blocks, ranges and countries to count, and the most addresses and devices. */
  readonly mostTallies?: number
}

/** Scores are stored, so they have one decimal place. Rounding up keeps a named reason at its verdict. */
const rounded = (score: number): number => Math.ceil(score * 10) / 10

/** What an environment's verifications of the last day say about the next request. */
export class GuardMemory {
  readonly #leastScore: number
  readonly #numbers: Tallies
  /** Apart from the numbers: most addresses come once, and many of them must not make the guard forget a block. */
  readonly #places: Tallies
  readonly #all = emptyTally(0)
  /** The latest request of each number, oldest first. */
  readonly #entries = new Map<string, Entry>()
  /** Numbers whose latest code was typed, by the time when it was requested; oldest first. */
  readonly #typed = new Map<string, Instant>()
  /** Entries in the order in which they became pending, from `#nextPending` on. */
  #pending: Array<Entry> = []
  #nextPending = 0
  readonly #trips = new Map<string, Stopped>()
  /** Places that an ADMIN let through. What happened there before counts no more. */
  readonly #forgotten = new Map<string, Instant>()

  constructor({ leastScore = usualLeastScore, mostTallies = 100_000 }: GuardMemoryOptions = {}) {
    this.#leastScore = leastScore
    this.#numbers = new Tallies(mostTallies)
    this.#places = new Tallies(mostTallies)
  }

  /** The number of counted scopes. */
  get size(): number {
    return this.#numbers.size + this.#places.size
  }

  #talliesOf(scope: Scope): Tallies {
    return scope === "address" || scope === "device" ? this.#places : this.#numbers
  }

  /** Records the state of a request. The same report may come several times, late, and from several processes. */
  observe(outcome: GuardedOutcome, now: Instant): void {
    // The past is read in the order of time. A person's next request belongs to the one before as it did then.
    this.#pass(Math.min(now, outcome.at + usualTyping))
    const known = this.#entries.get(outcome.number)
    if (known !== undefined && Math.abs(outcome.at - known.at) < longestTyping) {
      return this.#become(known, outcome.state)
    }
    if (known !== undefined && outcome.at < known.at) return
    let prefix: Tally | null = null
    const tallies: Array<Tally> = [this.#all]
    for (const [scope, key] of keysOf(outcome)) {
      if (this.#forgotten.size > 0 && outcome.at <= (this.#forgotten.get(key) ?? -1)) continue
      const tally = this.#talliesOf(scope).of(key, outcome.at)
      tallies.push(tally)
      if (scope === "prefix") prefix = tally
    }
    const entry: Entry = { number: outcome.number, at: outcome.at, state: "LOST", tallies, prefix }
    this.#entries.delete(outcome.number)
    this.#entries.set(outcome.number, entry)
    this.#typed.delete(outcome.number)
    // A code of another process is read when its usual time is over. It must not wait behind younger ones.
    const isOver = outcome.state === "PENDING" && now - outcome.at >= usualTyping
    this.#become(entry, isOver ? "UNVERIFIED" : outcome.state)
  }

  /** Moves an entry to a state that follows its own. */
  #become(entry: Entry, state: Entry["state"]): void {
    const { state: before, tallies, at } = entry
    if (before === state || before === "VERIFIED" || (before === "UNVERIFIED" && state === "PENDING")) return
    // A later message may arrive after an earlier one was lost, so a lost one becomes pending again.
    for (const tally of tallies) {
      if (before === "PENDING") tally.pending--
      else if (before === "UNVERIFIED") addTo(tally, "unverified", -1, at)
      if (state === "PENDING") tally.pending++
      else if (state === "UNVERIFIED") addTo(tally, "unverified", 1, at)
      else if (state === "VERIFIED") addTo(tally, "verified", 1, at)
    }
    entry.state = state
    if (state === "PENDING") this.#pending.push(entry)
    if (entry.prefix === null) return
    const recent = entry.prefix.recent
    const last = Number(entry.number.slice(-4))
    const place = recent.indexOf(last)
    if (state === "VERIFIED" || state === "LOST") {
      if (place >= 0) recent.splice(place, 1)
    } else if (place < 0) {
      recent.push(last)
      if (recent.length > neighboursKept) recent.shift()
    }
  }

  /** Counts pending codes as unverified when their usual time is over, and drops old entries. */
  #pass(now: Instant): void {
    while (this.#nextPending < this.#pending.length) {
      const entry = this.#pending[this.#nextPending]!
      if (now - entry.at < usualTyping) break
      this.#nextPending++
      if (entry.state === "PENDING") this.#become(entry, "UNVERIFIED")
    }
    if (this.#nextPending > 1_024 && this.#nextPending * 2 > this.#pending.length) {
      this.#pending = this.#pending.slice(this.#nextPending)
      this.#nextPending = 0
    }
    for (const [number, { at, state }] of this.#entries) {
      if (now - at < entriesKept && this.#entries.size <= mostEntries) break
      this.#entries.delete(number)
      if (state === "VERIFIED") this.#typed.set(number, at)
    }
    for (const [number, at] of this.#typed) {
      if (now - at < trusted && this.#typed.size <= mostEntries) break
      this.#typed.delete(number)
    }
  }

  /** The share of typed codes that is usual here, from all of the last days. */
  #usual(): number {
    const { unverified, verified } = this.#all
    const share = (verified + assumed.share * assumed.worth) / (verified + unverified + assumed.worth)
    return Math.max(lowestUsual, share)
  }

  #evidence(scope: Scope, tally: Tally, usual: number, now: Instant): Evidence {
    const weight = weightAt(tally.at, now)
    const verified = tally.verified * weight
    const typed = Math.min(usual, usualAtMost[scope])
    const isLarge = scope === "country" || scope === "range"
    const missed = tally.unverified * weight + (isLarge ? 0 : tally.pending)
    const forMissed = Math.log((1 - typedInAttack) / (1 - typed))
    const forTyped = Math.log(typed / typedInAttack)
    const score = missed * forMissed - verified * forTyped
    return { forMissed, forTyped, missed, score, verified }
  }

  /**
   * Whether a place is stopped. Codes may be typed after it tripped, because their messages were late: the trip holds only
   * while they do not outweigh the codes that tripped it. This process may not have read all of those yet.
   */
  #isHeld({ report }: Stopped, evidence: Evidence | null, now: Instant): boolean {
    if (!isStopped(report, now)) return false
    if (evidence === null) return true
    const { forMissed, forTyped, missed, verified } = evidence
    const missing = Math.max(missed, report.codes * weightAt(report.since, now) - verified)
    return missing * forMissed >= verified * forTyped
  }

  /** Judges a request by what was observed. Changes nothing that a later judgement depends on. */
  judge(request: GuardedRequest, now: Instant): Judgement {
    this.#pass(now)
    let reasons: Array<ScoredReason> | null = null
    const usual = this.#usual()
    // A person who typed the latest code signs in again, whatever others do with the numbers beside it.
    const latest = this.#entries.get(request.number)
    if (latest === undefined ? this.#typed.has(request.number) : latest.state === "VERIFIED") return allowed
    for (const [scope, key] of keysOf(request)) {
      const tally = this.#talliesOf(scope).find(key)
      const stopped = this.#trips.size === 0 ? undefined : this.#trips.get(key)
      if (tally === undefined) {
        if (stopped !== undefined && this.#isHeld(stopped, null, now))
          (reasons ??= []).push({ reason: reasonOf[scope], score: rounded(blockScore) })
        continue
      }
      const known = this.#evidence(scope, tally, usual, now)
      const { forMissed, score: evidence, verified } = known
      const score =
        stopped !== undefined && this.#isHeld(stopped, known, now) ? Math.max(evidence, blockScore) : evidence
      if (score >= this.#leastScore) (reasons ??= []).push({ reason: reasonOf[scope], score: rounded(score) })
      if (scope === "prefix" && tally.recent.length > 1) {
        const last = Number(request.number.slice(-4))
        let near = 0
        for (const other of tally.recent) if (other !== last && Math.abs(other - last) <= nearest) near++
        const adjacent = evidence + near * neighbourScore * forMissed
        if (near > 0 && adjacent >= this.#leastScore)
          (reasons ??= []).push({ reason: "ADJACENT_NUMBERS", score: rounded(adjacent) })
      }
      if (scope === "country" && tally.pending >= underWay.first + underWay.each * verified) {
        ;(reasons ??= []).push({ reason: "COUNTRY_TOO_FAST", score: rounded(usualLeastScore) })
      }
    }
    if (reasons === null) return allowed
    reasons.sort((a, b) => b.score - a.score)
    return { verdict: verdictOf(reasons[0]!.score), reasons }
  }

  /**
   * Notes a request that has reasons and asks for a message, refused or not. A place trips when the evidence against it
   * reaches a `block` verdict, unless more people entered codes there than in an attack: the guard judges such a place
   * by its evidence alone, so that people who sign in there soon clear it. For the same reason, codes that are typed late
   * end the effect of a trip. A later request renews the trip while the
   * evidence alone still names the reason. Returns whether a trip must be stored now.
   */
  meet(request: GuardedRequest, { reasons }: Judgement, { isEnforced, price }: MetWith, now: Instant): boolean {
    let isAnyNew = false
    for (const [scope, key] of keysOf(request)) {
      const reason = reasonOf[scope]
      const scored = reasons.find((one) => one.reason === reason)
      if (!isTripReason(reason) || scored === undefined) continue
      const tally = this.#talliesOf(scope).find(key)
      const { missed, score, verified } =
        tally === undefined ? { missed: 0, score: 0, verified: 0 } : this.#evidence(scope, tally, this.#usual(), now)
      const stopped = this.#trips.get(key)
      const enforced = isEnforced(reason)
      if (stopped !== undefined && isStopped(stopped.report, now)) {
        const isRenewed = score >= this.#leastScore && isDueForRenewal(stopped.report, now)
        const { met, until } = stopped.report
        stopped.report = { ...stopped.report, met: met + 1, until: isRenewed ? now + tripLength : until, enforced }
        if (isRenewed) stopped.isNew = isAnyNew = true
        continue
      }
      if (verdictOf(scored.score) !== "block" || verified > typedInAttack * (missed + verified)) continue
      this.#dropTrips(now)
      if (this.#trips.size >= mostTrips) continue
      const [codes, typed] = [Math.round(missed), Math.round(verified)]
      const place = placeOf[reason](key)
      const until = now + tripLength
      this.#trips.set(key, {
        report: { reason, place, since: now, until, codes, typed, price, enforced, met: 1 },
        isNew: true
      })
      isAnyNew = true
    }
    return isAnyNew
  }

  /** Takes the trips that changed since they were stored; with `onlyNew`, those that tripped or were renewed. */
  takeTrips(onlyNew: boolean): ReadonlyArray<UnstoredTrip> {
    const changed: Array<UnstoredTrip> = []
    for (const stopped of this.#trips.values()) {
      if (!stopped.isNew && (onlyNew || stopped.report.met === 0)) continue
      changed.push({ ...stopped })
      stopped.report = { ...stopped.report, met: 0 }
      stopped.isNew = false
    }
    return changed
  }

  /** Takes a report back that could not be stored. */
  keepTrip({ isNew, report }: UnstoredTrip): void {
    const stopped = this.#trips.get(keyOfPlace[report.reason](report.place))
    if (stopped === undefined) return
    stopped.report = { ...stopped.report, met: stopped.report.met + report.met }
    stopped.isNew ||= isNew
  }

  /** Learns the stored trips, and which places an ADMIN let through. */
  learnTrips(stored: ReadonlyArray<Trip>, now: Instant): void {
    for (const { endedAt, environment: _, mailedAt: __, version: ___, ...trip } of stored) {
      const key = keyOfPlace[trip.reason](trip.place)
      const stopped = this.#trips.get(key)
      if (endedAt !== null) this.#letThrough(key, endedAt)
      else if (!isStopped(trip, now)) continue
      else if (stopped === undefined) this.#trips.set(key, { report: { ...trip, met: 0 }, isNew: false })
      else {
        const until = Math.max(stopped.report.until, trip.until)
        stopped.report = { ...stopped.report, since: trip.since, until }
      }
    }
    this.#dropTrips(now)
    for (const [key, at] of this.#forgotten) if (now - at > tripKept) this.#forgotten.delete(key)
  }

  #letThrough(key: string, at: Instant): void {
    if (at <= (this.#forgotten.get(key) ?? -1)) return
    this.#forgotten.set(key, at)
    this.#numbers.delete(key)
    if ((this.#trips.get(key)?.report.since ?? Infinity) <= at) this.#trips.delete(key)
  }

  #dropTrips(now: Instant): void {
    for (const [key, { report }] of this.#trips) if (!isStopped(report, now)) this.#trips.delete(key)
  }
}
