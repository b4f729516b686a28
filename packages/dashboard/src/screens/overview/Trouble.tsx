import { paths } from "../../address/here.ts"
import { useRenewal } from "../../live/useRenewal.ts"
import { now, Time, useNow } from "../../parts/Time.tsx"
import { useChannels } from "../../query/useChannels.ts"
import { useQuery } from "../../query/useQuery.ts"
import { endpoints, waiting, waitingText } from "../../shell/Needs.tsx"
import { channelName } from "../../words/channels.ts"
import { count, money } from "../../words/format.ts"
import { refreshLimits } from "./refreshLimits.ts"
import { isGrave, troubleOf, type Trouble as Found } from "./trouble.ts"
import { say } from "./words.ts"

const linkOf = (trouble: Found): string => {
  switch (trouble.kind) {
    case "noChannel":
    case "channelOff":
    case "breaker":
    case "late":
      return paths.channels()
    case "noMoney":
    case "balanceLow":
      return paths.money()
    case "capReached":
      return paths.settings()
    case "waiting":
      return paths.inbox()
    case "endpointFailing":
    case "endpointOff":
      return paths.webhook({ id: trouble.id })
  }
}

/** Host and path of an endpoint, without scheme and query. */
const shortened = (url: string) => (URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : url)

function Sentence({ trouble }: { readonly trouble: Found }) {
  switch (trouble.kind) {
    case "noChannel":
      return <>{say.noChannel}</>
    case "channelOff":
      return <>{say.channelOff[trouble.role](channelName(trouble.channel))}</>
    case "breaker":
      return (
        <>
          {say.breaker(channelName(trouble.channel))}
          {trouble.until === null ? null : (
            <>
              {" "}
              {say.breakerUntil} <Time at={trouble.until} />
              {say.stop}
            </>
          )}
        </>
      )
    case "late":
      return (
        <>
          {say.late(count(trouble.count), channelName(trouble.channel))} <Time at={trouble.since} />
          {say.stop}
        </>
      )
    case "noMoney":
      return <>{say.noMoney(money(trouble.balance, trouble.currency))}</>
    case "balanceLow":
      return <>{say.balanceLow(money(trouble.balance, trouble.currency))}</>
    case "capReached":
      return <>{say.capReached(channelName(trouble.channel), money(trouble.cap, trouble.currency))}</>
    case "waiting":
      return (
        <>
          {say.waiting(waitingText(trouble), trouble.count)} <Time at={trouble.since} />
          {say.stop}
        </>
      )
    case "endpointOff":
      return (
        <>
          {say.webhook} <code class="theirs">{shortened(trouble.url)}</code>{" "}
          {trouble.reason === "GONE" ? say.endpointGone : say.endpointOff}
        </>
      )
    case "endpointFailing":
      return (
        <>
          {say.webhook} <code class="theirs">{shortened(trouble.url)}</code> {say.endpointFailing}{" "}
          <Time at={trouble.since} />
          {say.stop} {say.endpointWaits}
        </>
      )
  }
}

const idOf = (trouble: Found) =>
  `${trouble.kind}/${"id" in trouble ? trouble.id : "channel" in trouble ? trouble.channel : ""}`

/** Current issues, or one line when there are none. */
export function Trouble() {
  const channels = useChannels("settings")
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}), "money")
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  useNow()
  useRenewal(["verification"], refreshLimits, balance.refetch)
  useRenewal(["verification"], { least: 5_000, most: 15_000 }, channels.refetch)
  const troubles = troubleOf(
    {
      channels: channels.answer.value?.items ?? null,
      endpoints: endpoints.value,
      balance: balance.answer.value,
      waiting: waiting.value,
      billing: settings.answer.value?.billing ?? null
    },
    now.value
  )
  const reads = [channels, balance, settings]
  if (troubles.length === 0) {
    if (reads.some(({ failure }) => failure.value !== null)) return <p class="quiet">{say.unknown}</p>
    const isKnown =
      endpoints.value !== null && waiting.value !== null && reads.every(({ answer }) => answer.value !== null)
    return <p class="quiet">{isKnown ? say.fine : say.looking}</p>
  }
  return (
    <section class="trouble" data-grave={troubles.some(isGrave) || undefined} aria-labelledby="trouble">
      <h2 id="trouble">{say.needs(troubles.length)}</h2>
      <ul role="list">
        {troubles.map((trouble) => (
          <li key={idOf(trouble)}>
            <p>
              <Sentence trouble={trouble} />
            </p>
            <a href={linkOf(trouble)}>{say.look}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
