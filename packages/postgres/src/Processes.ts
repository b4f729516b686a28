import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Deferred, Duration, Effect, Random, Schedule } from "effect"
import { bigints, float, text } from "./parameters.ts"
import { PgDatabase, within } from "./PgDatabase.ts"
import { fromSqlError, type PgFailure } from "./PgFailure.ts"
import { jobChannel } from "./PgSchema.ts"

/** The session setting that names a process; what its sessions lease is marked with it. */
export const setting = "countersign.process"

/** The number of the process whose session runs a statement. */
export const ofSession = `nullif(current_setting('${setting}', true), '')::bigint`

/** Names this process for as long as it lives: nobody else draws the same 62 bits. */
export const draw: Effect.Effect<string> = Effect.map(
  Effect.all([Random.nextIntBetween(1, 2 ** 30), Random.nextIntBetween(0, 2 ** 32)]),
  ([high, low]) => String((BigInt(high) << 32n) | BigInt(low))
)

const lookEvery = Duration.millis(700)
/** Whoever does not hold its lock in so many looks in a row is dead. One look may fall into a reconnect. */
const looksUntilDead = 2
/** A statement that the dead had sent may still take leases for some seconds. */
const looksUntilForgotten = 12
/** After an outage that cut our own connection, others need this long to come back. */
const grace = Duration.seconds(3)
const reconnectEvery = Duration.millis(150)
const deadline = Duration.toMillis("5 seconds")

/** How far from now the leases of a process may lie, in seconds. */
const leaseRange = 60
/** The embedded database may have been written by a clock of another time. */
const anyTime = 1e9

const take = `
with lock as materialized (select pg_try_advisory_lock($1::bigint) as taken), noted as (
  insert into process (number) select $1::bigint from lock where taken on conflict (number) do nothing
)
select taken from lock`

/** Those whose lock is free. Our own session could take its own lock once more. */
const lost = `
select number::text from process
where case when number = $1::bigint then false else pg_try_advisory_xact_lock_shared(number) end`

const forget = `
delete from process where number = any($1::bigint[]) and pg_try_advisory_xact_lock_shared(number)`

const heldBy = "owner is not null and ($1::bigint[] is null or owner = any($1::bigint[]))"

/** Lets others take a process's jobs now. Its fence stays: the process can still end them until somebody else has. */
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

/** Ends the leases of these processes, or of all; says how many there were. */
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

/** Which processes hold no lock, counted over the looks of one session. */
class Looks {
  readonly #missing = new Map<string, number>()

  /** Takes what one look saw; says who is dead by now, and whose end is seen to. */
  saw(numbers: ReadonlyArray<string>) {
    for (const number of this.#missing.keys()) if (!numbers.includes(number)) this.#missing.delete(number)
    for (const number of numbers) this.#missing.set(number, (this.#missing.get(number) ?? 0) + 1)
    const missedFor = (looks: number) => numbers.filter((number) => (this.#missing.get(number) ?? 0) >= looks)
    return { dead: missedFor(looksUntilDead), over: missedFor(looksUntilForgotten) }
  }
}

/**
 * Joins the processes on one database. Each holds an advisory lock on its number, on a connection of its own that ends
 * with it, and looks whether all others hold theirs. What a dead one had leased is anybody's within two looks; what this
 * cannot see, such as a process that stands still, waits for the end of the lease. A process whose connection was cut
 * takes its lock again under the same number.
 */
export const join = Effect.fnUntraced(function* (config: PgConnection.Config, number: string) {
  const database = yield* PgDatabase
  const joined = yield* Deferred.make<void, PgFailure>()

  const session = Effect.fnUntraced(function* () {
    const connection = yield* PgConnection.make({
      ...config,
      multiplex: false,
      // Postgres notices within seconds that a machine is gone without a farewell.
      startupParameters: {
        ...config.startupParameters,
        tcp_keepalives_idle: "2",
        tcp_keepalives_interval: "1",
        tcp_keepalives_count: "3"
      }
    }).pipe(Effect.mapError(fromSqlError))
    const query = (statement: string, parameters: ReadonlyArray<unknown>) =>
      within(deadline, Effect.mapError(connection.queryValues(statement, parameters), fromSqlError))

    // Until Postgres has noticed that our last connection is gone, that one still holds the lock.
    const taken = Effect.map(query(take, [text(number)]), ([row]) => row?.[0] === true)
    while (!(yield* taken)) yield* Effect.sleep(reconnectEvery)
    if (!(yield* Deferred.succeed(joined, undefined))) yield* Effect.sleep(grace)

    const looks = new Looks()
    for (;;) {
      yield* Effect.sleep(lookEvery)
      const missing = yield* query(lost, [text(number)])
      const { dead, over } = looks.saw(missing.map(([missed]) => String(missed)))
      if (dead.length > 0) {
        const released = yield* release(dead)
        if (released > 0) yield* Effect.logInfo("Took over what a process left behind", { released })
      }
      if (over.length > 0) yield* query(forget, [bigints(over.map(BigInt))])
    }
  }, Effect.scoped)

  // What is left when a process ends by itself waits for nobody's look.
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
