import {
  checkOptions,
  type InvalidOptions,
  type LineFact,
  type LineFacts,
  type LineInfo,
  LineInfoError,
  type LineRequest,
  type OptionRules,
  type ProviderCheck,
  ProviderCheckFailed
} from "@countersign/core/channel"
import { Clock, Effect, Result } from "effect"
import { recycled, swapped, swapTime, type Told } from "./answers.ts"
import { type Call, callWithScope } from "./Api.ts"
import { type Operator, operatorOf, type OperatorOptions, operatorRules, provider } from "./Operator.ts"
import type { Reason } from "./reasons.ts"
import * as Tokens from "./Tokens.ts"

export type { OperatorOptions } from "./Operator.ts"

/** The facts that CAMARA has an API for. */
export type CamaraFact = Extract<LineFact, "simSwapped" | "simSwappedAt" | "recycled">

const camaraFacts: ReadonlyArray<CamaraFact> = ["simSwapped", "simSwappedAt", "recycled"]

/** An operator, and the facts that your contract with it covers. */
export interface LineInfoOptions extends OperatorOptions {
  /**
   * `simSwapped` needs the scope `sim-swap:check`, `simSwappedAt` needs `sim-swap:retrieve-date`, and `recycled` needs
   * `number-recycling:check`. Default: `simSwapped`.
   */
  readonly facts?: ReadonlyArray<CamaraFact> | undefined
  /** The path of SimSwap below `apiUrl`. Default: `/sim-swap/v2`. */
  readonly simSwapPath?: string | undefined
  /** The path of NumberRecycling below `apiUrl`. Default: `/number-recycling/v0.2`. */
  readonly numberRecyclingPath?: string | undefined
}

const pathProblem = (path: string | undefined) =>
  path === undefined || /^(\/[\w.~-]{1,64}){1,8}$/.test(path) ? null : "must be a path such as /sim-swap/v2"

const rules: OptionRules<LineInfoOptions> = {
  ...operatorRules,
  facts: ({ facts }) =>
    facts === undefined || (facts.length > 0 && facts.every((fact) => camaraFacts.includes(fact)))
      ? null
      : `must be a list of ${camaraFacts.join(", ")}`,
  simSwapPath: ({ simSwapPath }) => pathProblem(simSwapPath),
  numberRecyclingPath: ({ numberRecyclingPath }) => pathProblem(numberRecyclingPath)
}

/** One call to the operator, and the meaning of its answer. */
interface Question {
  readonly scope: string
  readonly call: Call
  readonly read: (...answer: Parameters<typeof swapped>) => Told
}

/** The calls for a request: as few as possible, because each of them costs money. */
const questionsOf = (
  { facts, number, recycledSince, simSwapHours }: LineRequest,
  paths: { readonly simSwap: string; readonly numberRecycling: string },
  now: number
): ReadonlyArray<Question> => {
  const questions: Array<Question> = []
  if (facts.includes("simSwappedAt")) {
    questions.push({
      scope: "sim-swap:retrieve-date",
      call: { path: `${paths.simSwap}/retrieve-date`, body: { phoneNumber: number } },
      read: (answer) => swapTime(answer, simSwapHours, now)
    })
  } else if (facts.includes("simSwapped")) {
    questions.push({
      scope: "sim-swap:check",
      call: { path: `${paths.simSwap}/check`, body: { phoneNumber: number, maxAge: simSwapHours } },
      read: swapped
    })
  }
  if (facts.includes("recycled")) {
    questions.push({
      scope: "number-recycling:check",
      call: { path: `${paths.numberRecycling}/check`, body: { phoneNumber: number, specifiedDate: recycledSince } },
      read: recycled
    })
  }
  return questions
}

/** A token request authenticates the application and looks up nothing. */
const checkOf = ({ tokenUrl }: Operator, tokens: Tokens.Tokens, scope: string): ProviderCheck => {
  const { host } = new URL(tokenUrl)
  return tokens.get(scope).pipe(
    Effect.as({ detail: `${host} issues tokens for ${scope}` }),
    Effect.mapError(
      (reason) =>
        new ProviderCheckFailed(
          reason._tag === "Refused"
            ? {
                problem: `${host} refuses a token (${reason.providerCode})`,
                advice:
                  "compare the client id, the key and its id, and the scopes of your application with the operator's"
              }
            : {
                problem: `${host} gave no token (${reason.providerCode})`,
                advice: "check that this machine can reach it, and try again"
              }
        )
    )
  )
}

const scopeOf: { readonly [fact in CamaraFact]: string } = {
  simSwapped: "sim-swap:check",
  simSwappedAt: "sim-swap:retrieve-date",
  recycled: "number-recycling:check"
}

const lineInfoOf = (operator: Operator, options: LineInfoOptions): LineInfo => {
  const tokens = Tokens.make(operator)
  const paths = {
    simSwap: options.simSwapPath ?? "/sim-swap/v2",
    numberRecycling: options.numberRecyclingPath ?? "/number-recycling/v0.2"
  }
  const facts = options.facts ?? ["simSwapped"]
  const ask = ({ call, read, scope }: Question) =>
    callWithScope(operator, tokens, scope, call).pipe(
      Effect.flatMap((answer) => Effect.fromResult(read(answer))),
      Effect.result
    )
  return {
    provider,
    carrier: operator.name,
    ...(operator.prefixes === undefined ? {} : { prefixes: operator.prefixes }),
    facts,
    lookUp: Effect.fnUntraced(function* (request) {
      const questions = questionsOf(request, paths, yield* Clock.currentTimeMillis)
      const answers = yield* Effect.all(questions.map(ask), { concurrency: "unbounded" })
      const failures: Array<Reason> = []
      let learned: Partial<LineFacts> = {}
      for (const answer of answers) {
        if (Result.isSuccess(answer)) learned = { ...learned, ...answer.success }
        else failures.push(answer.failure)
      }
      const [reason] = failures
      return reason === undefined || failures.length < answers.length
        ? learned
        : yield* new LineInfoError({ provider, reason })
    }),
    check: checkOf(operator, tokens, scopeOf[facts[0] ?? "simSwapped"])
  }
}

/**
 * Facts about the lines of one operator, or of an aggregator, through the CAMARA APIs SimSwap and NumberRecycling.
 *
 * @example
 * ```ts
 * import { Camara } from "@countersign/camara"
 * import { Redacted } from "effect"
 *
 * const operator = Camara.lineInfo({
 *   prefixes: ["91"],
 *   apiUrl: "https://api.operator.example",
 *   tokenUrl: "https://auth.operator.example/token",
 *   clientId: "your-client-id",
 *   privateKey: Redacted.make("-----BEGIN PRIVATE KEY-----…"),
 *   facts: ["simSwapped", "recycled"]
 * })
 * ```
 */
export const lineInfo = (options: LineInfoOptions): Effect.Effect<LineInfo, InvalidOptions> =>
  Effect.map(Effect.fromResult(checkOptions(provider, options, rules)), (checked) =>
    lineInfoOf(operatorOf(checked), checked)
  )
