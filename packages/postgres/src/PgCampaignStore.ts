import { Identifier } from "@countersign/core"
import { CampaignStore, Conflict, noProgress, StoreError } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import * as Commit from "./campaignParts.ts"
import * as Queries from "./campaignQueries.ts"
import { campaignOf, recipientOf } from "./campaignRows.ts"
import { apart } from "./guardedStatements.ts"
import { isId, isInstant } from "./leadRows.ts"
import { lookup } from "./lookup.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { PgFailure } from "./PgFailure.ts"
import { ownerOfOutgoing } from "./outboxParts.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { instant, int, storable, text, texts } from "./parameters.ts"

/** Among those who wait, and among those in doubt: see `openOf`. */
const waiting = 1
const inDoubt = 2

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`CampaignStore.${operation}`))

const unstorable = (operation: string) =>
  new StoreError({
    operation: `CampaignStore.${operation}`,
    cause: new Error("a key is not what Postgres can keep")
  })

/** Something new has a name that somebody else had first, by a moment. */
const isTaken = ({ cause }: StoreError) => cause instanceof PgFailure && cause.sqlState === "23505"

const next = <A extends { readonly version: number }>(state: A): A => ({ ...state, version: state.version + 1 })

export const make: (outbox: PgOutbox) => Effect.Effect<CampaignStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const single = yield* lookup(database, "CampaignStore.get", Queries.get)
    const recipients = yield* lookup(database, "CampaignStore.recipient", Queries.recipient)
    const counts = yield* lookup(database, "CampaignStore.progress", Queries.progress)

    const commits = yield* Batcher.make<Commit.EncodedCampaignChange, "stored" | "conflict" | "again">({
      operation: "CampaignStore.commit",
      keyOf: ({ key }) => key,
      sameKey: "wait",
      ownerOf: ({ change }) => (change.campaign ?? change.recipients[0])?.environment ?? ownerOfOutgoing(change),
      maxItems: 256,
      run: (batch) => {
        const together = apart(batch)
        const sent = batch.filter((one) => together.has(one))
        const { names, parameters } = Commit.partsOf(sent)
        const outgoing = sent.map((one) => one.outgoing)
        return Effect.map(outbox.run(Commit.commit(names), parameters, outgoing), (rows) => {
          const stored = new Set(rows.map(([n]) => sent[(n as number) - 1]))
          return batch.map((one) => (stored.has(one) ? "stored" : together.has(one) ? "conflict" : "again"))
        })
      }
    })
    const write = (change: Commit.EncodedCampaignChange): Effect.Effect<void, Conflict | StoreError> =>
      Effect.flatMap(commits.submit(change), (outcome) =>
        outcome === "stored"
          ? Effect.void
          : outcome === "again"
            ? write(change)
            : Effect.fail(new Conflict({ key: change.key }))
      )

    const rows = <A>(
      operation: string,
      possible: boolean,
      statement: string,
      values: () => ReadonlyArray<unknown>,
      of: (row: Row) => A
    ): Effect.Effect<ReadonlyArray<A>, StoreError> =>
      Effect.suspend(() =>
        possible
          ? Effect.map(database.query(statement, values()), (found) => found.map(of)).pipe(failed(operation))
          : Effect.succeed([])
      )

    return CampaignStore.of({
      addRecipients: (added) =>
        Effect.suspend(() =>
          added.every(Commit.isStorableRecipient)
            ? Effect.asVoid(database.query(Commit.add, Commit.addParameters(added))).pipe(failed("addRecipients"))
            : Effect.fail(unstorable("addRecipients"))
        ),
      commit: (change) =>
        Effect.suspend(() => {
          if (!Commit.isStorable(change)) return Effect.fail(unstorable("commit"))
          const encoded = Commit.encode(change)
          return write(encoded).pipe(
            Effect.mapError((error) =>
              error._tag === "StoreError" && isTaken(error) ? new Conflict({ key: encoded.key }) : error
            ),
            Effect.map(() => {
              outbox.committed(change)
              return {
                campaign: change.campaign === null ? null : next(change.campaign),
                recipients: change.recipients.map(next)
              }
            })
          )
        }),
      get: (environment, id) =>
        Effect.map(single(environment, id), (row) => (row === null ? null : campaignOf(row, 1))),
      made: (environment, command) =>
        Effect.map(
          rows(
            "made",
            storable(environment) && storable(command),
            Queries.made,
            () => [text(environment), text(command)],
            (row) => campaignOf(row)
          ),
          ([campaign]) => campaign ?? null
        ),
      list: (environment, { before, limit }) =>
        rows(
          "list",
          storable(environment) && storable(before ?? ""),
          Queries.list(before !== null),
          () => [text(environment), int(limit), ...(before === null ? [] : [text(before)])],
          (row) => campaignOf(row)
        ),
      recipient: (environment, campaignId, number) =>
        isId(number)
          ? Effect.map(recipients(environment, `${number}/${campaignId}`), (row) =>
              row === null ? null : recipientOf(row, 1)
            )
          : Effect.succeed(null),
      recipients: (environment, campaignId, { after, limit, status }) =>
        rows(
          "recipients",
          storable(environment) && storable(campaignId) && isId(after + 1),
          Queries.recipients(status !== null),
          () => [
            text(environment),
            text(campaignId),
            int(after),
            int(limit),
            ...(status === null ? [] : [text(status)])
          ],
          (row) => recipientOf(row)
        ),
      open: (environment, campaignId, { after, handed, limit }) =>
        rows(
          "open",
          storable(environment) && storable(campaignId) && isId(after + 1),
          Queries.open,
          () => [text(environment), text(campaignId), int(handed ? inDoubt : waiting), int(after), int(limit)],
          (row) => recipientOf(row)
        ),
      room: (environment) =>
        Effect.map(
          rows(
            "room",
            storable(environment),
            Queries.room,
            () => [text(environment)],
            ([campaigns, waiting, unwritten]) => ({
              campaigns: campaigns as number,
              waiting: waiting as number,
              unwritten: unwritten as number
            })
          ),
          ([found]) => found ?? { campaigns: 0, waiting: 0, unwritten: 0 }
        ),
      progress: (environment, campaignId) =>
        Effect.map(counts(environment, campaignId), (row) => ({
          ...noProgress,
          ...JSON.parse((row?.[1] as string) ?? "{}")
        })),
      isHeardOf: ({ campaignId, environment, handedAt, number }) =>
        Effect.map(
          rows(
            "isHeardOf",
            storable(environment) && storable(campaignId) && isId(number) && isInstant(handedAt ?? 0),
            Queries.isHeardOf,
            () => [text(environment), text(campaignId), int(number), instant(handedAt ?? 0)],
            ([heard]) => heard === true
          ),
          ([heard]) => heard === true
        ),
      ofPerson: (environment, phone, { after, limit }) =>
        rows(
          "ofPerson",
          storable(environment) && storable(phone) && storable(after?.campaignId ?? ""),
          Queries.ofPerson,
          () => [text(environment), text(phone), text(after?.campaignId ?? ""), int(after?.number ?? 0), int(limit)],
          (row) => recipientOf(row)
        ),
      campaignsOf: (environment, providerIds) =>
        Effect.map(
          rows(
            "campaignsOf",
            storable(environment) && providerIds.length > 0,
            Queries.campaignsOf,
            () => [text(environment), texts(providerIds.filter(storable))],
            ([providerId, campaignId]) => [providerId as string, campaignId as string] as const
          ),
          (found) => new Map(found)
        ),
      uncounted: (before, limit) =>
        rows(
          "uncounted",
          isInstant(before),
          Queries.uncounted,
          () => [instant(before), int(limit)],
          (row) => campaignOf(row)
        ),
      forget: (before, limit) =>
        Effect.map(
          rows(
            "forget",
            true,
            Queries.forget,
            () => [text(Identifier.first("cmp", before)), int(limit)],
            () => 1
          ),
          (gone) => gone.length
        )
    })
  })
