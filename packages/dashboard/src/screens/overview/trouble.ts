import type { Answer } from "../../api/Api.ts"
import { type Channel, channelStateOf, type Seen } from "../channelState.ts"

type Endpoint = Answer<"GET /v1/dashboard/webhooks">["items"][number]
type Balance = Answer<"GET /v1/dashboard/balance">

/** Inputs of the issues. Null while loading, which reports no issue. */
export interface State {
  readonly channels: ReadonlyArray<Seen & Pick<Channel, "channel" | "role">> | null
  readonly endpoints: ReadonlyArray<Pick<Endpoint, "disabledReason" | "failingSince" | "id" | "status" | "url">> | null
  readonly balance: Pick<Balance, "available" | "balance" | "currency" | "low" | "spentToday"> | null
  readonly waiting: { readonly count: number; readonly since: string | null; readonly more: boolean } | null
  readonly billing: "OFF" | "PREPAID" | null
}

/** An issue that needs action, with the data of its sentence. */
export type Trouble =
  | { readonly kind: "noChannel" }
  | { readonly kind: "channelOff"; readonly channel: string; readonly role: "PRIMARY" | "FALLBACK" }
  | { readonly kind: "breaker"; readonly channel: string; readonly until: string | null }
  | { readonly kind: "late"; readonly channel: string; readonly count: number; readonly since: string }
  | { readonly kind: "noMoney"; readonly balance: number; readonly currency: string }
  | { readonly kind: "capReached"; readonly channel: string; readonly cap: number; readonly currency: string }
  | { readonly kind: "balanceLow"; readonly balance: number; readonly currency: string }
  | { readonly kind: "waiting"; readonly count: number; readonly more: boolean; readonly since: string }
  | { readonly kind: "endpointFailing"; readonly id: string; readonly url: string; readonly since: string }
  | {
      readonly kind: "endpointOff"
      readonly id: string
      readonly url: string
      readonly reason: "GONE" | "FAILING"
    }

const ofEndpoint = ({
  disabledReason,
  failingSince,
  id,
  status,
  url
}: NonNullable<State["endpoints"]>[number]): ReadonlyArray<Trouble> => {
  // An endpoint that a user disabled is not an issue.
  if (status === "DISABLED")
    return disabledReason === "GONE" || disabledReason === "FAILING"
      ? [{ kind: "endpointOff", id, url, reason: disabledReason }]
      : []
  return failingSince === null ? [] : [{ kind: "endpointFailing", id, url, since: failingSince }]
}

const ofChannels = (channels: NonNullable<State["channels"]>, now: number): ReadonlyArray<Trouble> => {
  if (channels.every(({ enabled }) => !enabled)) return [{ kind: "noChannel" }]
  return channels.flatMap((channelState): ReadonlyArray<Trouble> => {
    const { channel, role } = channelState
    const state = channelStateOf(channelState, now)
    switch (state.kind) {
      case "off":
        return role === null ? [] : [{ kind: "channelOff", channel, role }]
      case "resting":
      case "trying":
        return [{ kind: "breaker", channel, until: state.kind === "resting" ? state.until : null }]
      case "late":
        return [{ kind: "late", channel, count: state.count, since: state.since }]
      case "working":
        return []
    }
  })
}

const ofMoney = ({ balance, billing }: State): ReadonlyArray<Trouble> => {
  // With billing off, the balance stops nothing.
  if (balance === null || billing !== "PREPAID") return []
  const { currency } = balance
  const capped = balance.spentToday.flatMap(
    ({ amount, cap, channel }): ReadonlyArray<Trouble> =>
      cap !== null && amount >= cap ? [{ kind: "capReached", channel, cap, currency }] : []
  )
  if (balance.available <= 0) return [{ kind: "noMoney", balance: balance.balance, currency }, ...capped]
  return balance.low ? [...capped, { kind: "balanceLow", balance: balance.balance, currency }] : capped
}

const ofInbox = (waiting: State["waiting"]): ReadonlyArray<Trouble> => {
  if (waiting === null || waiting.since === null) return []
  const { more, count, since } = waiting
  return [{ kind: "waiting", count, more, since }]
}

/** Current issues: first what stops all messages, then channels, then webhooks. */
export const troubleOf = (state: State, now: number): ReadonlyArray<Trouble> => {
  const channels = state.channels === null ? [] : ofChannels(state.channels, now)
  const all = [
    ...channels,
    ...ofMoney(state),
    ...(state.endpoints?.flatMap(ofEndpoint) ?? []),
    ...ofInbox(state.waiting)
  ]
  return all.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

const order: ReadonlyArray<Trouble["kind"]> = [
  "noChannel",
  "noMoney",
  "channelOff",
  "breaker",
  "late",
  "capReached",
  "endpointOff",
  "endpointFailing",
  "waiting",
  "balanceLow"
]

/** Whether an issue prevents verifications or webhooks now. Others can wait an hour. */
export const isGrave = (trouble: Trouble): boolean =>
  trouble.kind !== "balanceLow" &&
  trouble.kind !== "waiting" &&
  !(trouble.kind === "channelOff" && trouble.role === "FALLBACK")
