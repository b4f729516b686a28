import { useSignal } from "@preact/signals"
import { paths } from "../../address/here.ts"
import { wake } from "../../live/topics.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { say as shared } from "../../words/say.ts"
import { CheckSignature } from "./CheckSignature.tsx"
import { EndpointHealth } from "./EndpointHealth.tsx"
import { NewEndpointDialog } from "./NewEndpointDialog.tsx"
import { say } from "./words.ts"

/** Endpoints with issues first; otherwise the order is unchanged. */
export default function WebhooksScreen() {
  const list = useQuery("GET /v1/dashboard/webhooks", () => ({}), "webhook")
  useEvery(15_000, () => wake("webhook"))
  const isMaking = useSignal(false)
  const make = (
    <Button kind="main" deed="addEndpoint" opens="dialog" blocked={may.arrange} onPress={() => (isMaking.value = true)}>
      {say.make}
    </Button>
  )
  return (
    <Screen title={shared.menu.webhooks} busy={list.busy} actions={make}>
      <p class="quiet">{say.intro}</p>
      <Loaded
        query={list}
        empty={({ items }) =>
          items.length === 0 && (
            <Card>
              <Empty title={say.empty}>
                <p>{say.emptyHint}</p>
                {make}
                <p>{say.onMachine}</p>
                <Snippet label={say.url} text="http://localhost:3000/webhooks" />
              </Empty>
            </Card>
          )
        }
      >
        {({ items }) => (
          <Card>
            <Table
              caption={shared.menu.webhooks}
              rows={items.toSorted((a, b) => Number(b.failingSince !== null) - Number(a.failingSince !== null))}
              id={({ id }) => id}
              columns={[
                {
                  title: say.endpoint,
                  names: true,
                  cell: (row) => (
                    <a class="endpoint-name theirs" href={paths.webhook({ id: row.id })}>
                      {row.url}
                      {row.description === null ? null : <span class="quiet">{row.description}</span>}
                    </a>
                  )
                },
                { title: say.status, cell: (row) => <EndpointHealth of={row} /> },
                {
                  title: say.hears,
                  drop: 2,
                  cell: ({ events }) =>
                    events === null ? say.everything : <span title={events.join(", ")}>{say.types(events.length)}</span>
                },
                { title: say.added, drop: 1, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> }
              ]}
            />
          </Card>
        )}
      </Loaded>
      <details class="card">
        <summary>{say.check}</summary>
        <CheckSignature />
      </details>
      {isMaking.value ? <NewEndpointDialog onClose={() => (isMaking.value = false)} /> : null}
    </Screen>
  )
}
