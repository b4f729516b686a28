import { Verification } from "@countersign/core"
import { Restore, Subject } from "@countersign/core/storage"
import { campaign } from "../campaignTables.ts"
import { auditEntry } from "../outboxTables.ts"
import { instant, text, texts } from "../parameters.ts"
import type { Row } from "../PgDatabase.ts"
import type { Session } from "./Session.ts"

const jobs = `
update job set dead_at = now(), last_error = 'Held back by a restore: it may have been sent already'
where dead_at is null and kind = any($1::text[]) returning 1`

const campaigns = `select ${campaign.select("campaign")} from campaign where not counted`

const rowsAtOnce = 500

const pending = `select environment, id, state from verification
where (environment, id) > ($1, $2) and state like '%"PENDING"%' order by environment, id limit ${rowsAtOnce}`

/** Skips states that are not JSON: the service cannot read them either, and they must not stop a restore. */
const people = `select environment, canonical, version, state from subject
where (environment, canonical) > ($1, $2) and state like '{%' order by environment, canonical limit ${rowsAtOnce}`

const audit = `insert into audit (${auditEntry.columns.join(", ")})
values (${auditEntry.columns.map((_, i) => `$${i + 1}`).join(", ")})`

/** Reads a table by its key, in batches. */
const walk = async (
  query: Session,
  statement: string,
  each: (rows: ReadonlyArray<Row>) => Promise<void>
): Promise<void> => {
  for (let after: ReadonlyArray<unknown> = ["", ""]; ; ) {
    const rows = await query(
      statement,
      after.map((key) => text(String(key)))
    )
    await each(rows)
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!.slice(0, 2)
  }
}

const endVerifications = async (query: Session, now: number): Promise<number> => {
  let count = 0
  await walk(query, pending, async (rows) => {
    const ended = rows.flatMap(([environment, id, state]) => {
      const key = [String(environment), String(id)] as const
      return Restore.endVerification(Verification.decode(...key, String(state)), now) ?? []
    })
    count += ended.length
    if (ended.length === 0) return
    await query(
      `update verification v set state = g.state, expires_at = $4
      from unnest($1::text[], $2::text[], $3::text[]) as g(environment, id, state)
      where v.environment = g.environment and v.id = g.id`,
      [
        texts(ended.map(({ environment }) => environment)),
        texts(ended.map(({ id }) => id)),
        texts(ended.map(Verification.encode)),
        instant(now)
      ]
    )
  })
  return count
}

const endIssuedTokens = (query: Session, now: number): Promise<void> =>
  walk(query, people, async (rows) => {
    const after = rows.map(([environment, canonical, version, state]) =>
      Restore.resetSubject(Subject.decode(String(environment), String(canonical), Number(version), String(state)), now)
    )
    await query(
      `update subject s set state = g.state, version = s.version + 1
      from unnest($1::text[], $2::text[], $3::text[]) as g(environment, canonical, state)
      where s.environment = g.environment and s.canonical = g.canonical`,
      [
        texts(after.map(({ environment }) => environment)),
        texts(after.map(({ canonical }) => canonical)),
        texts(after.map(Subject.encode))
      ]
    )
  })

/**
 * Ends everything that may have been ended, used or revoked after the backup: pending verifications, sessions and
 * sign-in links of team members, and device tokens that no code made trusted. Every merchant's audit log records it.
 */
export const endOpenings = async (query: Session, backedUpAt: string) => {
  const [[instantNow] = []] = await query("select now()")
  const now = (instantNow as Date).getTime()
  const verifications = await endVerifications(query, now)
  await endIssuedTokens(query, now)
  const sessions = await query(
    "update session set ended_at = now(), version = version + 1 where ended_at is null returning 1"
  )
  await query("update sign_in_link set expires_at = now(), version = version + 1 where expires_at > now()")
  for (const [id] of await query("select id from merchant")) {
    const entry = Restore.entryOf(String(id), backedUpAt, now)
    await query(audit, auditEntry.sent(entry))
  }
  return { verifications, sessions: sessions.length }
}

/** Stops jobs and campaigns that would message people again. */
export const putAside = async (query: Session) => {
  const aside = await query(jobs, [texts(Restore.kindsToPeople)])
  let stopped = 0
  for (const row of await query(campaigns)) {
    const stop = Restore.pauseCampaign(campaign.decode(row))
    if (stop === null) continue
    await query("update campaign set state = $3, version = version + 1 where environment = $1 and id = $2", [
      text(stop.environment),
      text(stop.id),
      campaign.sent(stop).at(-1)
    ])
    stopped++
  }
  return { jobs: aside.length, campaigns: stopped }
}
