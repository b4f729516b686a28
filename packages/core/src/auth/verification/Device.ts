import * as Identifier from "../../foundation/identity/Identifier.ts"
import { hours, type Instant, type Millis, seconds, isBelieved } from "../../foundation/time/Instant.ts"

/** One token of a device's family. Each use replaces the newest token with its successor. */
export interface DeviceToken {
  readonly id: string
  /** 0 for the issued token; each replacement adds 1. */
  readonly serial: number
}

/**
 * What proved that a device belongs to its person: a code typed on it, or a link approved with the number it displayed.
 */
export type ProvedBy = "CODE" | "LINK"

/** A device that is trusted for one person. It skips codes and links until its trust ends. */
export interface Device {
  readonly id: string
  /** The serial of the family's newest token. */
  readonly serial: number
  /** The master key that derives the newest token. */
  readonly keyId: string
  /** When the earlier tokens were replaced, oldest first. Keeps only those still within their grace period. */
  readonly replacedAt: ReadonlyArray<Instant>
  /** When the person last proved that the device is theirs. */
  readonly trustedAt: Instant
  /** Absent when a code was the proof. */
  readonly by?: "LINK"
  readonly usedAt: Instant
  /** The app's description of the device, so that people recognise it. */
  readonly label: string | null
}

/** All device state of one person. */
export interface Devices {
  readonly trusted: ReadonlyArray<Device>
  /** A token issued up to this instant works only if its device is still trusted. */
  readonly revokedAt: Instant
}

export const none: Devices = { trusted: [], revokedAt: 0 }

/** How long trust lasts: in total since the proof, and without use. */
export interface TrustLife {
  readonly longest: Millis
  readonly unused: Millis
}

/** The result of checking a token. */
export type TrustLevel =
  /** Foreign, too old, or revoked. */
  | { readonly _tag: "Unknown" }
  /** Issued to this person, but no proof has made its device trusted yet. */
  | { readonly _tag: "Issued" }
  | { readonly _tag: "Trusted"; readonly device: Device }
  /** Replaced longer ago than the grace period: two parties hold tokens of this family. */
  | { readonly _tag: "Stolen"; readonly device: Device }

const maxTrusted = 10
/** A replaced token still works for this long, because the response with its successor may have been lost. */
const grace = seconds(60)
/** An issued token must become trusted within this time. */
const issuedLife = hours(24)

export const trustEndsAt = (device: Device, life: TrustLife): Instant =>
  Math.min(device.trustedAt + life.longest, device.usedAt + life.unused)

/**
 * Ignores trust dated more than an hour in the future, which means the clock was set back. The device needs a new code.
 */
const isTrusted = (device: Device, life: TrustLife, now: Instant): boolean =>
  now < trustEndsAt(device, life) && isBelieved(device.trustedAt, now) && isBelieved(device.usedAt, now)

export const trustedNow = ({ trusted }: Devices, life: TrustLife, now: Instant): ReadonlyArray<Device> =>
  trusted.filter((device) => isTrusted(device, life, now))

const unknown: TrustLevel = { _tag: "Unknown" }

export const trustLevelOf = (
  devices: Devices,
  token: DeviceToken | null,
  life: TrustLife,
  now: Instant
): TrustLevel => {
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

/** Limits the replacement times kept. A client that lost a response never presents an older token. */
const mostReplaced = 20

const replace = (devices: Devices, device: Device): Devices => ({
  ...devices,
  trusted: devices.trusted.map((existing) => (existing.id === device.id ? device : existing))
})

/**
 * Records a login by a trusted device. Replaces its token, unless the device presented a token that was just replaced.
 */
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

/**
 * Returns whether a trusted device can skip this login. Truecaller proves more than a link, so trust from a link cannot
 * skip a Truecaller login.
 */
export const canSkip = ({ by }: Device, isByVerifier: boolean): boolean => !isByVerifier || by !== "LINK"

/**
 * Makes a device trusted, or renews its trust. Keeps at most ten devices and drops the oldest. A link does not extend
 * trust that a code established, so that trust still ends when it was due.
 */
export const trust = (
  devices: Devices,
  token: DeviceToken,
  { by, ...proof }: { readonly keyId: string; readonly label: string | null; readonly by: ProvedBy },
  life: TrustLife,
  now: Instant
): Devices => {
  const existing = devices.trusted.find(({ id }) => id === token.id)
  const provedBy = by === "LINK" ? { by } : {}
  if (existing !== undefined) {
    const { by: formerProof, ...unproven } = existing
    const label = proof.label ?? existing.label
    return replace(
      devices,
      by === "LINK" && formerProof === undefined
        ? { ...existing, usedAt: now, label }
        : { ...unproven, ...provedBy, trustedAt: now, usedAt: now, label }
    )
  }
  const device: Device = { id: token.id, serial: 0, replacedAt: [], trustedAt: now, usedAt: now, ...provedBy, ...proof }
  const keptDevices = [...trustedNow(devices, life, now)].sort((a, b) => a.trustedAt - b.trustedAt)
  return { ...devices, trusted: [...keptDevices.slice(Math.max(0, keptDevices.length - maxTrusted + 1)), device] }
}

/** The issue time of a new token: later than every revocation, even if the clock was set back. */
export const issuedAt = ({ revokedAt }: Devices, now: Instant): Instant => Math.max(now, revokedAt + 1)

/** Revokes this family and every issued token whose device is not trusted. */
export const revoke = (devices: Devices, id: string, now: Instant): Devices => ({
  trusted: devices.trusted.filter((device) => device.id !== id),
  revokedAt: issuedAt(devices, now)
})
