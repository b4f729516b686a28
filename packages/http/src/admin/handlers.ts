import {
  Audit,
  type By,
  Instant,
  Invitations,
  type KeySet,
  type Merchant,
  MerchantBilling,
  Merchants,
  MerchantUsage
} from "@countersign/core"
import type { MerchantStore } from "@countersign/core/storage"
import { Effect, Redacted } from "effect"
import type { AdminApi } from "./contract.ts"
import { auditAsked, auditPage } from "../audit/handlers.ts"
import type { Handlers } from "../Handlers.ts"
import type { errors as billingErrors } from "../billing/errors.ts"
import { shownEntry } from "../billing/handlers.ts"
import type { errors } from "./errors.ts"
import { shownInvitation } from "../agents/handlers.ts"
import { page } from "../page.ts"

const pageSize = 100

const shown = (merchant: Merchant.Merchant) => ({
  id: merchant.id,
  name: merchant.name,
  status: merchant.status,
  createdAt: Instant.toIso(merchant.createdAt)
})

/** New keys with their secret, which is returned only once. */
const shownOnce = (keys: KeySet) => ({ ...keys, clientSecret: Redacted.value(keys.clientSecret) })

/** The ids of an environment's keys. */
const keyIds = ({ credentials, environments }: MerchantStore.Record, kind: Merchant.EnvironmentKind) => {
  const environment = environments.find((each) => each.kind === kind)?.id
  const ids = (of: Merchant.CredentialKind) =>
    credentials.filter((key) => key.environment === environment && key.kind === of).map(({ id }) => id)
  return { clientIds: ids("SERVER"), publicKeys: ids("PUBLIC") }
}

interface ToBill {
  readonly operator: By
  readonly params: { readonly id: string }
  readonly payload: { readonly environment: Merchant.EnvironmentKind }
}

const whomOf = ({ operator: by, params, payload: { environment } }: ToBill) => ({
  merchantId: params.id,
  environment,
  by
})

/** Answers `/v1/admin/*`. */
export const make = Effect.gen(function* () {
  const audit = yield* Audit
  const merchants = yield* Merchants
  const billing = yield* MerchantBilling
  const usage = yield* MerchantUsage
  const invitations = yield* Invitations
  const handlers: Handlers<typeof AdminApi, typeof errors | typeof billingErrors> = {
    createMerchant: Effect.fnUntraced(function* ({ operator, payload: { name, ownerEmail } }) {
      // Check before creating the merchant, so that a refused request does not leave a merchant without its owner.
      if (ownerEmail != null) yield* invitations.checkEmail("ownerEmail", ownerEmail)
      const { live, merchant, test } = yield* merchants.create(name, operator)
      const invitation =
        ownerEmail == null
          ? null
          : yield* invitations.inviteOwner({ merchantId: merchant.id, email: ownerEmail, by: operator })
      return {
        ...shown(merchant),
        live: shownOnce(live),
        test: shownOnce(test),
        ownerInvitation: invitation === null ? null : shownInvitation(invitation)
      }
    }),
    merchants: ({ query }) =>
      Effect.map(merchants.list({ after: query.cursor ?? null, limit: pageSize + 1 }), (found) =>
        page(found, pageSize, shown)
      ),
    merchant: ({ params }) =>
      Effect.map(merchants.get(params.id), (record) => ({
        ...shown(record.merchant),
        live: keyIds(record, "live"),
        test: keyIds(record, "test")
      })),
    renameMerchant: ({ operator, params, payload }) =>
      Effect.map(merchants.rename(params.id, payload.name, operator), shown),
    merchantUsage: ({ params, query }) =>
      Effect.map(usage.of(params.id, query), (days) => ({
        items: days.map(({ at, ...day }) => ({ ...day, at: Instant.toIso(at) })),
        nextCursor: null
      })),
    merchantAudit: ({ params, query }) => Effect.map(audit.ofMerchant(params.id, query, auditAsked(query)), auditPage),
    merchantBilling: ({ params }) => Effect.map(billing.of(params.id), (items) => ({ items, nextCursor: null })),
    changeMerchantBilling: (input) => {
      const { billing: mode, creditLimit, prices } = input.payload
      return billing.change(whomOf(input), {
        billing: mode ?? undefined,
        prices: prices ?? undefined,
        creditLimit: creditLimit ?? undefined
      })
    },
    topUpMerchant: (input) => Effect.map(billing.topUp(whomOf(input), input.payload, input.idempotencyKey), shownEntry),
    correctMerchant: (input) =>
      Effect.map(billing.correct(whomOf(input), input.payload, input.idempotencyKey), shownEntry),
    suspend: ({ operator, params }) => Effect.map(merchants.setStatus(params.id, "SUSPENDED", operator), shown),
    resume: ({ operator, params }) => Effect.map(merchants.setStatus(params.id, "ACTIVE", operator), shown)
  }
  return handlers
})
