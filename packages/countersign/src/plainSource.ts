import { InvalidOptions, type OptionProblem } from "@countersign/core/channel"
import type { ServiceFacts, Source } from "@countersign/http"
import { Effect, Redacted, type Result, type Scope } from "effect"

/**
 * An adapter's options without Effect types: secrets are plain text, and all values may come from `process.env`. Missing
 * values are reported at the start.
 */
export type Plain<Options> = {
  readonly [name in keyof Options]: (Options[name] extends Redacted.Redacted ? string : Options[name]) | undefined
}

/** The kind of a plain option. A secret is wrapped in `Redacted` immediately. */
type Kind = "text" | "secret" | "number" | "boolean" | "texts"

/** The kind of every option, with `?` if optional. A missing kind is a compile error. */
export type Kinds<Plain> = {
  readonly [name in keyof Plain]-?: {} extends Pick<Plain, name> ? `${Kind}?` : Kind
}

/** The options for the adapter, type-checked and with wrapped secrets. */
export type Checked<Plain, K extends Kinds<Plain>> = {
  readonly [name in keyof Plain]: K[name] extends "secret" | "secret?"
    ? Redacted.Redacted
    : Exclude<Plain[name], undefined>
}

const isMissing = (value: unknown) => value === undefined || value === null || value === ""

const holds: { readonly [kind in Kind]: readonly [test: (value: unknown) => boolean, problem: string] } = {
  text: [(value) => typeof value === "string", "must be a text"],
  secret: [(value) => typeof value === "string", "must be a text"],
  number: [(value) => typeof value === "number" && Number.isFinite(value), "must be a number"],
  boolean: [(value) => typeof value === "boolean", "must be true or false"],
  texts: [(value) => Array.isArray(value) && value.every((one) => typeof one === "string"), "must be an array of texts"]
}

/** Replaces an invalid option, so that the adapter can check the others. */
const standIn: { readonly [kind in Kind]: unknown } = {
  text: "",
  secret: Redacted.make(""),
  number: 0,
  boolean: false,
  texts: []
}

const check = (given: { readonly [name: string]: unknown }, kinds: { readonly [name: string]: string }) => {
  const problems: Array<OptionProblem> = []
  const options: Record<string, unknown> = {}
  for (const name of Object.keys(given))
    if (!Object.hasOwn(kinds, name)) problems.push({ option: name, problem: "is not an option" })
  for (const [name, written] of Object.entries(kinds)) {
    const kind = written.replace("?", "") as Kind
    const value = given[name]
    const [test, problem] = holds[kind]
    if (isMissing(value) && written.endsWith("?")) continue
    if (!isMissing(value) && test(value)) options[name] = kind === "secret" ? Redacted.make(value) : value
    else {
      problems.push({ option: name, problem: isMissing(value) ? "is missing" : problem })
      if (!written.endsWith("?")) options[name] = standIn[kind]
    }
  }
  return { options, problems }
}

/**
 * Creates a plain function for an adapter. It accepts options from the environment and reports all of their problems at
 * the start.
 */
export const plainSource =
  <Plain extends object, const K extends Kinds<Plain>, A>(
    provider: string,
    kinds: K,
    make: (
      options: Checked<Plain, K>,
      service: ServiceFacts
    ) => Effect.Effect<ReadonlyArray<A>, InvalidOptions, Scope.Scope>
  ) =>
  (given: Plain): Source<A> => ({
    provider,
    make: (service) =>
      Effect.suspend(() => {
        const { options, problems } = check({ ...given } as Record<string, unknown>, kinds)
        const told = new Set(problems.map(({ option }) => option))
        return make(options as Checked<Plain, K>, service).pipe(
          Effect.result,
          Effect.flatMap((made: Result.Result<ReadonlyArray<A>, InvalidOptions>) => {
            const found = made._tag === "Failure" ? made.failure.problems.filter(({ option }) => !told.has(option)) : []
            const all = [...problems, ...found]
            return all.length === 0 && made._tag === "Success"
              ? Effect.succeed(made.success)
              : Effect.fail(new InvalidOptions({ provider, problems: all }))
          })
        )
      })
  })
