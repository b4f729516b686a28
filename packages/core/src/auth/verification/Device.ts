import * as Identifier from "../../foundation/identity/Identifier.ts"
import { hours, type Instant, type Millis, seconds, isBelieved } from "../../foundation/time/Instant.ts"

/** One token of a device's family: every use replaces the newest by its successor. */
export interface DeviceToken {
  readonly id: string
  /** 0 for the one that was issued, one more for each that replaced another. */
  readonly serial: number
}

/** What proved that a device is its person's: a code typed on it, or a link approved with the number that it showed. */
export type ProvedBy = "CODE" | "LINK"

/** A device that is trusted for one person: it skips codes and links until its trust ends. */
export interface Device {
  readonly id: string
  /** The serial of the family's newest token. */
  readonly serial: number
  /** Which master key derives the newest token. */
  readonly keyId: string
  /** When the tokens before the newest were replaced, the latest last: those whose grace lasts. */
  readonly replacedAt: ReadonlyArray<Instant>
  /** When it was last proved that the device is this person's. */
  readonly trustedAt: Instant
  /** Absent where a code proved it. */
  readonly by?: "LINK"
  readonly usedAt: Instant
  /** What the app said it is, for people to recognise it by. */
  readonly label: string | null
}

/** Everything that is known of one person's devices. */
export interface Devices {
  readonly trusted: ReadonlyArray<Device>
  /** Tokens issued until then are of no use unless their device is still trusted. */
  readonly revokedAt: Instant
}

export const none: Devices = { trusted: [], revokedAt: 0 }

/** How long trust lives: since the code that made it, and without being used. */
export interface TrustLife {
  readonly longest: Millis
  readonly unused: Millis
}

/** What a token is worth. */
export type Standing =
  /** Foreign, too old, or revoked. */
  | { readonly _tag: "Unknown" }
  /** Issued to this person, and no code has made it trusted yet. */
  | { readonly _tag: "Issued" }
  | { readonly _tag: "Trusted"; readonly device: Device }
  /** Replaced long ago: two parties hold tokens of this family. */
  | { readonly _tag: "Stolen"; readonly device: Device }

const most = 10
/** A replaced token is good for so long: the answer that carried its successor may have been lost. */
const grace = seconds(60)
/** A token that no code has made trusted is good for so long. */
const issuedLife = hours(24)

export const trustEndsAt = (device: Device, life: TrustLife): Instant =>
  Math.min(device.trustedAt + life.longest, device.usedAt + life.unused)

/** Trust that was made or used more than an hour ahead of now is not believed: a code has to make it again. */
const isTrusted = (device: Device, life: TrustLife, now: Instant): boolean =>
  now < trustEndsAt(device, life) && isBelieved(device.trustedAt, now) && isBelieved(device.usedAt, now)

export const trustedNow = ({ trusted }: Devices, life: TrustLife, now: Instant): ReadonlyArray<Device> =>
  trusted.filter((device) => isTrusted(device, life, now))

const unknown: Standing = { _tag: "Unknown" }

export const standingOf = (devices: Devices, token: DeviceToken | null, life: TrustLife, now: Instant): Standing => {
  if (token === null) return unknown
  const device = devices.trusted.find(({ id }) => id === token.id)
  if (device === undefined) {
    const issued = Identifier.timeOf(token.id)
    return token.serial === 0 && issued > devices.revokedAt && now < issued + issuedLife ? { _tag: "Issued" } : unknown
  }
  if (!isTrusted(device, life, now) || token.serial > device.serial) return unknown
  if (token.serial === device.serial) return { _tag: "Trusted", device }
  const replacedAt = device.replacedAt.at(token.serial - device.serial)
  return replacedAt !== undefined && now < replacedAt + grace ? { _tag: "Trusted", device } : { _tag: "Stolen", device }
}

/** Nobody who lost an answer comes back with a token older than these. */
const mostReplaced = 20

const replace = (devices: Devices, device: Device): Devices => ({
  ...devices,
  trusted: devices.trusted.map((one) => (one.id === device.id ? device : one))
})

/** The device was let in. Its token is replaced, unless it came with one that had just been. */
export const used = (devices: Devices, device: Device, token: DeviceToken, keyId: string, now: Instant): Devices =>
  replace(
    devices,
    token.serial === device.serial
      ? {
          ...device,
          serial: device.serial + 1,
          keyId,
          replacedAt: [...device.replacedAt.filter((at) => now < at + grace), now].slice(-mostReplaced),
          usedAt: now
        }
      : { ...device, usedAt: now }
  )

/** Whether the device's trust lets it skip this login. Truecaller proves more than a link, so a link never replaces it. */
export const canSkip = ({ by }: Device, isByVerifier: boolean): boolean => !isByVerifier || by !== "LINK"

/**
 * Makes a device trusted, or trusted anew. Beyond ten the oldest trust ends. A link does not prolong the trust that a
 * code made: what a code proved must end when it would have.
 */
export const trust = (
  devices: Devices,
  token: DeviceToken,
  { by, ...made }: { readonly keyId: string; readonly label: string | null; readonly by: ProvedBy },
  life: TrustLife,
  now: Instant
): Devices => {
  const known = devices.trusted.find(({ id }) => id === token.id)
  const provedBy = by === "LINK" ? { by } : {}
  if (known !== undefined) {
    const { by: before, ...rest } = known
    const label = made.label ?? known.label
    return replace(
      devices,
      by === "LINK" && before === undefined
        ? { ...known, usedAt: now, label }
        : { ...rest, ...provedBy, trustedAt: now, usedAt: now, label }
    )
  }
  const device: Device = { id: token.id, serial: 0, replacedAt: [], trustedAt: now, usedAt: now, ...provedBy, ...made }
  const others = [...trustedNow(devices, life, now)].sort((a, b) => a.trustedAt - b.trustedAt)
  return { ...devices, trusted: [...others.slice(Math.max(0, others.length - most + 1)), device] }
}

/** When a token that is issued now says it was: after everything that has been revoked. */
export const issuedAt = ({ revokedAt }: Devices, now: Instant): Instant => Math.max(now, revokedAt + 1)

/** Nothing of this family, and nothing issued until now, is worth anything from now on. */
export const revoke = (devices: Devices, id: string, now: Instant): Devices => ({
  trusted: devices.trusted.filter((device) => device.id !== id),
  revokedAt: issuedAt(devices, now)
})
