import type { Answer } from "../../api/Api.ts"

type Endpoint = Answer<"GET /v1/dashboard/webhooks">["items"][number]
type Balance = Answer<"GET /v1/dashboard/balance">

/** What is known of the service's state; null: not yet, and then nothing is said of it. */
export interface State {
  readonly endpoints: ReadonlyArray<Pick<Endpoint, "disabledReason" | "failingSince" | "id" | "status" | "url">> | null
  readonly balance: Pick<Balance, "available" | "balance" | "currency" | "low" | "spentToday"> | null
  readonly billing: "OFF" | "PREPAID" | null
}

/** Something that needs a person, with what a sentence about it says. */
export type Trouble =
  | { readonly kind: "noMoney"; readonly balance: number; readonly currency: string }
  | { readonly kind: "capReached"; readonly channel: string; readonly cap: number; readonly currency: string }
  | { readonly kind: "balanceLow"; readonly balance: number; readonly currency: string }
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
  // Whoever switched it off themselves knows.
  if (status === "DISABLED")
    return disabledReason === "GONE" || disabledReason === "FAILING"
      ? [{ kind: "endpointOff", id, url, reason: disabledReason }]
      : []
  return failingSince === null ? [] : [{ kind: "endpointFailing", id, url, since: failingSince }]
}

const ofMoney = ({ balance, billing }: State): ReadonlyArray<Trouble> => {
  // With billing off a balance stops nothing.
  if (balance === null || billing !== "PREPAID") return []
  const { currency } = balance
  const capped = balance.spentToday.flatMap(
    ({ amount, cap, channel }): ReadonlyArray<Trouble> =>
      cap !== null && amount >= cap ? [{ kind: "capReached", channel, cap, currency }] : []
  )
  if (balance.available <= 0) return [{ kind: "noMoney", balance: balance.balance, currency }, ...capped]
  return balance.low ? [...capped, { kind: "balanceLow", balance: balance.balance, currency }] : capped
}

/** What is wrong right now, what stops messages first. */
export const troubleOf = (state: State): ReadonlyArray<Trouble> => {
  const endpoints = state.endpoints?.flatMap(ofEndpoint) ?? []
  return [...ofMoney(state), ...endpoints]
}

/** Whether nobody is verified, or told, because of it; the rest can wait an hour. */
export const isGrave = ({ kind }: Trouble): boolean => kind !== "balanceLow"
