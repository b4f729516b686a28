import { paths } from "../../address/here.ts"
import { Card } from "../../parts/Card.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Channel, Pill } from "../../parts/Pill.tsx"
import { Time } from "../../parts/Time.tsx"
import { ExportCsv } from "../../shell/ExportCsv.tsx"
import { usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import * as format from "../../words/format.ts"
import { type Entry, entryFor, shortId } from "./entryOf.ts"
import { say } from "./words.ts"

const signed = (amount: number, currency: string) => `${amount > 0 ? "+" : ""}${format.money(amount, currency)}`

/** What an entry was for: a link with a name, or the reference of the payment. */
function For({ entry, names }: { readonly entry: Entry; readonly names: ReadonlyMap<string, string> }) {
  const what = entryFor(entry)
  switch (what.of) {
    case "verification":
      return (
        <a href={paths.verification({ requestId: what.id })} title={what.id}>
          {say.verification} <span class="mono">{shortId(what.id)}</span>
        </a>
      )
    case "campaign":
      return (
        <a class="theirs one-line" href={paths.campaign({ id: what.id })} title={what.id}>
          {names.get(what.id) ?? `${say.campaign} ${shortId(what.id)}`}
        </a>
      )
    case "message":
      return (
        <span title={what.id}>
          {say.message} <span class="mono">{shortId(what.id)}</span>
        </span>
      )
    case "nothing":
      return (
        <span class="quiet" title={what.id ?? undefined}>
          {say.noReference}
        </span>
      )
    default:
      return (
        <span class="theirs one-line" title={what.text}>
          {what.text}
        </span>
      )
  }
}

/** All transactions, with a CSV download. */
export function Ledger({ currency }: { readonly currency: string }) {
  const ledger = usePages("GET /v1/dashboard/ledger", () => ({ query: { limit: 100 } }), {
    id: ({ id }: Entry) => String(id),
    topics: ["money", "verification", "campaign"]
  })
  const campaigns = useQuery("GET /v1/dashboard/campaigns", () => ({ query: { limit: 50 } }), "campaign")
  const names = new Map(campaigns.answer.value?.items.map(({ id, name }) => [id, name]))
  return (
    <Card
      title={say.ledger}
      actions={<ExportCsv of="GET /v1/dashboard/ledger" input={() => ({})} fileName="ledger.csv" />}
    >
      <div class="ledger-rows" data-list="ledger">
        <LongTable
          caption={say.ledger}
          pages={ledger}
          id={({ id }) => String(id)}
          empty={
            <Empty title={say.ledgerEmpty}>
              <p>{say.ledgerNext}</p>
              <p>{say.ledgerHint}</p>
            </Empty>
          }
          columns={[
            { title: say.when, names: true, cell: ({ createdAt }) => <Time at={createdAt} as="clock" /> },
            {
              title: say.what,
              cell: ({ channel, kind }) => (
                <>
                  <Pill tone={kind === "SEND" ? "plain" : "accent"}>{say.kinds[kind]}</Pill>{" "}
                  {channel === null ? null : <Channel name={channel} />}
                </>
              )
            },
            {
              title: say.forWhat,
              drop: 1,
              cell: (entry) => <For entry={entry} names={names} />
            },
            {
              title: say.moved,
              number: true,
              cell: ({ amount }) => <span class={amount > 0 ? "good" : undefined}>{signed(amount, currency)}</span>
            },
            { title: say.after, number: true, drop: 2, cell: ({ balance }) => format.money(balance, currency) }
          ]}
        />
      </div>
    </Card>
  )
}
