import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { StoredTemplate, TemplateContent, TemplateHead } from "./StoredTemplate.ts"

/** Merchants' templates. No query returns removed templates; their words stay for two days. */
export class TemplateStore extends Context.Service<
  TemplateStore,
  {
    /** All templates of an environment without their words, by id, and so by age. */
    readonly heads: (environment: string) => Effect.Effect<ReadonlyArray<TemplateHead>, StoreError>
    readonly get: (environment: string, id: string) => Effect.Effect<StoredTemplate | null, StoreError>
    /** By id, and so by age. */
    readonly list: (page: TemplateStore.Page) => Effect.Effect<ReadonlyArray<StoredTemplate>, StoreError>
    /** The words of a version, even of a removed template. */
    readonly content: (
      environment: string,
      id: string,
      version: number
    ) => Effect.Effect<TemplateContent | null, StoreError>
    /** The templates of all environments with that name and language on WhatsApp. */
    readonly atProvider: (name: string, language: string) => Effect.Effect<ReadonlyArray<TemplateHead>, StoreError>
    /**
     * Saves a template, the words of a new version and all effects of the change, or nothing. The words of earlier
     * versions stay for two more days. Fails with `Conflict` when another writer saved it first, or another template
     * has the same name, channel, purpose and locale. Returns the template as stored.
     */
    readonly commit: (change: TemplateStore.Change) => Effect.Effect<TemplateHead, Conflict | StoreError>
  }
>()("@countersign/core/template/TemplateStore") {}

export declare namespace TemplateStore {
  /**
   * A template's next state, carrying the revision that was read; 0 for a new template. `content` holds the words of a
   * new version, and is null when the words stay.
   */
  export type Change = Outgoing & {
    readonly head: TemplateHead
    readonly content: TemplateContent | null
  }

  export interface Page {
    readonly environment: string
    /** The last id of the previous page. */
    readonly after: string | null
    readonly limit: number
  }
}
