import { useRenewal } from "../../live/useRenewal.ts"
import { Card } from "../../parts/Card.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { Channel as Name } from "../../parts/Pill.tsx"
import { useChannels } from "../../query/useChannels.ts"
import { useQuery } from "../../query/useQuery.ts"
import { Screen } from "../../shell/Screen.tsx"
import { zone } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import type { Channel } from "../channelState.ts"
import { ChannelCard } from "./ChannelCard.tsx"
import { FallbackPicture } from "./FallbackPicture.tsx"
import { inOrder, variablesOf, wayOf } from "./route.ts"
import { say } from "./words.ts"

/** A breaker first opens for ten seconds, so poll often enough to see it. */
const patience = { least: 5_000, most: 10_000 }

const today = () => {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString()
}

/** Channels without a provider, with the variables to set. */
function Off({ channels }: { readonly channels: ReadonlyArray<Channel> }) {
  if (channels.length === 0) return null
  return (
    <Card title={say.off}>
      <p class="quiet">{say.offHint}</p>
      <dl class="facts channels-off">
        {channels.map(({ channel }) => (
          <>
            <dt key={channel}>
              <Name name={channel} />
            </dt>
            <dd>
              {(variablesOf[channel] ?? []).map((variable) => (
                <code key={variable}>{variable}</code>
              ))}
            </dd>
          </>
        ))}
      </dl>
    </Card>
  )
}

/** The default route and the state of each channel. */
export default function ChannelsScreen() {
  const channels = useChannels("settings")
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  const wanted = () => ({ query: { from: today(), tz: zone, groupBy: "channel" } })
  const funnel = useQuery("GET /v1/dashboard/stats/funnel", wanted)
  const latency = useQuery("GET /v1/dashboard/stats/latency", wanted)
  useRenewal(["verification"], patience, channels.refetch)
  useRenewal(["verification"], { least: 10_000, most: 60_000 }, () =>
    [funnel, latency].forEach((each) => each.refetch())
  )
  const todayOf = (name: string) => ({
    counts: funnel.answer.value?.items.find(({ group }) => group === name) ?? null,
    toDeliver: latency.answer.value?.items.find(({ group }) => group === name)?.toDeliver ?? null
  })
  return (
    <Screen title={shared.menu.channels}>
      <Loaded query={channels} empty={({ items }) => items.length === 0 && <Empty title={shared.nothing} />}>
        {({ items }) => {
          const ordered = inOrder(items)
          return (
            <>
              {settings.answer.value === null ? null : <FallbackPicture way={wayOf(settings.answer.value, items)} />}
              <div class="channels">
                {ordered
                  .filter(({ enabled }) => enabled)
                  .map((channel) => (
                    <ChannelCard key={channel.channel} channel={channel} today={todayOf(channel.channel)} />
                  ))}
              </div>
              <Off channels={ordered.filter(({ enabled }) => !enabled)} />
              <p class="quiet">{say.processNote}</p>
            </>
          )
        }}
      </Loaded>
    </Screen>
  )
}
