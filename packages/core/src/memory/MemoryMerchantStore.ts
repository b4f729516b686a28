import { Effect } from "effect"
import type { Access, Credential, Environment, Merchant } from "../account/merchant/Merchant.ts"
import type { KeyStore } from "../account/merchant/KeyStore.ts"
import type { MerchantStore } from "../account/merchant/MerchantStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

/** The merchants and keys of a memory storage. Values go in and out as copies, as if over the network. */
export const makeMerchantStores = (
  outbox: MemoryOutbox
): {
  readonly merchants: MerchantStore["Service"]
  readonly keys: KeyStore["Service"]
} => {
  const merchants = new Map<string, Merchant>()
  const environments = new Map<string, Environment>()
  const credentials = new Map<string, Credential>()
  const keysVersions = new Map<string, number>()

  const taken = (record: MerchantStore.Record): string | undefined => {
    if (merchants.has(record.merchant.id)) return record.merchant.id
    const ids = new Set<string>()
    for (const { id } of record.environments) {
      if (environments.has(id) || ids.has(id)) return id
      ids.add(id)
    }
    ids.clear()
    for (const { id } of record.credentials) {
      if (credentials.has(id) || ids.has(id)) return id
      ids.add(id)
    }
    return undefined
  }

  const environmentOf = (id: string): Omit<Access, "credential"> | null => {
    const environment = environments.get(id)
    const merchant = environment && merchants.get(environment.merchantId)
    return environment === undefined || merchant === undefined ? null : { environment, merchant }
  }

  const access = (credentialId: string): Access | null => {
    const credential = credentials.get(credentialId)
    const opened = credential === undefined ? null : environmentOf(credential.environment)
    return credential === undefined || opened === null ? null : { credential, ...opened }
  }

  const get = (id: string): MerchantStore.Record | null => {
    const merchant = merchants.get(id)
    if (merchant === undefined) return null
    const mine = [...environments.values()].filter((environment) => environment.merchantId === id).sort(byId)
    return {
      merchant,
      environments: mine,
      credentials: [...credentials.values()].filter((one) => mine.some(({ id }) => id === one.environment)).sort(byId)
    }
  }

  const keyStore: KeyStore["Service"] = {
    load: (environment) =>
      Effect.sync(() =>
        environments.has(environment)
          ? structuredClone({
              environment,
              version: keysVersions.get(environment) ?? 1,
              keys: [...credentials.values()].filter((one) => one.environment === environment)
            })
          : null
      ),
    commit: (change) =>
      Effect.suspend(() => {
        const { added, changed, environment, version } = change
        const current = environments.has(environment) ? (keysVersions.get(environment) ?? 1) : null
        const taken = added.find(({ id }) => credentials.has(id))
        if (current !== version || taken !== undefined) {
          return Effect.fail(new Conflict({ key: taken?.id ?? environment }))
        }
        return outbox.write(change, () => {
          keysVersions.set(environment, version + 1)
          for (const key of structuredClone([...added, ...changed])) {
            credentials.set(key.id, { ...key, lastUsedAt: credentials.get(key.id)?.lastUsedAt ?? null })
          }
        })
      }),
    used: (uses) =>
      Effect.sync(() => {
        for (const { hour, id } of uses) {
          const key = credentials.get(id)
          if (key !== undefined) credentials.set(id, { ...key, lastUsedAt: Math.max(key.lastUsedAt ?? 0, hour) })
        }
      })
  }

  const merchantStore: MerchantStore["Service"] = {
    create: (change) =>
      Effect.suspend(() => {
        const key = taken(change)
        if (key !== undefined) return Effect.fail(new Conflict({ key }))
        return outbox.write(change, () => {
          const mine = structuredClone(change)
          merchants.set(mine.merchant.id, mine.merchant)
          for (const environment of mine.environments) environments.set(environment.id, environment)
          for (const credential of mine.credentials) credentials.set(credential.id, credential)
        })
      }),
    access: (credentialId) => Effect.sync(() => structuredClone(access(credentialId))),
    environment: (id) => Effect.sync(() => structuredClone(environmentOf(id))),
    get: (id) => Effect.sync(() => structuredClone(get(id))),
    list: ({ after, limit }) =>
      Effect.sync(() =>
        structuredClone(
          [...merchants.values()]
            .filter(({ id }) => after === null || id > after)
            .sort(byId)
            .slice(0, limit)
        )
      ),
    change: (change) =>
      Effect.suspend(() => {
        const { from, to } = change
        const merchant = merchants.get(from.id)
        if (merchant === undefined || merchant.name !== from.name || merchant.status !== from.status)
          return Effect.fail(new Conflict({ key: from.id }))
        return outbox.write(change, () => {
          merchants.set(from.id, { ...merchant, name: to.name, status: to.status })
        })
      }),
    saveSettings: (change) =>
      Effect.suspend(() => {
        const { environment: id, settings, version } = change
        const environment = environments.get(id)
        if (environment === undefined || environment.settingsVersion !== version)
          return Effect.fail(new Conflict({ key: id }))
        return outbox.write(change, () => {
          environments.set(id, { ...environment, settings: structuredClone(settings), settingsVersion: version + 1 })
        })
      })
  }
  return { merchants: merchantStore, keys: keyStore }
}

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
