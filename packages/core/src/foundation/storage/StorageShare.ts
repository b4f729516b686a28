import { Context } from "effect"

/**
 * For whom storage is asked. `lists` is for what people look at: lists, searches, statistics, files. A storage gives it a
 * part of its connections only, so that a merchant's lists never hold the connections that logins need.
 *
 * @example
 * ```ts
 * import { StorageShare } from "@countersign/core/storage"
 * import { Effect } from "effect"
 *
 * const asList = Effect.provideService(StorageShare, "lists")
 * ```
 */
export const StorageShare = Context.Reference<"requests" | "lists">("@countersign/core/storage/StorageShare", {
  defaultValue: () => "requests"
})
