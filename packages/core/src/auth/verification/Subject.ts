import { type Devices, none } from "./Device.ts"
import { hours, type Instant, isBelieved } from "../../foundation/time/Instant.ts"
import { isAlone, loginKeyOf } from "./loginKey.ts"
import type { Mode, Path, Verification } from "./Verification.ts"

/** When new codes were made for one spelling of an identity on one path. */
export interface CodeLog {
  readonly spelling: string
  readonly path: Path
  readonly at: ReadonlyArray<Instant>
}

/**
 * A verification that another request may find: on the server path one for each spelling, mode and login, to be sent
 * again; on the SDK path, and for links that name no browser, by the idempotency key that started it alone.
 */
export interface LiveVerification {
  readonly spelling: string
  readonly path: Path
  readonly mode: Mode
  readonly id: string
  readonly expiresAt: Instant
  readonly command: string | null
  /** Its `loginKeyOf`, if it has one: links of several browsers live side by side. */
  readonly login?: string
}

/** Wrong codes in a row, over all verifications of a path. */
export interface Guesses {
  readonly failures: number
  readonly failedAt: Instant
}

/**
 * Everything about one person in one environment that concurrent requests could race for. Every change of a person's
 * verifications commits together with their subject, at the version it was decided on: so one row serialises one
 * person, and different people never wait for each other.
 */
export interface Subject {
  readonly environment: string
  readonly canonical: string
  /**
   * The version this state was read at; 0 when the person is new. Below 0 they are new as well, and their row begins above
   * that version of what limits keep since they were erased.
   */
  readonly version: number
  readonly codes: ReadonlyArray<CodeLog>
  /** Counted apart: what strangers with the public key guess never keeps a merchant's own backend from sending. */
  readonly guesses: { readonly [path in Path]: Guesses }
  /** When this person chose a wrong number on a link's page: the latest, within 24 hours. Absent when they never did. */
  readonly wrongNumbers?: ReadonlyArray<Instant>
  /** When apps had messages sent to this person within the last hour, with a place for each fallback. */
  readonly sdkMessages?: ReadonlyArray<Instant>
  readonly live: ReadonlyArray<LiveVerification>
  readonly devices: Devices
  /** Set by storage alone: it has no row of this person, and has some that begin with `keptMark` in the environment. */
  readonly mayBeErased?: true
}

/** What the names of erased people begin with. No number does, and no address is such a name: it has an `@`. */
export const keptMark = "#"
export const isKeptName = (name: string): boolean => name.startsWith(keptMark) && !name.includes("@")

const noGuesses: Guesses = { failures: 0, failedAt: 0 }

export const empty = (environment: string, canonical: string): Subject => ({
  environment,
  canonical,
  version: 0,
  codes: [],
  guesses: { SERVER: noGuesses, SDK: noGuesses },
  live: [],
  devices: none
})

const hour = hours(1)
const day = hours(24)

/** The instants that the sliding hour before `now` counts: not those of a clock that has been set right since. */
export const recent = (at: ReadonlyArray<Instant>, now: Instant) =>
  at.filter((instant) => instant > now - hour && isBelieved(instant, now))

/** How many new codes the last hour saw: for one spelling, and for the person. */
export const codesThisHour = (
  subject: Subject,
  path: Path,
  spelling: string,
  now: Instant
): { readonly spelling: ReadonlyArray<Instant>; readonly canonical: ReadonlyArray<Instant> } => {
  let ofSpelling: ReadonlyArray<Instant> = []
  const canonical: Array<Instant> = []
  for (const log of subject.codes) {
    if (log.path !== path) continue
    const at = recent(log.at, now)
    if (log.spelling === spelling) ofSpelling = at
    canonical.push(...at)
  }
  return { spelling: ofSpelling, canonical: canonical.sort((a, b) => a - b) }
}

/** The messages that apps had sent to this person in the last hour, over all spellings. */
export const sdkMessagesThisHour = ({ sdkMessages = [] }: Subject, now: Instant): ReadonlyArray<Instant> =>
  recent(sdkMessages, now)

/** Counts messages of an app. */
export const sdkMessagesMade = (subject: Subject, count: number, now: Instant): Subject => ({
  ...subject,
  sdkMessages: [...sdkMessagesThisHour(subject, now), ...Array<Instant>(count).fill(now)]
})

/** Failures in a row that still count: a day without one forgets them. */
export const failuresInARow = ({ guesses }: Subject, path: Path, now: Instant): number =>
  now - guesses[path].failedAt >= day || !isBelieved(guesses[path].failedAt, now) ? 0 : guesses[path].failures

/** Until when wrong codes in a row keep a person from new codes on this path. Null while they may request them. */
export const lockedUntil = (subject: Subject, path: Path, maxFailures: number, now: Instant): Instant | null =>
  maxFailures > 0 && failuresInARow(subject, path, now) >= maxFailures ? subject.guesses[path].failedAt + day : null

/** What a backend asks for: who, how, and, where no code is typed, which login. */
export interface Wanted {
  readonly spelling: string
  readonly mode: Mode
  /** Of `loginKeyOf`. */
  readonly login: string | null
  /** The idempotency key: all that finds a link which names no browser. */
  readonly command: string | null
}

/** The server path's verification that a further initiate of the same would send again. */
export const liveOf = (subject: Subject, { command, login, mode, spelling }: Wanted, now: Instant) =>
  subject.live.find(
    (live) =>
      live.path === "SERVER" &&
      live.spelling === spelling &&
      live.mode === mode &&
      (isAlone(login)
        ? command !== null && live.command === command && live.login?.startsWith(login!) === true
        : (live.login ?? null) === login) &&
      now < live.expiresAt
  )

/** The SDK path's verification that the request with this idempotency key started. */
export const startedBy = (subject: Subject, command: string, now: Instant) =>
  subject.live.find((live) => live.path === "SDK" && live.command === command && now < live.expiresAt)

/** A new code was made: it counts, and it is what a further initiate sends again. Forgets what no rule asks for. */
export const codeMade = (subject: Subject, verification: Verification, now: Instant): Subject => {
  const { path } = verification
  const { spelling } = verification.identity
  const codes: Array<CodeLog> = []
  let mine: ReadonlyArray<Instant> = []
  for (const log of subject.codes) {
    const at = recent(log.at, now)
    if (log.path === path && log.spelling === spelling) mine = at
    else if (at.length > 0) codes.push({ ...log, at })
  }
  codes.push({ spelling, path, at: [...mine, now] })
  return nowLive({ ...subject, codes }, verification, now)
}

const takesPlaceOf = (verification: Verification, login: string | null, live: LiveVerification) =>
  live.id === verification.id ||
  (verification.path === "SERVER" &&
    live.path === "SERVER" &&
    live.mode === verification.mode &&
    (live.login ?? null) === login &&
    live.spelling === verification.identity.spelling)

/** A verification became, or stays, one that another request may find. */
export const nowLive = (subject: Subject, verification: Verification, now: Instant): Subject => {
  const login = loginKeyOf(verification, verification)
  return {
    ...subject,
    live: [
      ...subject.live.filter((live) => now < live.expiresAt && !takesPlaceOf(verification, login, live)),
      {
        spelling: verification.identity.spelling,
        path: verification.path,
        mode: verification.mode,
        id: verification.id,
        expiresAt: verification.expiresAt,
        command: verification.path === "SDK" || isAlone(login) ? (verification.deliveries[0]?.command ?? null) : null,
        ...(login === null ? {} : { login })
      }
    ]
  }
}

/** A verification reached its end: nothing sends it again. */
export const ended = (subject: Subject, verificationId: string): Subject => ({
  ...subject,
  live: subject.live.filter((live) => live.id !== verificationId)
})

/** A wrong code for a verification of `path`, at whatever endpoint it was entered. */
export const guessedWrong = (subject: Subject, path: Path, now: Instant): Subject => ({
  ...subject,
  guesses: { ...subject.guesses, [path]: { failures: failuresInARow(subject, path, now) + 1, failedAt: now } }
})

/** After so many wrong numbers within 24 hours a person gets no more links. */
const mostWrongNumbers = 3

const recentWrongNumbers = ({ wrongNumbers = [] }: Subject, now: Instant) =>
  wrongNumbers.filter((at) => at > now - day && isBelieved(at, now))

/**
 * Until when a person gets no link, and no link that asks for a number can be approved. Null while links are allowed.
 * A right choice does not reset the count: only time and an unlock at the dashboard do.
 */
export const linksPausedUntil = (subject: Subject, now: Instant): Instant | null => {
  const recent = recentWrongNumbers(subject, now)
  return recent.length < mostWrongNumbers ? null : recent[recent.length - mostWrongNumbers]! + day
}

/** A wrong number on the page of a link: a wrong guess of its path, and one of the few that links allow. */
export const choseWrongNumber = (subject: Subject, path: Path, now: Instant): Subject => ({
  ...guessedWrong(subject, path, now),
  wrongNumbers: [...recentWrongNumbers(subject, now), now]
})

/** Allows links again. */
export const withoutWrongNumbers = ({ wrongNumbers: _, ...subject }: Subject): Subject => subject

/**
 * The right code for a verification of `path`. The backend's own login clears both counts, so that the person's app is
 * let in again; an app's clears the apps' alone, for nothing that begins with the public key gives anybody more tries
 * at the backend's codes.
 */
export const guessedRight = (subject: Subject, path: Path): Subject => ({
  ...subject,
  guesses: path === "SERVER" ? { SERVER: noGuesses, SDK: noGuesses } : { ...subject.guesses, SDK: noGuesses }
})

/**
 * The form a store keeps: JSON of everything but the key and the version. It is written with every change of a person,
 * and most people never mistyped a code and trust no device: what is as in `empty` is left out.
 */
export const encode = (subject: Subject): string => {
  const { devices, guesses } = subject
  // JSON leaves out what is undefined; copying all and hiding some is faster than copying all but some.
  return JSON.stringify({
    ...subject,
    environment: undefined,
    canonical: undefined,
    version: undefined,
    mayBeErased: undefined,
    guesses: neverWrong(guesses.SERVER) && neverWrong(guesses.SDK) ? undefined : guesses,
    devices: devices.trusted.length === 0 && devices.revokedAt === none.revokedAt ? undefined : devices
  })
}

const neverWrong = ({ failedAt, failures }: Guesses) => failures === 0 && failedAt === 0

export const withDevices = (subject: Subject, devices: Devices): Subject => ({ ...subject, devices })

/** Reads back what `encode` wrote. */
export const decode = (environment: string, canonical: string, version: number, text: string): Subject => ({
  ...empty(environment, canonical),
  ...(JSON.parse(text) as Partial<Subject>),
  version
})
