import type { ComponentChildren } from "preact"
import { Bars } from "../../parts/Bars.tsx"
import { Channel as Name, Pill, type Tone } from "../../parts/Pill.tsx"
import { now, Time, useNow } from "../../parts/Time.tsx"
import { failureInWords } from "../../words/failureCode.ts"
import { count, duration } from "../../words/format.ts"
import { type Channel, type ChannelState, channelStateOf } from "../channelState.ts"
import { say } from "./words.ts"

interface Quantiles {
  readonly p50: number
  readonly p95: number
}
export interface Today {
  readonly counts: {
    readonly asked: number
    readonly sent: number
    readonly delivered: number
    readonly verified: number
  } | null
  readonly toDeliver: Quantiles | null
}

const tones: Readonly<Record<ChannelState["kind"], Tone>> = {
  working: "good",
  resting: "bad",
  trying: "warn",
  late: "warn",
  off: "plain"
}

/** The service stops counting pending messages here. */
const mostWaiting = 1_000

function Trouble({ state }: { readonly state: ChannelState }) {
  switch (state.kind) {
    case "resting":
      return (
        <p class="bad">
          {state.until === null ? (
            say.resting
          ) : (
            <>
              {say.restingUntil} <Time at={state.until} />.
            </>
          )}
        </p>
      )
    case "trying":
      return <p class="warn">{say.trying}</p>
    case "late":
      return <p class="warn">{say.late}</p>
    case "off":
    case "working":
      return null
  }
}

function Fact({ children, label }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function LastFailure({ lastFailure }: Pick<Channel, "lastFailure">) {
  if (lastFailure === null) return <>{say.noFailure}</>
  const words = failureInWords(lastFailure.providerCode)
  return (
    <>
      {words === null ? null : `${words} `}
      <code>{lastFailure.providerCode}</code>, <Time at={lastFailure.at} />
    </>
  )
}

const breakerTones = { CLOSED: "good", HALF_OPEN: "warn", OPEN: "bad" } as const

/** The carriers of a channel with several, each with its health and its preferred prefixes. */
function Carriers({ carriers }: Pick<Channel, "carriers">) {
  if (carriers.length < 2) return null
  return (
    <Fact label={say.carriers}>
      <ul class="plain-list">
        {carriers.map(({ breaker, carrier, prefixes }) => (
          <li key={carrier}>
            <span class="theirs">{carrier}</span>{" "}
            <Pill tone={breakerTones[breaker.state]}>{say.breaker[breaker.state]}</Pill>
            {prefixes.length === 0 ? null : (
              <span class="quiet"> {prefixes.map((prefix) => `+${prefix}`).join(", ")}</span>
            )}
          </li>
        ))}
      </ul>
    </Fact>
  )
}

function Facts({ channel, toDeliver }: { readonly channel: Channel; readonly toDeliver: Quantiles | null }) {
  const { lastReceiptAt, lastSentAt, oldestWaitingAt, perSecond, provider, waiting } = channel
  return (
    <dl class="facts">
      <Fact label={say.provider}>
        <span class="theirs">{provider}</span>
      </Fact>
      <Carriers carriers={channel.carriers} />
      <Fact label={say.pace}>{perSecond === null ? say.anyPace : say.perSecond(count(perSecond))}</Fact>
      <Fact label={say.waiting}>
        {waiting === 0 ? (
          say.nothingWaits
        ) : (
          <>
            {say.waitingNow(waiting >= mostWaiting ? say.many(count(waiting)) : count(waiting))}{" "}
            <Time at={oldestWaitingAt} />
          </>
        )}
      </Fact>
      <Fact label={say.lastSent}>
        <Time at={lastSentAt} />
      </Fact>
      <Fact label={say.lastReceipt}>
        <Time at={lastReceiptAt} />
      </Fact>
      <Fact label={say.toDeliver}>
        {toDeliver === null ? say.noReceipts : say.halfWithin(duration(toDeliver.p50), duration(toDeliver.p95))}
      </Fact>
      <Fact label={say.lastFailure}>
        <LastFailure lastFailure={channel.lastFailure} />
      </Fact>
    </dl>
  )
}

/** A channel with a provider: its state, pending messages and figures of today. */
export function ChannelCard({ channel, today }: { readonly channel: Channel; readonly today: Today }) {
  useNow()
  const state = channelStateOf(channel, now.value)
  const { counts, toDeliver } = today
  return (
    <section class="card one-channel" aria-labelledby={channel.channel}>
      <header>
        <h2 id={channel.channel}>
          <Name name={channel.channel} />
        </h2>
        {channel.role === null ? null : <Pill tone="accent">{say.role[channel.role]}</Pill>}
        <Pill tone={tones[state.kind]}>{say.state[state.kind]}</Pill>
      </header>
      <Trouble state={state} />
      <Facts channel={channel} toDeliver={toDeliver} />
      <h3>{say.today}</h3>
      {counts === null || counts.asked + counts.sent === 0 ? (
        <p class="quiet">{say.noneToday}</p>
      ) : (
        <Bars
          whole={Math.max(counts.asked, counts.sent)}
          bars={[
            { label: say.asked, value: counts.asked, of: counts.asked },
            // A login can have several messages, so messages are compared with themselves.
            { label: say.sent, value: counts.sent, of: counts.sent },
            // Without receipts, deliveries are unknown rather than zero.
            ...(channel.lastReceiptAt === null && counts.delivered === 0
              ? []
              : [{ label: say.delivered, value: counts.delivered, of: counts.sent }]),
            { label: say.verified, value: counts.verified, of: counts.asked }
          ]}
        />
      )}
    </section>
  )
}
