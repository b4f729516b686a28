import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { paths } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Fact } from "../../parts/Fact.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { may } from "../../session/may.ts"
import { isPhone } from "../../shell/narrow.ts"
import { count, money } from "../../words/format.ts"
import { ChangeDialog } from "./ChangeDialog.tsx"
import { type Reason, type Seen, standingOf } from "./standing.ts"
import { say } from "./words.ts"

interface Props {
  readonly seen: Seen
  /** The range in words. */
  readonly days: string
  readonly from: string
}

interface Figure {
  readonly title: string
  readonly cell: (row: Reason) => ComponentChildren
}

const none = <span class="quiet">–</span>

/** The figures of a reason, with the lists behind them. */
const figuresOf = (currency: string, from: string): ReadonlyArray<Figure> => [
  {
    title: say.would,
    cell: ({ reason, would }) =>
      would.refused === 0 ? (
        none
      ) : (
        <a
          href={paths.verifications({ guard: reason, from })}
          aria-label={say.codesOf(count(would.refused), say.names[reason])}
        >
          {count(would.refused)}
        </a>
      )
  },
  { title: say.typed, cell: ({ would }) => (would.refused === 0 ? none : count(would.typed)) },
  { title: say.saved, cell: ({ would }) => (would.saved === null ? none : money(would.saved, currency)) },
  {
    title: say.refused,
    cell: ({ reason, refused }) =>
      refused === 0 ? (
        none
      ) : (
        <a
          href={paths.verifications({ view: "refused", guard: reason, from })}
          aria-label={say.refusedOf(count(refused), say.names[reason])}
        >
          {count(refused)}
        </a>
      )
  }
]

const Name = ({ row: { enforced, reason } }: { readonly row: Reason }) => (
  <span class="protection-name">
    {say.names[reason]} {enforced ? <Pill tone="accent">{say.enforced}</Pill> : null}
  </span>
)

/** The guard's reasons, each with its figures and its button: a table, or cards on a phone. */
export function Reasons({ days, from, seen }: Props) {
  const changing = useSignal<Reason | null>(null)
  const { isQuiet } = standingOf(seen)
  const figures = isQuiet ? [] : figuresOf(seen.currency, from)
  const change = (row: Reason) => (
    <Button opens="dialog" blocked={may.set("guardEnforces")} onPress={() => (changing.value = row)}>
      {row.enforced ? say.stop : say.enforce}
    </Button>
  )
  const columns: ReadonlyArray<Column<Reason>> = [
    {
      title: say.reason,
      names: true,
      cell: (row) => (
        <>
          <Name row={row} />
          <span class="protection-hint quiet">{say.hints[row.reason]}</span>
        </>
      )
    },
    ...figures.map((figure) => ({ ...figure, number: true })),
    { title: say.change, cell: change }
  ]
  const row = changing.value
  return (
    <>
      {isPhone.value ? (
        seen.reasons.map((row) => (
          <Card key={row.reason} title={say.names[row.reason]} class="protection-card" actions={change(row)}>
            <p class="quiet">{say.hints[row.reason]}</p>
            {row.enforced ? (
              <p>
                <Pill tone="accent">{say.enforced}</Pill>
              </p>
            ) : null}
            {row.would.refused === 0 && row.refused === 0 ? null : (
              <dl class="facts">
                {figures.map(({ cell, title }) => (
                  <Fact key={title} title={title}>
                    {cell(row)}
                  </Fact>
                ))}
              </dl>
            )}
          </Card>
        ))
      ) : (
        <Card title={say.reasons} class="protection-reasons">
          <Table caption={say.reasons} rows={seen.reasons} id={({ reason }) => reason} columns={columns} />
        </Card>
      )}
      {row === null ? null : (
        <ChangeDialog
          row={row}
          days={days}
          from={from}
          currency={seen.currency}
          onClose={() => (changing.value = null)}
        />
      )}
    </>
  )
}
