import { computed, type ReadonlySignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { paths } from "../../address/here.ts"
import { clearOf } from "./clearOf.ts"
import { GuardChip } from "../../life/GuardChip.tsx"
import { isAlive, resultOf, tookOf, type Verification, wayOf, withLock } from "../../life/result.ts"
import { timeOf } from "../../life/timeOf.ts"
import { useKeys } from "../../keys/useKeys.ts"
import { onItem } from "../../live/topics.ts"
import { Button, Copy } from "../../parts/Button.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Channel, Pill } from "../../parts/Pill.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { usePages } from "../../query/usePages.ts"
import { openPalette } from "../../shell/Palette.tsx"
import { duration } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { isFiltered, mayBeIdentity, meantBy, queryOf, type Wanted } from "./filters.ts"
import { say } from "./words.ts"

/**
 * Receipts send no events. While one of the newest rows may get one, the head of the list is refetched at this
 * interval.
 */
const every = 5_000
const newest = 20

function Way({ row }: { readonly row: Verification }) {
  const channelPath = wayOf(row)
  if (channelPath.length === 0) return <span class="quiet">{say.nothingSent}</span>
  return (
    <>
      {channelPath.map((channel, n) => (
        <span key={n}>
          {n === 0 ? null : " → "}
          <Channel name={channel} />
        </span>
      ))}
    </>
  )
}

const columns: ReadonlyArray<Column<Verification>> = [
  { title: shared.when, cell: ({ createdAt }) => <Time at={createdAt} as="clock" /> },
  { title: say.who, names: true, cell: ({ identity }) => <span class="theirs">{identity}</span> },
  { title: say.way, drop: 1, cell: (row) => <Way row={row} /> },
  {
    title: say.result,
    cell: (row) => {
      const { tone, words } = resultOf(row)
      return (
        <>
          <GuardChip of={row} />
          <Pill tone={tone} title={words}>
            {words}
          </Pill>
        </>
      )
    }
  },
  {
    title: say.took,
    number: true,
    drop: 2,
    cell: (row) => {
      const took = tookOf(row)
      return took === null ? <span class="quiet">–</span> : duration(took)
    }
  },
  {
    title: say.person,
    drop: 2,
    // The row is one Tab stop, so this link has a key instead.
    cell: ({ identity, person }) => (
      <a class="row-person" href={paths.person({ id: person })} tabIndex={-1} aria-label={say.personOf(identity)}>
        {say.person}
      </a>
    )
  },
  {
    title: say.order,
    drop: 3,
    cell: ({ orderId }) => (orderId === null ? <span class="quiet">–</span> : <span class="theirs">{orderId}</span>)
  },
  {
    title: say.by,
    drop: 3,
    cell: ({ path, relayed, trial }) => (
      <span class="quiet">{relayed === null ? (trial ? say.trial : say.paths[path]) : say.relayed}</span>
    )
  }
]

function NothingYet() {
  const command = `curl ${location.origin}/v1/auth/initiate -H "X-Client-Id: $CLIENT_ID" -H "X-Client-Secret: $CLIENT_SECRET" -H "Content-Type: application/json" -d '{"identity":"+919876543210","identityType":"MOBILE","mode":"OTP"}'`
  return (
    <Empty title={say.nothing}>
      <p>{say.nothingHint}</p>
      <pre tabIndex={0}>{command}</pre>
      <Copy text={command} />
    </Empty>
  )
}

function NothingFound({ wanted }: { readonly wanted: Wanted }) {
  const meant = wanted.find === undefined ? null : meantBy(wanted.find, wanted.as)
  const otherKind =
    meant?.kind === "identity" ? "order" : meant?.kind === "order" && mayBeIdentity(meant.orderId) ? "identity" : null
  const isEndOfNumber = meant?.kind === "order" && /^\d{2,9}$/.test(meant.orderId)
  return (
    <Empty title={say.noneFound}>
      {meant === null ? null : <p>{say.lookedFor[meant.kind](wanted.find ?? "")}</p>}
      {isEndOfNumber ? <p>{say.endOfNumber}</p> : null}
      {wanted.find === undefined ? null : (
        <Button opens="dialog" kind={isEndOfNumber ? "main" : "plain"} onPress={() => openPalette(wanted.find)}>
          {say.findPerson}
        </Button>
      )}
      {otherKind === null ? null : (
        <a class="button" data-kind="quiet" href={paths.verifications({ ...wanted, as: otherKind })}>
          {say.instead[otherKind]}
        </a>
      )}
      <Button onPress={clearOf(wanted)}>{shared.clearFilters}</Button>
    </Empty>
  )
}

/** Refetches the head of the list while one of its newest rows may get a receipt. */
const useReceipts = (items: ReadonlySignal<ReadonlyArray<Verification> | null>, refetch: () => void) => {
  const waits = useMemo(() => computed(() => items.value?.slice(0, newest).some(isAlive) === true), [])
  useEvery(waits.value ? every : null, refetch)
}

/** Follows the link to the user in the row with the focus, or in the first row. On narrow screens it is hidden. */
const openPersonOfRow = () =>
  (document.activeElement?.closest(".long-row") ?? document.querySelector(".long-row"))
    ?.querySelector<HTMLAnchorElement>("a.row-person")
    ?.click()

/** Verifications of all channels, newest first, updated live. */
export function VerificationTable({ wanted }: { readonly wanted: ReadonlySignal<Wanted> }) {
  const query = useMemo(() => computed(() => JSON.stringify(queryOf(wanted.value))), [])
  const pages = usePages("GET /v1/dashboard/verifications", () => ({ query: JSON.parse(query.value) }), {
    id: ({ requestId }) => requestId,
    topics: ["verification"],
    timeOf,
    changes: (put) => onItem("verification", (item) => put(item as Verification)),
    merge: withLock
  })
  useReceipts(pages.items, pages.refetch)
  useKeys({ u: [say.openPerson, openPersonOfRow] })
  return (
    <LongTable
      caption={shared.menu.verifications}
      columns={columns}
      pages={pages}
      id={({ requestId }) => requestId}
      href={({ requestId }) => paths.verification({ requestId }, wanted.value)}
      empty={isFiltered(wanted.value) ? <NothingFound wanted={wanted.value} /> : <NothingYet />}
    />
  )
}
