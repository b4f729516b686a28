import { type Devices, none } from "./Device.ts"
import { hours, type Instant, isBelieved } from "../../foundation/time/Instant.ts"
import { isAlone, isRelayedLogin, loginKeyOf, relayedLogin } from "./loginKey.ts"
import type { Mode, Path, Verification } from "./Verification.ts"

/** When new codes were created for one spelling of an identity on one path. */
export interface CodeLog {
  readonly spelling: string
  readonly path: Path
  readonly at: ReadonlyArray<Instant>
}

/**
 * A live verification that another request may find. On the server path there is one per spelling, mode and login, to
 * send again. On the SDK path, and for links that name no browser, only the idempotency key that started it finds it.
 */
export interface LiveVerification {
  readonly spelling: string
  readonly path: Path
  readonly mode: Mode
  readonly id: string
  readonly expiresAt: Instant
  readonly command: string | null
  /** Its `loginKeyOf`, if it has one. Links of several browsers can be live in parallel. */
  readonly login?: string
}

/** Consecutive wrong codes over all verifications of a path. */
export interface Guesses {
  readonly failures: number
  readonly failedAt: Instant
}

/**
 * All state of one person in one environment that concurrent requests could race for. Every change to a person's
 * verifications commits together with their subject, at the version it was decided on. So one row serialises one
 * person, and different people never wait for each other.
 */
export interface Subject {
  readonly environment: string
  readonly canonical: string
  /**
   * The version at which this state was read; 0 for a new person. A negative version also means a new person, whose
   * limits were kept after an erasure: their row begins above that kept version.
   */
  readonly version: number
  readonly codes: ReadonlyArray<CodeLog>
  /** Counted per path, so that wrong guesses with the public key never block a merchant's own backend. */
  readonly guesses: { readonly [path in Path]: Guesses }
  /**
   * When this person chose a wrong number on a link's page: the latest choices within 24 hours. Absent when they never
   * did.
   */
  readonly wrongNumbers?: ReadonlyArray<Instant>
  /** When apps had messages sent to this person within the last hour, including one entry per reserved fallback. */
  readonly sdkMessages?: ReadonlyArray<Instant>
  readonly live: ReadonlyArray<LiveVerification>
  readonly devices: Devices
  /** Codes and links that were sent since this person last signed in, up to `knownFor`. Absent before the first sign-in. */
  readonly unused?: number
  /** Set by storage alone: this person has no row, but the environment has rows that begin with `keptMark`. */
  readonly mayBeErased?: true
}

/**
 * The prefix of the names of erased people. No phone number begins with it, and an e-mail address always contains an
 * `@`.
 */
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

/** Returns the instants within the hour before `now`. Drops instants from a clock that has been corrected since. */
export const recent = (at: ReadonlyArray<Instant>, now: Instant) =>
  at.filter((instant) => instant > now - hour && isBelieved(instant, now))

/** Returns the new codes of the last hour: for one spelling, and for the person. */
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

/** Returns the messages that apps had sent to this person in the last hour, over all spellings. */
export const sdkMessagesThisHour = ({ sdkMessages = [] }: Subject, now: Instant): ReadonlyArray<Instant> =>
  recent(sdkMessages, now)

/** Counts messages sent by an app. */
export const sdkMessagesMade = (subject: Subject, count: number, now: Instant): Subject => ({
  ...subject,
  sdkMessages: [...sdkMessagesThisHour(subject, now), ...Array<Instant>(count).fill(now)]
})

/** Returns the consecutive failures that still count. A day without a failure resets them. */
export const failuresInARow = ({ guesses }: Subject, path: Path, now: Instant): number =>
  now - guesses[path].failedAt >= day || !isBelieved(guesses[path].failedAt, now) ? 0 : guesses[path].failures

/** Returns until when consecutive wrong codes block new codes on this path, or null when they do not. */
export const lockedUntil = (subject: Subject, path: Path, maxFailures: number, now: Instant): Instant | null =>
  maxFailures > 0 && failuresInARow(subject, path, now) >= maxFailures ? subject.guesses[path].failedAt + day : null

/** What identifies the verification that a backend wants: identity, mode and, without a typed code, the login. */
export interface Wanted {
  readonly spelling: string
  readonly mode: Mode
  /** From `loginKeyOf`. */
  readonly login: string | null
  /** The idempotency key. A link that names no browser can be found only by this key. */
  readonly idempotencyKey: string | null
}

/** Returns the server path's live verification that the same initiate would send again. */
export const liveOf = (subject: Subject, { idempotencyKey, login, mode, spelling }: Wanted, now: Instant) =>
  subject.live.find(
    (live) =>
      live.path === "SERVER" &&
      live.spelling === spelling &&
      live.mode === mode &&
      (isAlone(login)
        ? idempotencyKey !== null && live.command === idempotencyKey && live.login?.startsWith(login!) === true
        : (live.login ?? null) === login) &&
      now < live.expiresAt
  )

/** The entry of the relayed code that a request with one of these marks started. */
export const relayedBy = (subject: Subject, marks: ReadonlyArray<string>, now: Instant) => {
  const logins = marks.map(relayedLogin)
  return subject.live.find(({ expiresAt, login }) => login !== undefined && logins.includes(login) && now < expiresAt)
}

/** Returns the SDK path's verification that the request with this idempotency key started. */
export const startedBy = (subject: Subject, idempotencyKey: string, now: Instant) =>
  subject.live.find((live) => live.path === "SDK" && live.command === idempotencyKey && now < live.expiresAt)

/**
 * Records a new code: it counts towards the limits, and a further initiate sends it again. Drops entries that no limit
 * uses any more.
 */
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

/** Records a verification as live, so that another request may find it. */
export const nowLive = (subject: Subject, verification: Verification, now: Instant): Subject => {
  // No request sends a relayed code again: only a repeat of its own request finds it, and that outlives the code.
  if (verification.kind === "Relayed" && verification.mark === null) return subject
  const expiresAt =
    verification.kind === "Relayed" ? Math.max(verification.expiresAt, now + hour) : verification.expiresAt
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
        expiresAt,
        command: verification.path === "SDK" || isAlone(login) ? (verification.deliveries[0]?.command ?? null) : null,
        ...(login === null ? {} : { login })
      }
    ]
  }
}

/**
 * Removes a verification that has ended, so that no request sends it again. A relayed code stays until its time, so that
 * a repeat of its request finds it.
 */
export const ended = (subject: Subject, verificationId: string): Subject => ({
  ...subject,
  live: subject.live.filter((live) => live.id !== verificationId || isRelayedLogin(live.login))
})

/** Records a wrong code for a verification of `path`, at any endpoint. */
export const guessedWrong = (subject: Subject, path: Path, now: Instant): Subject => ({
  ...subject,
  guesses: { ...subject.guesses, [path]: { failures: failuresInARow(subject, path, now) + 1, failedAt: now } }
})

/** After this many wrong numbers within 24 hours, a person gets no more links. */
const mostWrongNumbers = 3

const recentWrongNumbers = ({ wrongNumbers = [] }: Subject, now: Instant) =>
  wrongNumbers.filter((at) => at > now - day && isBelieved(at, now))

/**
 * Returns until when a person gets no links and cannot approve a link that asks for a number. Null while links are
 * allowed. A right choice does not reset the count. Only time, or an unlock in the dashboard, does.
 */
export const linksPausedUntil = (subject: Subject, now: Instant): Instant | null => {
  const recent = recentWrongNumbers(subject, now)
  return recent.length < mostWrongNumbers ? null : recent[recent.length - mostWrongNumbers]! + day
}

/** Records a wrong number on a link's page: a wrong guess on its path, and one of the few that links allow. */
export const choseWrongNumber = (subject: Subject, path: Path, now: Instant): Subject => ({
  ...guessedWrong(subject, path, now),
  wrongNumbers: [...recentWrongNumbers(subject, now), now]
})

/** Allows links again. */
export const withoutWrongNumbers = ({ wrongNumbers: _, ...subject }: Subject): Subject => subject

/**
 * Records the right code for a verification of `path`. A backend's login resets both counts, so the person's app works
 * again too. An app's login resets only the SDK count: the public key must never grant more guesses at the backend's
 * codes.
 */
export const guessedRight = (subject: Subject, path: Path): Subject => ({
  ...subject,
  guesses: path === "SERVER" ? { SERVER: noGuesses, SDK: noGuesses } : { ...subject.guesses, SDK: noGuesses }
})

/**
 * Returns the stored form: JSON without the key and the version. Every change to a person writes it, and most people
 * have no wrong codes or trusted devices. So values equal to `empty` are left out.
 */
export const encode = (subject: Subject): string => {
  const { devices, guesses } = subject
  // JSON omits undefined fields. Copying all fields and setting some to undefined is faster than copying a subset.
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

/**
 * After so many messages without a sign-in, a person is judged as one who never signed in. Otherwise a number that
 * signed in once would get codes for ever while its country is attacked.
 */
export const knownFor = 3

/** Whether the person signed in before. It is remembered as long as their verifications are kept. */
export const isKnown = ({ unused = knownFor }: Subject): boolean => unused < knownFor

/**
 * Whether the person used the latest code or link that was sent to them. The guard does not judge their next request,
 * whatever others do with the numbers beside theirs.
 */
export const isTrusted = ({ unused }: Subject): boolean => unused === 0

/** Counts a message to a person who signed in before. */
export const messageMade = (subject: Subject): Subject => {
  const { unused = knownFor } = subject
  return unused < knownFor ? { ...subject, unused: unused + 1 } : subject
}

/** Records that the person proved who they are. */
export const signedIn = (subject: Subject): Subject => (subject.unused === 0 ? subject : { ...subject, unused: 0 })

export const withDevices = (subject: Subject, devices: Devices): Subject => ({ ...subject, devices })

/** Reads back what `encode` wrote. */
export const decode = (environment: string, canonical: string, version: number, text: string): Subject => ({
  ...empty(environment, canonical),
  ...(JSON.parse(text) as Partial<Subject>),
  version
})
