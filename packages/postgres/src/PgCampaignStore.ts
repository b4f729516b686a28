import { Identifier } from "@countersign/core"
import { CampaignStore, noProgress } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import { add, statements } from "./campaignParts.ts"
import * as Queries from "./campaignQueries.ts"
import { campaign, inDoubt, recipient, waiting } from "./campaignTables.ts"
import { guardedStore } from "./guardedStore.ts"
import { lookup } from "./lookup.ts"
import { id, instant, int, isId, isInstant, storable, text, texts } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { queriesOf } from "./storeQueries.ts"

const next = <A extends { readonly version: number }>(state: A): A => ({ ...state, version: state.version + 1 })

export const make: (outbox: PgOutbox) => Effect.Effect<CampaignStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const { row, rows, write } = queriesOf(database, "CampaignStore")
    const single = yield* lookup(database, "CampaignStore.get", Queries.get, (row) => campaign.decode(row, 1))
    const recipients = yield* lookup(database, "CampaignStore.recipient", Queries.recipient, (row) =>
      recipient.decode(row, 1)
    )
    const counts = yield* lookup(database, "CampaignStore.progress", Queries.progress, (row) => row[1] as string | null)

    const commit = yield* guardedStore(outbox, {
      store: "CampaignStore",
      statements,
      most: 256,
      environmentOf: ({ campaign, recipients }: CampaignStore.Change) => (campaign ?? recipients[0])?.environment
    })

    return CampaignStore.of({
      addRecipients: (added) =>
        Effect.asVoid(write("addRecipients", add, () => recipient.parameters(added.map(recipient.encode)))),
      commit: (change) =>
        Effect.map(commit(change), () => ({
          campaign: change.campaign === null ? null : next(change.campaign),
          recipients: change.recipients.map(next)
        })),
      get: single,
      made: (environment, command) =>
        row("made", Queries.made, () => [text(environment), text(command)], campaign.decode),
      list: (environment, { before, limit }) =>
        rows(
          "list",
          Queries.list(before !== null),
          () => [text(environment), int(limit), ...(before === null ? [] : [text(before)])],
          campaign.decode
        ),
      recipient: (environment, campaignId, number) =>
        isId(number) ? recipients(environment, `${number}/${campaignId}`) : Effect.succeed(null),
      recipients: (environment, campaignId, { after, limit, status }) =>
        isId(after + 1)
          ? rows(
              "recipients",
              Queries.recipients(status !== null),
              () => [
                text(environment),
                text(campaignId),
                int(after),
                int(limit),
                ...(status === null ? [] : [text(status)])
              ],
              recipient.decode
            )
          : Effect.succeed([]),
      open: (environment, campaignId, { after, handed, limit }) =>
        isId(after + 1)
          ? rows(
              "open",
              Queries.open,
              () => [text(environment), text(campaignId), int(handed ? inDoubt : waiting), int(after), int(limit)],
              recipient.decode
            )
          : Effect.succeed([]),
      room: (environment) =>
        Effect.map(
          row(
            "room",
            Queries.room,
            () => [text(environment)],
            ([campaigns, waiting, unwritten]) => ({
              campaigns: campaigns as number,
              waiting: waiting as number,
              unwritten: unwritten as number
            })
          ),
          (found) => found ?? { campaigns: 0, waiting: 0, unwritten: 0 }
        ),
      progress: (environment, campaignId) =>
        Effect.map(counts(environment, campaignId), (found) => ({ ...noProgress, ...JSON.parse(found ?? "{}") })),
      isHeardOf: ({ campaignId, environment, handedAt, number }) =>
        isInstant(handedAt ?? 0)
          ? Effect.map(
              row(
                "isHeardOf",
                Queries.isHeardOf,
                () => [text(environment), text(campaignId), id(number), instant(handedAt ?? 0)],
                ([heard]) => heard === true
              ),
              (heard) => heard === true
            )
          : Effect.succeed(false),
      ofPerson: (environment, phone, { after, limit }) =>
        rows(
          "ofPerson",
          Queries.ofPerson,
          () => [text(environment), text(phone), text(after?.campaignId ?? ""), int(after?.number ?? 0), int(limit)],
          recipient.decode
        ),
      campaignsOf: (environment, providerIds) =>
        providerIds.length === 0
          ? Effect.succeed(new Map())
          : Effect.map(
              rows(
                "campaignsOf",
                Queries.campaignsOf,
                () => [text(environment), texts(providerIds.filter(storable))],
                ([providerId, campaignId]) => [providerId as string, campaignId as string] as const
              ),
              (found) => new Map(found)
            ),
      uncounted: (before, limit) =>
        isInstant(before)
          ? rows("uncounted", Queries.uncounted, () => [instant(before), int(limit)], campaign.decode)
          : Effect.succeed([]),
      forget: (before, limit) =>
        Effect.map(
          write("forget", Queries.forget, () => [text(Identifier.first("cmp", before)), int(limit)]),
          (gone) => gone.length
        )
    })
  })
