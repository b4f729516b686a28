import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Deferred, Duration, Effect, Random, Schedule } from "effect"
import { bigints, float, text } from "./parameters.ts"
import { PgDatabase, within } from "./PgDatabase.ts"
import { fromSqlError, type PgFailure } from "./PgFailure.ts"
import { jobChannel } from "./PgSchema.ts"

/** The session setting that identifies a process; leases of its sessions carry it. */
export const setting = "countersign.process"

/** The number of the process whose session runs a statement. */
export const ofSession = `nullif(current_setting('${setting}', true), '')::bigint`

/** Identifies this process: 62 random bits, so no other process has the same number. */
export const draw: Effect.Effect<string> = Effect.map(
  Effect.all([Random.nextIntBetween(1, 2 ** 30), Random.nextIntBetween(0, 2 ** 32)]),
  ([high, low]) => String((BigInt(high) << 32n) | BigInt(low))
)

const lookEvery = Duration.millis(700)
/** A process without its lock in this many consecutive checks is dead. A single check may coincide with a reconnect. */
const looksUntilDead = 2
/** Statements that a dead process had sent may still take leases for some seconds. */
const looksUntilForgotten = 12
/** After an outage that cut our own connection, others need this long to reconnect. */
const grace = Duration.seconds(3)
const reconnectEvery = Duration.millis(150)
const deadline = Duration.toMillis("5 seconds")

/** The range around now in which a lease may end, in seconds. */
const leaseRange = 60
/** The embedded database may have been written under a different clock. */
const anyTime = 1e9

const take = `
with lock as materialized (select pg_try_advisory_lock($1::bigint) as taken), noted as (
  insert into process (number) select $1::bigint from lock where taken on conflict (number) do nothing
)
select taken from lock`

/** Processes whose lock is free. A session can always retake its own lock. */
const lost = `
select number::text from process
where case when number = $1::bigint then false else pg_try_advisory_xact_lock_shared(number) end`

const forget = `
delete from process where number = any($1::bigint[]) and pg_try_advisory_xact_lock_shared(number)`

const heldBy = "owner is not null and ($1::bigint[] is null or owner = any($1::bigint[]))"

/**
 * Releases a process's jobs to others. The fence stays: the process can still complete them until another worker claims
 * them.
 */
export const releaseJobs = `
with released as (
  update job set run_at = now(), owner = null where ctid = any(array(
    select ctid from job
    where dead_at is null and gate = '' and run_at > now() and run_at <= now() + $2 * interval '1 second'
      and attempt > 0 and ${heldBy}
    for update skip locked
  )) returning 1
)
select count(*)::int, pg_notify(${jobChannel}, '') from released`

export const releaseGates = releaseJobs.replace("gate = ''", "gate > ''")

/** Lets a repeat of the same request run in its place. */
export const releaseRequests = `
update idempotency set leased_until = now(), owner = null where ctid = any(array(
  select ctid from idempotency
  where created_at > now() - $2 * interval '1 second' and status is null and leased_until > now() and ${heldBy}
  for update skip locked
)) returning 1`

/** Ends the leases of these processes, or of all. Returns how many there were. */
export const release = Effect.fnUntraced(function* (numbers: ReadonlyArray<string> | null) {
  const database = yield* PgDatabase
  const parameters = [
    numbers === null ? text(null) : bigints(numbers.map(BigInt)),
    float(numbers === null ? anyTime : leaseRange)
  ]
  const [jobs] = yield* database.query(releaseJobs, parameters)
  const [gated] = yield* database.query(releaseGates, parameters)
  const requests = yield* database.query(releaseRequests, parameters)
  return Number(jobs?.[0]) + Number(gated?.[0]) + requests.length
})

/** Tracks which processes hold no lock, over the checks of a session. */
class PollTimer {
  readonly #missing = new Map<string, number>()

  /** Records a check. Returns the processes that are now dead, and those already cleaned up. */
  saw(numbers: ReadonlyArray<string>) {
    for (const number of this.#missing.keys()) if (!numbers.includes(number)) this.#missing.delete(number)
    for (const number of numbers) this.#missing.set(number, (this.#missing.get(number) ?? 0) + 1)
    const missedFor = (looks: number) => numbers.filter((number) => (this.#missing.get(number) ?? 0) >= looks)
    return { dead: missedFor(looksUntilDead), over: missedFor(looksUntilForgotten) }
  }
}

/**
 * Registers this process among those of a database. Each holds an advisory lock on its number, on a separate
 * connection, and checks that all others hold theirs. Leases of a dead process are released within two checks. Cases
 * that this cannot detect, such as a suspended process, wait for the end of the lease. After a lost connection, a
 * process takes its lock again under the same number.
 */
export const join = Effect.fnUntraced(function* (config: PgConnection.Config, number: string) {
  const database = yield* PgDatabase
  const joined = yield* Deferred.make<void, PgFailure>()

  const session = Effect.fnUntraced(function* () {
    const connection = yield* PgConnection.make({
      ...config,
      multiplex: false,
      // Postgres notices within seconds that a machine vanished.
      startupParameters: {
        ...config.startupParameters,
        tcp_keepalives_idle: "2",
        tcp_keepalives_interval: "1",
        tcp_keepalives_count: "3"
      }
    }).pipe(Effect.mapError(fromSqlError))
    const query = (statement: string, parameters: ReadonlyArray<unknown>) =>
      within(deadline, connection.queryValues(statement, parameters))

    // Until Postgres notices that our last connection is gone, that connection still holds the lock.
    const taken = Effect.map(query(take, [text(number)]), ([row]) => row?.[0] === true)
    while (!(yield* taken)) yield* Effect.sleep(reconnectEvery)
    if (!(yield* Deferred.succeed(joined, undefined))) yield* Effect.sleep(grace)

    const looks = new PollTimer()
    for (;;) {
      yield* Effect.sleep(lookEvery)
      const missing = yield* query(lost, [text(number)])
      const { dead, over } = looks.saw(missing.map(([missed]) => String(missed)))
      if (dead.length > 0) {
        const released = yield* release(dead)
        if (released > 0) yield* Effect.logInfo("Took over the jobs and requests of a process that ended", { released })
      }
      if (over.length > 0) yield* query(forget, [bigints(over.map(BigInt))])
    }
  }, Effect.scoped)

  // A process that ends normally releases its leases itself.
  yield* Effect.addFinalizer(() =>
    Effect.ignore(Effect.andThen(release([number]), database.query(forget, [bigints([BigInt(number)])])))
  )
  yield* session().pipe(
    Effect.tapError((failure) => Deferred.fail(joined, failure)),
    Effect.retry(Schedule.spaced(reconnectEvery)),
    Effect.forkScoped
  )
  return yield* Deferred.await(joined)
})
