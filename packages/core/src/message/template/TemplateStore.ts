import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { StoredTemplate, TemplateContent, TemplateHead } from "./StoredTemplate.ts"

/** Stores merchants' templates. No query returns a removed template, but its content stays for two days. */
export class TemplateStore extends Context.Service<
  TemplateStore,
  {
    /** Returns all templates of an environment without their content, by id, and so by age. */
    readonly heads: (environment: string) => Effect.Effect<ReadonlyArray<TemplateHead>, StoreError>
    readonly get: (environment: string, id: string) => Effect.Effect<StoredTemplate | null, StoreError>
    /** A page of templates, by id, and so by age. */
    readonly list: (page: TemplateStore.Page) => Effect.Effect<ReadonlyArray<StoredTemplate>, StoreError>
    /** Returns the content of a version, even of a removed template. */
    readonly content: (
      environment: string,
      id: string,
      version: number
    ) => Effect.Effect<TemplateContent | null, StoreError>
    /** Returns the templates of all environments that have this name and language at WhatsApp. */
    readonly atProvider: (name: string, language: string) => Effect.Effect<ReadonlyArray<TemplateHead>, StoreError>
    /**
     * Saves a template, the content of a new version and all effects of the change, or nothing. The content of earlier
     * versions stays for two more days. Fails with `Conflict` when another writer saved it first, or another template
     * has the same name, channel, purpose and locale. Returns the template as stored.
     */
    readonly commit: (change: TemplateStore.Change) => Effect.Effect<TemplateHead, Conflict | StoreError>
  }
>()("@countersign/core/template/TemplateStore") {}

export declare namespace TemplateStore {
  /**
   * A template's next state, with the revision that was read; 0 for a new template. `content` is the content of a new
   * version, or null when the content stays.
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
