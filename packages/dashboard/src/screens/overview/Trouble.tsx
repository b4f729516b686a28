import { paths } from "../../address/here.ts"
import { useRenewal } from "../../live/useRenewal.ts"
import { Time } from "../../parts/Time.tsx"
import { useChannels } from "../../query/useChannels.ts"
import { useQuery } from "../../query/useQuery.ts"
import { waitingText } from "../../shell/Needs.tsx"
import { channelName } from "../../words/channels.ts"
import { count, country, money, percent } from "../../words/format.ts"
import { type Attention, idOf, isGrave } from "./attention.ts"
import { say } from "./words.ts"

/** What it is about, with the rows behind it. */
const linkOf = (item: Attention): string => {
  switch (item.code) {
    case "NO_CHANNEL":
    case "CHANNEL_OFF":
    case "CHANNEL_PAUSED":
    case "CARRIER_PAUSED":
    case "CHANNEL_LATE":
      return paths.channels()
    case "NO_BALANCE":
    case "BALANCE_LOW":
      return paths.money()
    case "CAP_REACHED":
      return paths.settings()
    case "CUSTOMERS_WAITING":
      return paths.inbox()
    case "WEBHOOK_FAILING":
    case "WEBHOOK_OFF":
      return paths.webhook({ id: item.webhookId })
    case "KEY_RETIRING":
      return paths.keys()
    case "CONVERSION_LOW":
    case "DELIVERY_LOW": {
      const { channel, code, country, from, to } = item
      const failure = code === "DELIVERY_LOW" ? ({ failure: "notDelivered" } as const) : {}
      return paths.verifications({ channel, ...(country === null ? {} : { country }), ...failure, from, to })
    }
    case "STARTS_UNUSUAL":
      return paths.verifications({ country: item.country, from: item.from, to: item.to })
  }
}

/** Host and path of an endpoint, without scheme and query. */
const shortened = (url: string) => (URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : url)

const share = (value: number) => percent(value, 1)

/** A channel in a country. */
const groupOf = (channel: string, code: string | null) =>
  code === null ? channelName(channel) : say.inCountry(channelName(channel), country(code))

/** A sentence that ends with a time. */
function Until({ at, words }: { readonly words: string; readonly at: string }) {
  return (
    <>
      {words} <Time at={at} />
      {say.stop}
    </>
  )
}

function Endpoint({ url }: { readonly url: string }) {
  return (
    <>
      {say.webhook} <code class="theirs">{shortened(url)}</code>
    </>
  )
}

function Sentence({ item }: { readonly item: Attention }) {
  switch (item.code) {
    case "NO_CHANNEL":
      return <>{say.noChannel}</>
    case "CHANNEL_OFF":
      return <>{say.channelOff[item.role](channelName(item.channel))}</>
    case "CHANNEL_PAUSED":
    case "CARRIER_PAUSED":
      return (
        <>
          {item.code === "CHANNEL_PAUSED"
            ? say.breaker(channelName(item.channel))
            : say.carrier(item.carrier, channelName(item.channel))}{" "}
          {item.until === null ? null : <Until words={say.breakerUntil} at={item.until} />}
        </>
      )
    case "CHANNEL_LATE":
      return <Until words={say.late(count(item.count), channelName(item.channel))} at={item.since} />
    case "NO_BALANCE":
      return <>{say.noMoney(money(item.balance, item.currency))}</>
    case "BALANCE_LOW":
      return <>{say.balanceLow(money(item.balance, item.currency))}</>
    case "CAP_REACHED":
      return <>{say.capReached(channelName(item.channel), money(item.cap, item.currency))}</>
    case "CUSTOMERS_WAITING":
      return <Until words={say.waiting(waitingText(item), item.count)} at={item.since} />
    case "WEBHOOK_OFF":
      return (
        <>
          <Endpoint url={item.url} /> {item.reason === "GONE" ? say.endpointGone : say.endpointOff}
        </>
      )
    case "WEBHOOK_FAILING":
      return (
        <>
          <Endpoint url={item.url} /> <Until words={say.endpointFailing} at={item.since} /> {say.endpointWaits}
        </>
      )
    case "KEY_RETIRING":
      return <Until words={say.keyRetiring(item.name ?? item.keyId)} at={item.until} />
    case "CONVERSION_LOW":
    case "DELIVERY_LOW": {
      const words = item.code === "CONVERSION_LOW" ? say.conversionLow : say.deliveryLow
      return <>{words(groupOf(item.channel, item.country), share(item.share), share(item.usual), count(item.count))}</>
    }
    case "STARTS_UNUSUAL":
      return (
        <>
          {say.manyStarts(country(item.country), count(item.count), share(item.share), count(item.usual))}
          {item.prefix === null ? null : (
            <>
              {" "}
              {say.mostStartWith} <code>{item.prefix}</code>
              {say.stop}
            </>
          )}
        </>
      )
  }
}

/** What needs attention as the service computed it, or one line when nothing does. */
export function Trouble() {
  useChannels("settings")
  const attention = useQuery("GET /v1/dashboard/attention", () => ({}), "settings", "money", "webhook", "key")
  useRenewal(["verification", "lead"], { least: 10_000, most: 30_000 }, attention.refetch)
  const items = attention.answer.value?.items
  if (items === undefined || (attention.failure.value !== null && items.length === 0))
    return <p class="quiet">{attention.failure.value === null ? say.looking : say.unknown}</p>
  if (items.length === 0) return <p class="quiet">{say.fine}</p>
  return (
    <section class="trouble" data-grave={items.some(isGrave) || undefined} aria-labelledby="trouble">
      <h2 id="trouble">{say.needs(items.length)}</h2>
      <ul role="list">
        {items.map((item, index) => (
          <li key={idOf(item)} data-grave={isGrave(item) || undefined}>
            <p id={`trouble-${index}`}>
              <Sentence item={item} />
            </p>
            {/* Several links have the same word, so each is described by its sentence. */}
            <a href={linkOf(item)} aria-describedby={`trouble-${index}`}>
              {say.look}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
