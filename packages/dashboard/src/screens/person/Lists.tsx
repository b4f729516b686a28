import { paths } from "../../address/here.ts"
import type { Item } from "../../api/Api.ts"
import { GuardChip } from "../../life/GuardChip.tsx"
import { idOf, refusedFor } from "../../life/refusedFor.ts"
import { resultOf, type Verification, wayOf } from "../../life/result.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Fact } from "../../parts/Fact.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { Channel, Pill } from "../../parts/Pill.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import type { Pages } from "../../query/usePages.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { say as shared } from "../../words/say.ts"
import type { Person } from "./facts.ts"
import { say } from "./words.ts"

type Refused = Item<"GET /v1/dashboard/refusals">

const none = <span class="quiet">–</span>

interface ListProps<R> {
  readonly title: string
  readonly pages: Pages<R>
  readonly columns: ReadonlyArray<Column<R>>
  readonly id: (row: R) => string
  readonly empty: string
}

/** A list that grows by a button, so that the page has one scroll bar. */
function List<R>({ columns, empty, id, pages, title }: ListProps<R>) {
  const [rows, failure] = [pages.items.value, pages.failure.value]
  return (
    <Card title={title}>
      {failure === null ? null : <Refusal failure={failure} again={pages.refetch} />}
      {rows === null ? (
        failure === null ? (
          <p class="waiting">{shared.loading}…</p>
        ) : null
      ) : rows.length === 0 && !pages.more.value ? (
        <p class="quiet">{empty}</p>
      ) : (
        <Table caption={title} rows={rows} id={id} columns={columns} />
      )}
      {pages.more.value ? (
        <Button kind="quiet" busy={pages.busy.value} onPress={pages.readOn}>
          {shared.do.more}
        </Button>
      ) : null}
    </Card>
  )
}

const verificationColumns: ReadonlyArray<Column<Verification>> = [
  {
    title: say.requested,
    names: true,
    cell: ({ createdAt, requestId }) => (
      <a href={paths.verification({ requestId })}>
        <Time at={createdAt} as="clock" />
      </a>
    )
  },
  {
    title: say.result,
    cell: (row) => {
      const { tone, words } = resultOf(row)
      return (
        <>
          <GuardChip of={row} />
          <Pill tone={tone}>{words}</Pill>
        </>
      )
    }
  },
  {
    title: say.channels,
    drop: 1,
    cell: (row) => {
      const way = wayOf(row)
      if (way.length === 0) return <span class="quiet">{say.nothingSent}</span>
      return way.map((channel, n) => (
        <span key={n}>
          {n === 0 ? null : " → "}
          <Channel name={channel} />
        </span>
      ))
    }
  },
  {
    title: say.order,
    drop: 1,
    cell: ({ orderId }) => (orderId === null ? none : <span class="theirs">{orderId}</span>)
  },
  {
    title: say.by,
    drop: 3,
    cell: ({ path, relayed, trial }) => (
      <span class="quiet">{relayed === null ? (trial ? say.trial : say.paths[path]) : say.relayed}</span>
    )
  }
]

export const Verifications = ({ pages }: { readonly pages: Pages<Verification> }) => (
  <List
    title={say.verifications}
    pages={pages}
    columns={verificationColumns}
    id={({ requestId }) => requestId}
    empty={say.noVerifications}
  />
)

const refusalColumns: ReadonlyArray<Column<Refused>> = [
  { title: shared.when, cell: ({ at }) => <Time at={at} as="clock" /> },
  { title: say.why, names: true, cell: (row) => <Pill tone="bad">{refusedFor(row)}</Pill> },
  { title: say.channel, drop: 1, cell: ({ channel }) => (channel === null ? none : <Channel name={channel} />) },
  { title: say.by, drop: 2, cell: ({ path }) => <span class="quiet">{say.paths[path]}</span> }
]

export const Refusals = ({ pages }: { readonly pages: Pages<Refused> }) => (
  <List title={say.refusals} pages={pages} columns={refusalColumns} id={idOf} empty={say.noRefusals} />
)

export function Devices({ of: { devices } }: { readonly of: Person }) {
  const revoke = useSend("DELETE /v1/dashboard/devices/:id", "person", "audit")
  return (
    <Card title={say.devices}>
      {devices.length === 0 ? (
        <p class="quiet">{say.noDevices}</p>
      ) : (
        <Table
          caption={say.devices}
          rows={devices}
          id={({ id }) => id}
          columns={[
            {
              title: say.device,
              names: true,
              cell: ({ label }) => <span class="theirs">{label ?? say.unnamedDevice}</span>
            },
            { title: say.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
            { title: say.until, drop: 1, cell: ({ expiresAt }) => <Time at={expiresAt} as="date" /> },
            {
              title: say.action,
              cell: ({ id, label }) => (
                <Button
                  kind="danger"
                  blocked={may.arrange}
                  busy={revoke.busy.value}
                  label={say.endTrustOf(label ?? say.unnamedDevice)}
                  onPress={() =>
                    void revoke.send({ params: { id } }).then((done) => done === null || tell(say.trustEnded))
                  }
                >
                  {say.endTrust}
                </Button>
              )
            }
          ]}
        />
      )}
      {revoke.failure.value === null ? null : <Refusal failure={revoke.failure.value} />}
    </Card>
  )
}

export function Conversation({ of: { lead } }: { readonly of: Person }) {
  if (lead === null)
    return (
      <Card title={say.conversation}>
        <p class="quiet">{say.noConversation}</p>
      </Card>
    )
  return (
    <Card
      title={say.conversation}
      actions={
        <a class="button" data-kind="quiet" href={paths.lead({ id: lead.id })}>
          {say.openLead}
        </a>
      }
    >
      <dl class="facts">
        <Fact title={say.customer}>
          <span class="theirs" dir="auto">
            {lead.name ?? say.unnamed}
          </span>{" "}
          <Pill>{say.status[lead.status]}</Pill>
        </Fact>
        <Fact title={say.lastMessage}>
          <Time at={lead.lastMessageAt} />
        </Fact>
        {lead.waitingSince === null ? null : (
          <Fact title={say.waitingSince}>
            <Time at={lead.waitingSince} />
          </Fact>
        )}
      </dl>
    </Card>
  )
}

/** What decides whether messages reach the user: wrong codes, and the opt-out. */
export function Messaging({ of: { identityType, locks, optOut } }: { readonly of: Person }) {
  const wrongCodesOf = (path: "SERVER" | "SDK") => String(locks.find((lock) => lock.path === path)?.wrongCodes ?? 0)
  return (
    <Card title={say.messaging}>
      <dl class="facts">
        <Fact title={say.wrongCodes}>{say.wrongCodesBy(wrongCodesOf("SERVER"), wrongCodesOf("SDK"))}</Fact>
        {identityType === "EMAIL" ? null : (
          <Fact title={say.campaigns}>
            {optOut === null ? (
              say.notOptedOut
            ) : (
              <>
                <a href={paths.campaigns({ view: "optOuts" })}>{say.optedOut[optOut.by]}</a>,{" "}
                <Time at={optOut.at} as="date" />
              </>
            )}
          </Fact>
        )}
      </dl>
    </Card>
  )
}
