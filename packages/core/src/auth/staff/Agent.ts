import { type Acting, actingRole } from "../../account/merchant/Caller.ts"
import { atLeast, Role } from "../../account/merchant/Role.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Device } from "./Device.ts"

export const AgentRole = Role
export type AgentRole = Role

export const AgentStatus = ["INVITED", "ACTIVE", "SUSPENDED"] as const
export type AgentStatus = (typeof AgentStatus)[number]

/** The waits, in minutes, after which an agent can get a mail about waiting customers. */
export const DigestMinutes = [15, 60] as const
export type DigestMinutes = (typeof DigestMinutes)[number]

/** An agent's choice of mails about waiting customers. */
export interface DigestChoice {
  /** How long a customer must wait before a mail. Null: no mails. */
  readonly minutes: DigestMinutes | null
  /** When the agent chose this. Jobs of an earlier choice end. */
  readonly chosenAt: Instant
  /** The latest mail, also of an earlier choice. Null before the first one. */
  readonly mailedAt: Instant | null
}

/** A team member of a merchant. It is the same agent in all of the merchant's environments. */
export interface Agent {
  readonly merchantId: string
  /** Counted from 1 in each merchant, and never reused. */
  readonly id: number
  /** The version this state was read at; 0 before the first save. */
  readonly version: number
  /** The address as it was entered. */
  readonly email: string
  /** The canonical form of the address, used for lookups. Unique within the merchant. */
  readonly canonical: string
  /** The display name that the agent chose for colleagues. Null or absent without one. */
  readonly name?: string | null
  /** The mails about waiting customers that the agent chose. Null or absent while they never chose any. */
  readonly digest?: DigestChoice | null
  /** The browsers that show push notifications. Null or absent without any. */
  readonly devices?: ReadonlyArray<Device> | null
  readonly role: AgentRole
  readonly status: AgentStatus
  /** Increases whenever earlier sign-ins must end. Sessions and links of an earlier era stop working. */
  readonly era: number
  /**
   * When the owner of this address first signed in here with a code, a passkey or a provider; null before that. A
   * merchant can enter any address and redeem its own link. Neither proves that the owner works here.
   */
  readonly agreedAt: Instant | null
  /** A removed agent is hidden, and its address is free again. Its number is not. */
  readonly removedAt: Instant | null
  readonly createdAt: Instant
}

/** Whether leads can be assigned to this agent, and whether the agent may sign in. */
export const isActive = ({ removedAt, status }: Agent): boolean => removedAt === null && status === "ACTIVE"

/**
 * The agent after a change, in a new era when the change ends earlier sign-ins: another role, another address, or no
 * longer active. So the change and the end of the sessions are one commit, and reactivation does not revive old
 * sessions. Links of an earlier era are void too, because they were given for another role or address. Devices for push
 * notifications go with the sessions that added them.
 */
export const inEra = (before: Agent, after: Agent): Agent => {
  const ends =
    before.canonical !== after.canonical ||
    before.role !== after.role ||
    after.removedAt !== null ||
    after.status === "SUSPENDED" ||
    (isActive(before) && !isActive(after))
  const agreedAt = before.canonical === after.canonical ? after.agreedAt : null
  return ends ? { ...after, agreedAt, era: before.era + 1, ...(after.devices == null ? {} : { devices: null }) } : after
}

/**
 * Whether a caller may act for an agent who has already worked here: create a sign-in link, or change the address for
 * codes. Signed-in owners and the operator may. An admin may not, because that would give access to a colleague's
 * account.
 */
export const mayActFor = (by: Acting): boolean => actingRole(by) === "OWNER"

/** Whether a caller may make and change agents with these roles: at most the role that the caller acts with. */
export const withinOwnRole = (by: Acting, roles: ReadonlyArray<AgentRole>): boolean => {
  const ownRole = actingRole(by)
  return roles.every((role) => atLeast(ownRole, role))
}
