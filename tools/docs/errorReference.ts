import * as Problem from "../../packages/core/src/foundation/identity/Problem.ts"
import { causesOf } from "../../packages/http/src/causes/causesOf.ts"
import type { Cause } from "../../packages/http/src/causes/Cause.ts"
import { type ErrorCode, statusOf } from "../../packages/http/src/contract/ErrorEnvelope.ts"
import { defect, toResponse } from "../../packages/http/src/wire.ts"

/** What is answered for a cause. */
const answerOf = ({ failure }: Cause) => (failure === null ? defect : toResponse(failure))

const cell = (text: string) => text.replaceAll("|", "\\|")

/** The envelope on one line, as it is written in prose. */
const exampleOf = (cause: Cause) => {
  const { errorCode, message, requestId } = JSON.parse(answerOf(cause).body) as Record<string, unknown>
  return [
    `{ "errorCode": ${JSON.stringify(errorCode)},`,
    `  "message": ${JSON.stringify(message)},`,
    `  "requestId": ${JSON.stringify(requestId)} }`
  ].join("\n")
}

const section = (code: ErrorCode): string => {
  const causes = causesOf[code]
  return [
    `### ${code}`,
    "",
    "| status | when | what to do |",
    "| --- | --- | --- |",
    ...causes.map((cause) => `| ${answerOf(cause).status} | ${cell(cause.when)} | ${cell(cause.advice)} |`),
    "",
    "```json",
    exampleOf(causes[0]),
    "```"
  ].join("\n")
}

/** Every code with its statuses, and where its causes are told. */
const overview = (codes: ReadonlyArray<ErrorCode>): ReadonlyArray<string> => {
  const byStatus = new Map<number, Array<string>>()
  for (const code of codes) {
    for (const status of new Set(causesOf[code].map((cause) => answerOf(cause).status))) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), `[\`${code}\`](#${code.toLowerCase()})`])
    }
  }
  const rows = [...byStatus].sort(([a], [b]) => a - b)
  return [
    "| status | `errorCode` |",
    "| --- | --- |",
    ...rows.map(([status, all]) => `| ${status} | ${all.join(", ")} |`)
  ]
}

/** Every `errorCode` with each of its causes, what to do, and an example, as Markdown. */
export const errorReference = (): string => {
  const codes = Object.keys(statusOf) as ReadonlyArray<ErrorCode>
  return [overview(codes).join("\n"), ...codes.map(section)].join("\n\n")
}

/**
 * Two opening braces would begin an expression on the site, and an angle bracket an element. In code they do not, and
 * there an entity would show as such.
 */
const plain = (text: string) =>
  text
    .split("`")
    .map((part, n) => (n % 2 === 0 ? part.replaceAll("{{", "&#123;&#123;").replaceAll("<", "&lt;") : part))
    .join("`")

/** Every code of a field's problem, with the English sentence. */
export const problemReference = (): string =>
  [
    "| `code` | sentence after the field's name |",
    "| --- | --- |",
    ...Problem.codes.map((code) => `| \`${code}\` | ${cell(plain(Problem.pattern(code)))} |`)
  ].join("\n")
