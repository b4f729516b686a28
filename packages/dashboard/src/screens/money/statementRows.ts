import type { Answer } from "../../api/Api.ts"
import { mainUnit } from "../../words/amount.ts"
import { channelName } from "../../words/channels.ts"
import { say } from "./words.ts"

export type Statement = Answer<"GET /v1/dashboard/statement">
export type StatementLine = Statement["lines"][number]

/** What a line is about: `SMS, codes and links`. */
export const lineName = ({ channel, kind, use }: StatementLine): string =>
  [say.lines[kind], channel === null ? null : channelName(channel), use === null ? null : say.uses[use]]
    .filter((part) => part !== null)
    .join(", ")

/** The statement as rows of a CSV file. The amounts between the two balances add up. */
export const statementRows = (statement: Statement): ReadonlyArray<ReadonlyArray<string | number>> => {
  const { closing, currency, lines, month, opening } = statement
  const row = (kind: string, channel: string, use: string, count: string | number, amount: number) => [
    month,
    kind,
    channel,
    use,
    count,
    mainUnit(amount, currency),
    currency
  ]
  return [
    ["month", "kind", "channel", "use", "count", "amount", "currency"],
    row("OPENING_BALANCE", "", "", "", opening),
    ...lines.map(({ amount, channel, count, kind, use }) => row(kind, channel ?? "", use ?? "", count, amount)),
    row("CLOSING_BALANCE", "", "", "", closing)
  ]
}
