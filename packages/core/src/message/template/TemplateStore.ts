import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { StoredTemplate, TemplateContent, TemplateHead } from "./StoredTemplate.ts"

/** The templates of merchants. Those that were removed are found by nobody; their words are, for two days. */
export class TemplateStore extends Context.Service<
  TemplateStore,
  {
    /** All of an environment without their words, by id, which is by age. */
    readonly heads: (environment: string) => Effect.Effect<ReadonlyArray<TemplateHead>, StoreError>
    readonly get: (environment: string, id: string) => Effect.Effect<StoredTemplate | null, StoreError>
    /** By id, which is by age. */
    readonly list: (page: TemplateStore.Page) => Effect.Effect<ReadonlyArray<StoredTemplate>, StoreError>
    /** The words of one version, of a template that may be removed by now. */
    readonly content: (
      environment: string,
      id: string,
      version: number
    ) => Effect.Effect<TemplateContent | null, StoreError>
    /** Those of all environments that WhatsApp knows by that name and language. */
    readonly atProvider: (name: string, language: string) => Effect.Effect<ReadonlyArray<TemplateHead>, StoreError>
    /**
     * Saves a template, the words of its version where they are new, and all that the change leaves, or nothing. Words
     * of earlier versions are kept for two days more. `Conflict` when somebody else saved it first, or another has its
     * name, channel, purpose and locale. Answers the template as it is stored now.
     */
    readonly commit: (change: TemplateStore.Change) => Effect.Effect<TemplateHead, Conflict | StoreError>
  }
>()("@countersign/core/template/TemplateStore") {}

export declare namespace TemplateStore {
  /**
   * A template's next state, carrying the revision that was read; 0 for a new one. `content` are the words of its version
   * where that is new, and null where the words stay.
   */
  export type Change = Outgoing & {
    readonly head: TemplateHead
    readonly content: TemplateContent | null
  }

  export interface Page {
    readonly environment: string
    /** The id of the last one of the page before. */
    readonly after: string | null
    readonly limit: number
  }
}
