import { setFilters, useFilters } from "../../address/useFilters.ts"
import { keepFile } from "../../api/call.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Table } from "../../parts/Table.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { me } from "../../session/session.ts"
import { csvFile } from "../../words/csv.ts"
import * as format from "../../words/format.ts"
import { month, monthsBefore } from "./span.ts"
import { lineName, type Statement, statementRows } from "./statementRows.ts"
import { say as shared } from "../../words/say.ts"
import { say } from "./words.ts"

const filters = { month }
/** How many months the choice offers. An address can name an older one. */
const offered = 24

const nameOf = (text: string): string => format.monthOfYear(new Date(`${text}-01T12:00:00`))

/** The first and the last day. They are the merchant's days: the viewer may be in another time zone. */
const daysOf = (text: string): readonly [first: string, last: string] => {
  const [year, month] = text.split("-").map(Number) as [number, number]
  return [format.date(new Date(year, month - 1, 1)), format.date(new Date(year, month, 0))]
}

function Lines({ statement }: { readonly statement: Statement }) {
  const { closing, currency, lines, opening } = statement
  const rows = [
    { id: "opening", name: say.opening, count: null, amount: opening, isSum: true },
    ...lines.map((line) => ({
      id: `${line.kind} ${line.channel} ${line.use}`,
      name: lineName(line),
      count: line.count,
      amount: line.amount,
      isSum: false
    }))
  ]
  return (
    <Table
      caption={say.statementOf(nameOf(statement.month))}
      rows={rows}
      id={({ id }) => id}
      total={{ id: "closing", name: say.closing, count: null, amount: closing, isSum: true }}
      columns={[
        { title: say.entry, names: true, cell: ({ isSum, name }) => (isSum ? <strong>{name}</strong> : name) },
        {
          title: say.entries,
          number: true,
          drop: 1,
          cell: ({ count }) => (count === null ? "" : format.count(count))
        },
        {
          title: say.moved,
          number: true,
          cell: ({ amount, isSum }) =>
            isSum ? <strong>{format.money(amount, currency)}</strong> : format.money(amount, currency)
        }
      ]}
    />
  )
}

/** The statement of one month: on the screen, on paper, or as a file. */
export function StatementView() {
  const wanted = useFilters(filters)
  const months = monthsBefore(new Date(), offered)
  const chosen = () => wanted.value.month ?? months[0]!
  const query = useQuery("GET /v1/dashboard/statement", () => ({ query: { month: chosen() } }), "money")
  const known = months.includes(chosen()) ? months : [chosen(), ...months]
  return (
    <Card
      class="statement"
      title={say.statementOf(nameOf(chosen()))}
      actions={
        <div class="statement-actions">
          <label>
            <span class="unseen">{say.month}</span>
            <select value={chosen()} onChange={(event) => setFilters(filters, { month: event.currentTarget.value })}>
              {known.map((each) => (
                <option key={each} value={each}>
                  {nameOf(each)}
                </option>
              ))}
            </select>
          </label>
          <Button onPress={() => window.print()}>{say.print}</Button>
          <Button
            blocked={query.answer.value === null ? shared.loading : undefined}
            onPress={() => {
              const statement = query.answer.peek()
              if (statement === null) return
              keepFile({ blob: csvFile(statementRows(statement)), fileName: null }, `statement-${statement.month}.csv`)
            }}
          >
            {say.csv}
          </Button>
        </div>
      }
    >
      <Loaded query={query} empty={() => null}>
        {(statement) => (
          <>
            <p>
              <strong class="theirs">{me.value?.merchant.name}</strong>
              <br />
              {say.between(...daysOf(statement.month))}
            </p>
            {Date.parse(statement.to) > Date.now() ? <p class="quiet">{say.soFar}</p> : null}
            {statement.lines.length === 0 ? <p class="quiet">{say.noEntries}</p> : null}
            <Lines statement={statement} />
            <p class="quiet">{say.statementHint}</p>
          </>
        )}
      </Loaded>
    </Card>
  )
}
