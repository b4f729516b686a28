import { paths } from "../../address/here.ts"
import { useRenewal } from "../../live/useRenewal.ts"
import { Time } from "../../parts/Time.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { endpoints } from "../../shell/Needs.tsx"
import { money } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { calmly } from "./calmly.ts"
import { isGrave, troubleOf, type Trouble as Found } from "./trouble.ts"
import { say } from "./words.ts"

const linkOf = (trouble: Found): string => {
  switch (trouble.kind) {
    case "noMoney":
    case "balanceLow":
      return paths.money()
    case "capReached":
      return paths.settings()
    case "endpointFailing":
    case "endpointOff":
      return paths.webhook({ id: trouble.id })
  }
}

/** The host and the path: which endpoint it is, without its scheme and what may follow a `?`. */
const shortened = (url: string) => (URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : url)

function Sentence({ trouble }: { readonly trouble: Found }) {
  switch (trouble.kind) {
    case "noMoney":
      return <>{say.noMoney(money(trouble.balance, trouble.currency))}</>
    case "balanceLow":
      return <>{say.balanceLow(money(trouble.balance, trouble.currency))}</>
    case "capReached":
      return (
        <>{say.capReached(shared.channel[trouble.channel] ?? trouble.channel, money(trouble.cap, trouble.currency))}</>
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
          <Time at={trouble.since} />. {say.endpointWaits}
        </>
      )
  }
}

const idOf = (trouble: Found) =>
  `${trouble.kind}/${"id" in trouble ? trouble.id : "channel" in trouble ? trouble.channel : ""}`

/** What needs somebody, first of all; where nothing does, one quiet line. */
export function Trouble() {
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}), "money")
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  useRenewal(["verification"], calmly, balance.refetch)
  const troubles = troubleOf({
    endpoints: endpoints.value,
    balance: balance.answer.value,
    billing: settings.answer.value?.billing ?? null
  })
  if (troubles.length === 0) {
    if ([balance, settings].some(({ failure }) => failure.value !== null)) return <p class="quiet">{say.unknown}</p>
    const isKnown = endpoints.value !== null && balance.answer.value !== null && settings.answer.value !== null
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
