import { go, paths } from "../../address/here.ts"
import { filtersOf } from "../../address/filters.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import type { Item } from "../../api/Api.ts"
import { useKeys } from "../../keys/useKeys.ts"
import { useRenewal } from "../../live/useRenewal.ts"
import { Button } from "../../parts/Button.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Channel } from "../../parts/Pill.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { usePages } from "../../query/usePages.ts"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { count } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { NewCampaign } from "./NewCampaign.tsx"
import { OptOuts } from "./OptOuts.tsx"
import { doneOf, isMoving } from "./plan.ts"
import { Progress, Status } from "./Progress.tsx"
import { say } from "./words.ts"

const filters = filtersOf.campaigns

type Row = Item<"GET /v1/dashboard/campaigns">

const columns: ReadonlyArray<Column<Row>> = [
  {
    title: say.name,
    names: true,
    cell: ({ name }) => (
      <span class="theirs one-line" dir="auto">
        {name}
      </span>
    )
  },
  { title: say.status, cell: (campaign) => <Status campaign={campaign} /> },
  {
    title: say.progress,
    cell: (campaign) => (
      <span class="campaign-share">
        <Progress campaign={campaign} />
        <span class="number">{say.of(count(doneOf(campaign)), count(campaign.total))}</span>
      </span>
    )
  },
  { title: say.channel, drop: 1, cell: ({ channel }) => <Channel name={channel} /> },
  { title: say.parts.failed, number: true, drop: 2, cell: ({ failed }) => count(failed) },
  { title: say.when, drop: 2, cell: ({ startAt }) => <Time at={startAt} as="clock" /> }
]

function List() {
  const pages = usePages("GET /v1/dashboard/campaigns", () => ({ query: { limit: 50 } }), {
    id: ({ id }) => id,
    topics: ["campaign"]
  })
  const moves = pages.items.value?.some(isMoving) === true
  useRenewal([], { least: 2_000, most: 5_000 }, () => moves && pages.refetch())
  return (
    <div class="card campaigns-list">
      <LongTable
        caption={say.list}
        columns={columns}
        pages={pages}
        id={({ id }) => id}
        href={({ id }) => paths.campaign({ id })}
        empty={
          <Empty title={say.noneTitle}>
            <p>{say.noneHint}</p>
            <Button kind="main" blocked={may.arrange} onPress={() => go(paths.campaigns({ view: "new" }))}>
              {say.new}
            </Button>
          </Empty>
        }
      />
    </div>
  )
}

export default function CampaignsScreen() {
  const wanted = useFilters(filters)
  const view = wanted.value.view ?? "list"
  const begin = () => (may.arrange === undefined ? go(paths.campaigns({ view: "new" })) : undefined)
  useKeys({ c: [say.keys.new, begin] })
  return (
    <Screen
      title={shared.menu.campaigns}
      fills={view !== "new"}
      note={
        view === "new" ? null : (
          <Choice
            label={say.view}
            value={view}
            onChoose={(next) => setFilters(filters, { view: next === "list" ? null : next })}
            options={[
              { value: "list", label: say.list },
              { value: "optOuts", label: say.optOuts }
            ]}
          />
        )
      }
      actions={
        view === "new" ? (
          <a class="button" data-kind="quiet" href={paths.campaigns()}>
            {say.back}
          </a>
        ) : (
          <Button kind="main" keyName="C" blocked={may.arrange} onPress={begin}>
            {say.new}
          </Button>
        )
      }
    >
      {view === "new" ? <NewCampaign /> : view === "optOuts" ? <OptOuts /> : <List />}
    </Screen>
  )
}
