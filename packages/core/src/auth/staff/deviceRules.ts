import { atLeast } from "../../account/merchant/Role.ts"
import { days, type Instant } from "../../foundation/time/Instant.ts"
import { type Agent, isActive } from "./Agent.ts"
import type { Device } from "./Device.ts"

/** How many devices an agent can have. */
export const mostDevices = 10
/** A device where the dashboard was not opened for so long gets no more pushes. */
const forgottenAfter = days(30)
/** How often `seenAt` is written. */
const seenEvery = days(1)

const isKept = ({ seenAt }: Device, now: Instant) => now < seenAt + forgottenAfter

const isSame = (a: Device, b: Device) =>
  a.id === b.id &&
  a.p256dh === b.p256dh &&
  a.auth === b.auth &&
  a.keyId === b.keyId &&
  a.sessionId === b.sessionId &&
  a.userAgent === b.userAgent

/**
 * The devices after one was added or seen again; the same list when nothing needs to be written. Above the limit, the
 * devices that were not seen for the longest time are dropped.
 */
export const withDevice = (devices: ReadonlyArray<Device>, device: Device, now: Instant): ReadonlyArray<Device> => {
  const before = devices.find(({ id }) => id === device.id)
  // `seenAt` is in the future after the clock was set back.
  const isFresh = before !== undefined && before.seenAt <= now && now < before.seenAt + seenEvery
  if (before !== undefined && isFresh && isSame(before, device)) return devices
  const others = devices
    .filter((other) => other.id !== device.id && isKept(other, now))
    .toSorted((a, b) => b.seenAt - a.seenAt || (a.id < b.id ? -1 : 1))
    .slice(0, mostDevices - 1)
  return [...others, { ...device, addedAt: before?.addedAt ?? device.addedAt }]
}

/** The agent without the devices for which `drops` holds; the same agent when there are none. */
export const withoutDevices = (agent: Agent, drops: (device: Device) => boolean): Agent =>
  agent.devices?.some(drops) === true ? { ...agent, devices: agent.devices.filter((one) => !drops(one)) } : agent

/** The devices that pushes may go to: none for an agent who may not answer customers. */
export const devicesOf = (agent: Agent, now: Instant): ReadonlyArray<Device> =>
  isActive(agent) && atLeast(agent.role, "AGENT") ? (agent.devices ?? []).filter((device) => isKept(device, now)) : []
