import { paths } from "../../address/here.ts"
import { channelFilter } from "../../address/filters.ts"
import { oneOf, text } from "../../address/filtersIn.ts"
import { setFilter, setFilters, useFilters } from "../../address/useFilters.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { Channel } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { useChannels } from "../../query/useChannels.ts"
import { channelName, channelNames } from "../../words/channels.ts"
import { say as shared } from "../../words/say.ts"
import { SenderIds } from "./SenderIds.tsx"
import { localeWords, State } from "./State.tsx"
import { matchingTemplates, localesOf, purposes, states, statesOf } from "./template.ts"
import { useTemplates } from "./useTemplates.ts"
import { say } from "./words.ts"

const filters = { channel: channelFilter, purpose: oneOf(purposes), locale: text, state: oneOf(states) }

function Filter({
  label,
  name,
  options,
  value
}: {
  readonly label: string
  readonly name: keyof typeof filters
  readonly value: string | undefined
  readonly options: ReadonlyArray<readonly [value: string, words: string]>
}) {
  return (
    <label>
      <span class="unseen">{label}</span>
      <select value={value ?? ""} onChange={(event) => setFilter(filters, name, event.currentTarget.value)}>
        <option value="">
          {label}: {shared.any}
        </option>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** All templates of this environment, and the sender IDs. */
export default function TemplatesScreen() {
  const wanted = useFilters(filters)
  const pages = useTemplates()
  useChannels()
  const write =
    may.arrange === undefined ? (
      <a class="button" data-kind="main" href={paths.template({ id: "new" })}>
        {say.write}
      </a>
    ) : (
      <Button kind="main" blocked={may.arrange}>
        {say.write}
      </Button>
    )
  return (
    <Screen title={shared.menu.templates} busy={pages.busy} actions={write}>
      <p class="quiet">{say.intro}</p>
      <Loaded
        query={{ ...pages, answer: pages.items }}
        empty={(items) =>
          items.length === 0 && (
            <Card>
              <Empty title={say.empty}>
                <p>{say.emptyHint}</p>
                {write}
              </Empty>
            </Card>
          )
        }
      >
        {(items) => {
          const { channel, locale, purpose, state } = wanted.value
          const rows = matchingTemplates(items, wanted.value)
          return (
            <Card>
              <div class="template-filters" role="group" aria-label={say.filters}>
                <Filter
                  label={say.channel}
                  name="channel"
                  value={channel}
                  options={channelNames().map((channel) => [channel, channelName(channel)])}
                />
                <Filter
                  label={say.purpose}
                  name="purpose"
                  value={purpose}
                  options={purposes.map((purpose) => [purpose, say.purposes[purpose]])}
                />
                <Filter
                  label={say.language}
                  name="locale"
                  value={locale}
                  options={localesOf(items).map((locale) => [locale, localeWords(locale)])}
                />
                <Filter
                  label={say.state}
                  name="state"
                  value={state}
                  options={statesOf(items).map((state) => [state, say.states[state] ?? state])}
                />
              </div>
              {rows.length === 0 ? (
                <Empty title={shared.nothingMatches}>
                  <Button
                    onPress={() =>
                      setFilters(filters, {
                        channel: undefined,
                        purpose: undefined,
                        locale: undefined,
                        state: undefined
                      })
                    }
                  >
                    {shared.clearFilters}
                  </Button>
                </Empty>
              ) : (
                <Table
                  caption={shared.menu.templates}
                  rows={rows}
                  id={({ id }) => id}
                  columns={[
                    {
                      title: say.name,
                      names: true,
                      cell: ({ id, name }) => (
                        <a class="template-name theirs" href={paths.template({ id })}>
                          {name}
                        </a>
                      )
                    },
                    { title: say.channel, cell: (row) => <Channel name={row.channel} /> },
                    { title: say.purpose, drop: 1, cell: (row) => say.purposes[row.purpose] },
                    { title: say.language, cell: (row) => localeWords(row.locale) },
                    { title: say.state, cell: (row) => <State of={row} /> },
                    { title: say.changed, drop: 2, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
                  ]}
                />
              )}
            </Card>
          )
        }}
      </Loaded>
      <SenderIds />
    </Screen>
  )
}
