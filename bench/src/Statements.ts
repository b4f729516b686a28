import { setTimeout as sleep } from "node:timers/promises"
import type { Postgres } from "./Postgres.ts"
import { initiateOne, once, statuses } from "./Requests.ts"
import { startService } from "./Service.ts"

/** A statement as the service sent it, with the parameters as Postgres wrote them down. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<string | null>
}

/** What the service runs for one caller alone, and the row keys of that caller. */
export interface Captured {
  readonly initiate: ReadonlyArray<Statement>
  readonly status: ReadonlyArray<Statement>
  readonly canonical: string
  readonly environment: string
  readonly id: string
}

const parse = (message: string, detail: string): Statement => {
  const parameters: Array<string | null> = []
  for (const [, , quoted, text] of detail.matchAll(/\$([0-9]+) = (?:'((?:[^']|'')*)'|(NULL))/g))
    parameters.push(text === undefined ? quoted!.replaceAll("''", "'") : null)
  return { text: message.replace(/^.*?execute [^:]*: /s, ""), parameters }
}

const mentions = (value: string) => (statement: Statement) =>
  statement.parameters.some((parameter) => parameter?.includes(value) === true)

/** Lets the service serve one initiate and one status, and takes the statements from the server's log. */
export const capture = async (postgres: Postgres): Promise<Captured> => {
  await postgres.createDatabase("capture", { log_min_duration_statement: "0" })
  const service = await startService({ url: postgres.url("capture") })
  try {
    const id = await initiateOne(service)
    await sleep(1000)
    const before = postgres.log("capture").length
    await once(
      service.port,
      statuses(service, () => id)
    )
    await sleep(300)
    const [row] = await postgres.query("capture", `select environment, canonical from verification where id = '${id}'`)
    const { canonical, environment } = row as { readonly canonical: string; readonly environment: string }

    const entries = postgres.log("capture")
    const executed = (from: number, to: number) =>
      entries
        .slice(from, to)
        .filter(({ detail, message }) => /duration: .* execute /.test(message) && detail !== undefined)
        .map(({ detail, message }) => parse(message, detail!))
    const ofInitiate = executed(0, before)
    const load = ofInitiate.find((statement) => /^\s*select/i.test(statement.text) && mentions(canonical)(statement))
    const commit = ofInitiate.find((statement) => !/^\s*select/i.test(statement.text) && mentions(id)(statement))
    const find = executed(before, entries.length).find(mentions(id))
    if (load === undefined || commit === undefined || find === undefined)
      throw new Error("The service's statements are not in the log of Postgres")
    return { initiate: [load, commit], status: [find], canonical, environment, id }
  } finally {
    await service.child.stop()
  }
}
