import { AgingMap } from "../../foundation/time/AgingMap.ts"
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
import { addLately, addTo, emptyTally, latelyAt, ofHourly, type Tally, weightAt } from "./Tally.ts"

/** A request to send a code to a phone number. */
export interface GuardedRequest {
  /** E.164 digits without `+`. */
  readonly number: string
  /** The end user's IPv4 address, or the /64 of an IPv6 address. Null when it is unknown. */
  readonly address: string | null
  /** The backend's own id of the device. Null when it is unknown. */
  readonly device: string | null
  /**
   * Whether the person signed in before. An attack on a country or a range is no evidence against them, and their
   * codes are none for newcomers there.
   */
  readonly isKnown?: boolean
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

/** The most numbers to remember: about 50 MB. More requests in fifteen minutes forget the oldest ones early. */
const mostEntries = 100_000

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

/**
 * A country or a range that is under attack gets its usual codes all the same: newcomers may leave as many unanswered
 * in an hour as were entered in an hour of the last days, times this. People sign in twice as often in the evening as on
 * average.
 */
const usualTimes = 2
/** A place where people sign in is never refused outright for its country or range: the newcomer may try again. */
const mostAgainstPeople = Math.floor(blockScore * 10) / 10

/** For so long, a request with a reason speaks against the other numbers of its block. */
const metCounts = hours(1)
const mostMet = 20_000

/** A place's own past counts up to this share: it may differ from yesterday's for honest reasons. */
const mostOwnShare = 0.75

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
  /** The tallies of its country and its range. Null for a person who signed in before. */
  readonly places: ReadonlyArray<Tally>
}

const keysOf = ({
  address,
  device,
  isKnown = false,
  number
}: GuardedRequest): ReadonlyArray<readonly [Scope, string]> => {
  const { country, prefix, range } = placesOfNumber(number)
  const keys: Array<readonly [Scope, string]> = []
  if (!isKnown) keys.push(["country", `c${country}`])
  if (prefix !== null) keys.push(["prefix", `n${prefix}`])
  if (range !== null && !isKnown) keys.push(["range", `n${range}**`])
  if (address !== null) keys.push(["address", `a${address}`])
  if (device !== null) keys.push(["device", `d${device}`])
  return keys
}

const isWide = (scope: Scope): boolean => scope === "country" || scope === "range"

/** Whether more codes are entered than in an attack. */
const hasPeople = ({ missed, verified }: Pick<Evidence, "missed" | "verified">): boolean =>
  verified > typedInAttack * (missed + verified)

/** A place with a past is held to its own share of typed codes. Below `assumed`, no place is believed to usually be. */
const ownShare = (assumedShare: number, verified: number, missed: number): number =>
  Math.min(
    mostOwnShare,
    Math.max(assumedShare, (verified + assumedShare * assumed.worth) / (verified + missed + assumed.worth))
  )

const isUnanswered = (state: Entry["state"]): 0 | 1 => (state === "PENDING" || state === "UNVERIFIED" ? 1 : 0)

/**
 * Codes to blocks where no code is missing are counted apart as well. An attack on a few blocks of a country is no
 * evidence against the people of its other blocks.
 */
const cleanKey = (key: string): string => `${key}!`

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
  /** The latest request of each number. */
  readonly #entries = new AgingMap<Entry>()
  /** Entries in the order in which they became pending, from `#nextPending` on. */
  #pending: Array<Entry> = []
  #nextPending = 0
  /** By block: the latest number whose request had a reason. Also refused requests tell which blocks an attack uses. */
  readonly #met = new AgingMap<{ readonly number: string; readonly at: Instant }>()
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
    if (this.observeAgain(outcome)) return
    const known = this.#entries.get(outcome.number)
    if (known !== undefined && outcome.at < known.at) return
    let prefix: Tally | null = null
    const tallies: Array<Tally> = [this.#all]
    const places: Array<Tally> = []
    const isClean = this.#isClean(outcome.number, outcome.at)
    for (const [scope, key] of keysOf(outcome)) {
      if (this.#forgotten.size > 0 && outcome.at <= (this.#forgotten.get(key) ?? -1)) continue
      const tally = this.#talliesOf(scope).of(key, outcome.at)
      tallies.push(tally)
      if (scope === "prefix") prefix = tally
      else if (isWide(scope)) {
        places.push(tally)
        if (!isClean) continue
        const ofClean = this.#numbers.of(cleanKey(key), outcome.at)
        tallies.push(ofClean)
        places.push(ofClean)
      }
    }
    const { at, number } = outcome
    // Copies are as long as they must be: a list that grew keeps room for 17.
    const entry: Entry = { number, at, state: "LOST", tallies: tallies.slice(), prefix, places: places.slice() }
    this.#entries.set(outcome.number, entry)
    // A code of another process is read when its usual time is over. It must not wait behind younger ones.
    const isOver = outcome.state === "PENDING" && now - outcome.at >= usualTyping
    this.#become(entry, isOver ? "UNVERIFIED" : outcome.state)
  }

  /**
   * Records a later state of a request that was observed before. Returns whether it is remembered: one that was forgotten
   * early must not count a second time.
   */
  observeAgain({ at, number, state }: GuardedOutcome): boolean {
    const known = this.#entries.get(number)
    if (known === undefined || Math.abs(at - known.at) >= longestTyping) return false
    this.#become(known, state)
    return true
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
    if (entry.places.length > 0) {
      const unanswered = isUnanswered(state) - isUnanswered(before)
      const verified = state === "VERIFIED" ? 1 : 0
      for (const place of entry.places) addLately(place, { unanswered, verified }, at)
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
    for (let oldest = this.#entries.oldest; oldest !== null; oldest = this.#entries.oldest) {
      if (now - oldest.value.at < entriesKept && this.#entries.size <= mostEntries) break
      this.#entries.delete(oldest.key)
    }
  }

  /** The share of typed codes that is usual here, from all of the last days. */
  usual(): number {
    const { unverified, verified } = this.#all
    const share = (verified + assumed.share * assumed.worth) / (verified + unverified + assumed.worth)
    return Math.max(lowestUsual, share)
  }

  #evidence(scope: Scope, tally: Tally, usual: number, now: Instant): Evidence {
    const weight = weightAt(tally.at, now)
    const verified = tally.verified * weight
    const missed = tally.unverified * weight + (isWide(scope) ? 0 : tally.pending)
    const atMost = isWide(scope) ? ownShare(usualAtMost[scope], verified, missed) : usualAtMost[scope]
    const typed = Math.min(usual, atMost)
    const forMissed = Math.log((1 - typedInAttack) / (1 - typed))
    const forTyped = Math.log(typed / typedInAttack)
    const score = missed * forMissed - verified * forTyped
    if (!isWide(scope)) return { forMissed, forTyped, missed, score, verified }
    // Yesterday's typed codes would hide an attack for hours.
    const lately = latelyAt(tally, now)
    const missedLately = Math.max(0, lately.unanswered - tally.pending)
    const scoreLately = missedLately * forMissed - lately.verified * forTyped
    return { forMissed, forTyped, missed, score: Math.max(score, scoreLately), verified }
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

  /** Whether nothing speaks against the other numbers of a block: no code is missing, and no request had a reason. */
  #isClean(number: string, now: Instant): boolean {
    const { prefix } = placesOfNumber(number)
    if (prefix === null) return true
    const met = this.#met.get(prefix)
    if (met !== undefined && now - met.at < metCounts && met.number !== number) return false
    const tally = this.#numbers.find(`n${prefix}`)
    if (tally === undefined) return true
    const own = tally.recent.includes(Number(number.slice(-4))) ? 1 : 0
    return tally.pending + tally.unverified * weightAt(tally.at, now) - own < 0.5
  }

  #noteMet(number: string, now: Instant): void {
    const { prefix } = placesOfNumber(number)
    if (prefix === null) return
    const met = this.#met.get(prefix)
    // Of two numbers, each is another one to the other.
    if (met !== undefined && met.number === number && now - met.at < metCounts) return
    this.#met.set(prefix, { number, at: now })
    const { oldest } = this.#met
    if (oldest !== null && this.#met.size > mostMet) this.#met.delete(oldest.key)
  }

  /** Whether a place gets another code, because people who are new there usually get as many. */
  #hasRoom(tally: Tally, verified: number, now: Instant): boolean {
    return latelyAt(tally, now).unanswered < (usualTimes * verified) / ofHourly
  }

  /** The most that codes to clean blocks say against a number of such a block. No limit for other numbers. */
  #ofClean(number: string, scope: Scope, key: string, usual: number, now: Instant): number {
    if (!this.#isClean(number, now)) return Infinity
    const tally = this.#numbers.find(cleanKey(key))
    if (tally === undefined) return 0
    const { score, verified } = this.#evidence(scope, tally, usual, now)
    return this.#hasRoom(tally, verified, now) ? 0 : score
  }

  /** Judges a request by what was observed. Changes nothing that a later judgement depends on. */
  judge(request: GuardedRequest, now: Instant): Judgement {
    this.#pass(now)
    let reasons: Array<ScoredReason> | null = null
    const usual = this.usual()
    for (const [scope, key] of keysOf(request)) {
      // The other numbers of the block say nothing about a person who signed in before.
      if (scope === "prefix" && request.isKnown === true) continue
      const tally = this.#talliesOf(scope).find(key)
      const stopped = this.#trips.size === 0 ? undefined : this.#trips.get(key)
      if (tally === undefined) {
        if (stopped !== undefined && this.#isHeld(stopped, null, now))
          (reasons ??= []).push({ reason: reasonOf[scope], score: rounded(blockScore) })
        continue
      }
      const known = this.#evidence(scope, tally, usual, now)
      const { forMissed, score: evidence, verified } = known
      const isHeld = stopped !== undefined && this.#isHeld(stopped, known, now)
      let score = isHeld ? Math.max(evidence, blockScore) : evidence
      if (score >= this.#leastScore && isWide(scope)) {
        if (this.#hasRoom(tally, verified, now)) score = 0
        else if (!isHeld && hasPeople(known))
          score = Math.min(score, mostAgainstPeople, this.#ofClean(request.number, scope, key, usual, now))
      }
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
    this.#noteMet(request.number, now)
    for (const [scope, key] of keysOf(request)) {
      const reason = reasonOf[scope]
      const scored = reasons.find((one) => one.reason === reason)
      if (!isTripReason(reason) || scored === undefined) continue
      const tally = this.#talliesOf(scope).find(key)
      const { missed, score, verified } =
        tally === undefined ? { missed: 0, score: 0, verified: 0 } : this.#evidence(scope, tally, this.usual(), now)
      const stopped = this.#trips.get(key)
      const enforced = isEnforced(reason)
      if (stopped !== undefined && isStopped(stopped.report, now)) {
        const isRenewed = score >= this.#leastScore && isDueForRenewal(stopped.report, now)
        const { met, until } = stopped.report
        stopped.report = { ...stopped.report, met: met + 1, until: isRenewed ? now + tripLength : until, enforced }
        if (isRenewed) stopped.isNew = isAnyNew = true
        continue
      }
      if (verdictOf(scored.score) !== "block" || hasPeople({ missed, verified })) continue
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
    this.#numbers.delete(cleanKey(key))
    if ((this.#trips.get(key)?.report.since ?? Infinity) <= at) this.#trips.delete(key)
  }

  #dropTrips(now: Instant): void {
    for (const [key, { report }] of this.#trips) if (!isStopped(report, now)) this.#trips.delete(key)
  }
}
