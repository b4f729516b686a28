import { hookRecipes } from "@countersign/core/hookRecipes"
import { paths } from "../../address/here.ts"
import { say as statuses } from "../../life/words.ts"
import { wake } from "../../live/topics.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { useQuery } from "../../query/useQuery.ts"
import type { Hook, HookRequest } from "./kinds.ts"
import { say } from "./words.ts"

const tones = { SENT: "good", REPEATED: "plain", REFUSED: "warn", FAILED: "bad", UNSIGNED: "bad" } as const

const statusWord = (status: string): string => statuses.message[status as keyof typeof statuses.message] ?? status

function Outcome({ row }: { readonly row: HookRequest }) {
  return (
    <>
      <Pill tone={tones[row.outcome]}>{say.outcomes[row.outcome]}</Pill>
      {row.problem === null ? null : <p class="quiet">{row.problem}</p>}
      {row.deliveries.map(({ deliveryStatus, id }) => (
        <p key={id}>
          {deliveryStatus === null ? (
            say.gone
          ) : (
            <a href={paths.verification({ requestId: id })}>{statusWord(deliveryStatus)}</a>
          )}
        </p>
      ))}
    </>
  )
}

/** What came in at a hook, with its outcome. */
export function Requests({ of, onClose }: { readonly of: Hook; readonly onClose: () => void }) {
  const list = useQuery("GET /v1/dashboard/hooks/:id/requests", () => ({ params: { id: of.id }, query: {} }), "hook")
  useEvery(5_000, () => wake("hook"))
  return (
    <Dialog title={say.requestsOf(of.name)} onClose={onClose} wide>
      <p class="quiet">{say.requestsHint}</p>
      <Loaded
        query={list}
        empty={({ items }) =>
          items.length === 0 && (
            <Empty title={say.noRequests}>
              <p>{say.noRequestsHint}</p>
              <Snippet label={say.setUp} text={hookRecipes[of.kind]({ url: of.url, secret: null })} />
            </Empty>
          )
        }
      >
        {({ items }) => (
          <Table
            caption={say.requestsOf(of.name)}
            rows={items}
            id={({ id }) => id}
            columns={[
              { title: say.time, names: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: say.recipient, cell: ({ recipients }) => recipients.join(", ") },
              { title: say.outcome, cell: (row) => <Outcome row={row} /> }
            ]}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
