import * as Device from "./Device.ts"
import { trustLife } from "./trustLife.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Subject, withDevices } from "./Subject.ts"

/** The device that a person proved themselves from. */
export interface Trusting {
  /** The device token that came along, if it is one of this person's. */
  readonly device: Device.DeviceToken | null
  /** What to call that device. */
  readonly label: string | null
  /** The master key in use. */
  readonly keyId: string
}

/** Makes the device that a person proved themselves from trusted, if its token is good for that. */
export const trusting = (
  subject: Subject,
  { device, keyId, label }: Trusting,
  by: Device.ProvedBy,
  settings: Settings,
  now: Instant
): { readonly subject: Subject; readonly deviceId: string | null } => {
  if (!settings.oneTap || device === null) return { subject, deviceId: null }
  const life = trustLife(settings)
  const standing = Device.standingOf(subject.devices, device, life, now)
  switch (standing._tag) {
    case "Unknown":
      return { subject, deviceId: null }
    case "Stolen":
      return { subject: withDevices(subject, Device.revoke(subject.devices, device.id, now)), deviceId: null }
    case "Issued":
    case "Trusted":
      return {
        subject: withDevices(subject, Device.trust(subject.devices, device, { keyId, label, by }, life, now)),
        deviceId: device.id
      }
  }
}
