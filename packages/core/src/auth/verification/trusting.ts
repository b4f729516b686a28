import * as Device from "./Device.ts"
import { trustLife } from "./trustLife.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Subject, withDevices } from "./Subject.ts"

/** The device on which a person proved themselves. */
export interface Trusting {
  /** The device token of the request, if it belongs to this person. */
  readonly device: Device.DeviceToken | null
  /** The display name of the device. */
  readonly label: string | null
  /** The current master key. */
  readonly keyId: string
}

/** Makes the device on which a person proved themselves trusted, if its token allows it. */
export const trusting = (
  subject: Subject,
  { device, keyId, label }: Trusting,
  by: Device.ProvedBy,
  settings: Settings,
  now: Instant
): { readonly subject: Subject; readonly deviceId: string | null } => {
  if (!settings.oneTap || device === null) return { subject, deviceId: null }
  const life = trustLife(settings)
  const trustLevel = Device.trustLevelOf(subject.devices, device, life, now)
  switch (trustLevel._tag) {
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
