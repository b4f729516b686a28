import {
  ChannelError,
  checkOptions,
  InvalidOptions,
  type NumberLogin,
  type NumberStart,
  type NumberVerifier,
  type OptionProblem,
  OpenedProof,
  type OptionRules,
  type Proof,
  Refused
} from "@countersign/core/channel"
import { type Answered, apiUrlProblem, field, json } from "@countersign/provider-http"
import { Effect, Redacted, Result } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { call } from "./Api.ts"
import { type Operator, operatorOf, type OperatorOptions, operatorRules, provider } from "./Operator.ts"
import { type Reason, refusal, unreadable } from "./reasons.ts"
import { requestToken } from "./Tokens.ts"

/** An operator, and your registration for number verification there. */
export interface NumberVerificationOptions extends OperatorOptions {
  /** The operator's authorization endpoint, which the phone opens over mobile data. */
  readonly authorizeUrl: string
  /** The redirect URI that is registered there. The app reads the address and follows no further. */
  readonly redirectUri: string
  /** The path of NumberVerification below `apiUrl`. Default: `/number-verification/v2`. */
  readonly numberVerificationPath?: string | undefined
  /** Sends the number's SHA-256 instead of the number. Default: false. */
  readonly hashed?: boolean | undefined
}

const name = "CAMARA"
const scope = "number-verification:verify"
const usualPurpose = "dpv:FraudPreventionAndDetection"
const usualPath = "/number-verification/v2"

const redirectProblem = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || url.hash !== "" || url.username !== "" || url.password !== "") {
    return "must be the registered redirect URI, without a fragment"
  }
  // An app's own scheme may be claimed by another app; PKCE and the sealed state make its code useless there.
  return url.protocol === "http:" ? apiUrlProblem(text) : null
}

const rules: OptionRules<NumberVerificationOptions> = {
  ...operatorRules,
  authorizeUrl: ({ authorizeUrl }) => apiUrlProblem(authorizeUrl),
  redirectUri: ({ redirectUri }) => redirectProblem(redirectUri),
  hashed: () => null,
  numberVerificationPath: ({ numberVerificationPath: path }) =>
    path === undefined || /^(\/[\w.~-]{1,64}){1,8}$/.test(path) ? null : `must be a path such as ${usualPath}`
}

/** Validated options of one operator. */
interface Route {
  readonly operator: Operator
  readonly authorizeUrl: string
  readonly redirectUri: string
  readonly path: string
  readonly isHashed: boolean
}

/** What a start keeps for the check, encrypted by core. */
interface Kept {
  readonly operator: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

const routeOf = (options: NumberVerificationOptions): Route => ({
  operator: operatorOf({ ...options, purpose: options.purpose ?? usualPurpose }),
  authorizeUrl: options.authorizeUrl,
  redirectUri: options.redirectUri,
  path: options.numberVerificationPath ?? usualPath,
  isHashed: options.hashed ?? false
})

const refused = (providerCode: string) => Effect.fail(new Refused({ providerCode }))
const otherNetwork = (providerCode: string) => new Refused({ providerCode, because: "channel" })

const isRepeated = (text: string, at: number, all: ReadonlyArray<string>) => all.indexOf(text) !== at

/** A login comes back to its operator by the name, and a number finds its operator by the prefix. */
const problemsBetween = (routes: ReadonlyArray<Route>): ReadonlyArray<OptionProblem> => {
  const problems: Array<OptionProblem> = []
  if (routes.map(({ operator }) => operator.name).some(isRepeated)) {
    problems.push({ option: "name", problem: "must be different for each operator" })
  }
  if (routes.flatMap(({ operator }) => operator.prefixes ?? [""]).some(isRepeated)) {
    problems.push({ option: "prefixes", problem: "must be different for each operator" })
  }
  return problems
}

/** The operator with the longest prefix of a number. */
const choose = (routes: ReadonlyArray<Route>, phone: string): Route | undefined => {
  let chosen: Route | undefined
  let longest = -1
  for (const route of routes) {
    for (const prefix of route.operator.prefixes ?? [""]) {
      if (phone.startsWith(prefix) && prefix.length > longest) [chosen, longest] = [route, prefix.length]
    }
  }
  return chosen
}

const random = () => randomBytes(32).toString("base64url")

const authorizeAddress = ({ authorizeUrl, operator, redirectUri }: Route, { codeVerifier, nonce, state }: Kept) => {
  const url = new URL(authorizeUrl)
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: operator.clientId,
    redirect_uri: redirectUri,
    scope: `openid ${operator.purpose} ${scope}`,
    state,
    nonce,
    prompt: "none",
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256"
  }).toString()
  return url.href
}

/** Errors of the authorization endpoint that mean that it did not recognise the SIM. */
const unrecognised = new Set(["login_required", "interaction_required", "consent_required", "access_denied"])

/** The code in the address at which the app stopped. It must be our redirect URI, with the state of this login. */
const codeIn = (answer: string, { redirectUri }: Route, { state }: Kept): Result.Result<string, Reason> => {
  const [url, own] = [URL.parse(answer.trim()), new URL(redirectUri)]
  const isOurs = url !== null && url.protocol === own.protocol && url.host === own.host && url.pathname === own.pathname
  // Over Wi-Fi some operators answer with a page instead of a redirect.
  if (!isOurs) return Result.fail(otherNetwork("no_redirect"))
  const [code, states, error] = [
    url.searchParams.getAll("code"),
    url.searchParams.getAll("state"),
    url.searchParams.get("error")
  ]
  if (states.length !== 1 || states[0] !== state) return Result.fail(new Refused({ providerCode: "state" }))
  if (error !== null) {
    return Result.fail(unrecognised.has(error) ? otherNetwork(error) : new Refused({ providerCode: "authorization" }))
  }
  const [only] = code
  return code.length === 1 && only !== undefined && /^[\x21-\x7e]{1,2048}$/.test(only)
    ? Result.succeed(only)
    : Result.fail(new Refused({ providerCode: "code" }))
}

const claimsOf = (idToken: string): unknown => {
  try {
    return JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString("utf8"))
  } catch {
    return undefined
  }
}

const otherNetworkCode = "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"

const proofOf = (answer: Answered, phone: string): Result.Result<Proof, Reason> => {
  const body = json(answer)
  if (answer.status === 200) {
    const isVerified = field(body, "devicePhoneNumberVerified")
    if (typeof isVerified !== "boolean") return Result.fail(unreadable)
    return Result.succeed(isVerified ? { phone, isVerified } : { phone: null, isVerified })
  }
  if (answer.status === 403 && field(body, "code") === otherNetworkCode) {
    return Result.fail(otherNetwork("USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"))
  }
  return Result.fail(refusal(answer))
}

const verifierOf = (routes: ReadonlyArray<Route>): NumberVerifier<OpenedProof> => {
  const told = <A>(effect: Effect.Effect<A, Reason>): Effect.Effect<A, ChannelError> =>
    Effect.mapError(effect, (reason) => new ChannelError({ channel: name, reason }))

  const exchange = Effect.fnUntraced(function* (route: Route, code: string, { codeVerifier, nonce }: Kept) {
    const { idToken, value } = yield* requestToken(route.operator, {
      grant_type: "authorization_code",
      code,
      redirect_uri: route.redirectUri,
      code_verifier: codeVerifier
    }).pipe(
      // The code was used, expired, or belongs to another login. The account is fine.
      Effect.mapError((reason) =>
        reason.providerCode === "invalid_grant" ? new Refused({ providerCode: "invalid_grant" }) : reason
      )
    )
    // It came from the operator over TLS, so its signature adds nothing.
    if (idToken !== null && field(claimsOf(Redacted.value(idToken)), "nonce") !== nonce) return yield* refused("nonce")
    return value
  })

  const verify = Effect.fnUntraced(function* (answer: string, { kept, phone }: NumberLogin) {
    const state = JSON.parse(kept ?? "{}") as Kept
    const route = routes.find(({ operator }) => operator.name === state.operator)
    // The operator was removed from the configuration between the two steps.
    if (route === undefined) return yield* refused("unknown_operator")
    const code = yield* Effect.fromResult(codeIn(answer, route, state))
    const token = yield* exchange(route, code, state)
    const number = `+${phone}`
    const body: { readonly [field: string]: string } = route.isHashed
      ? { hashedPhoneNumber: createHash("sha256").update(number).digest("hex") }
      : { phoneNumber: number }
    const reply = yield* call(route.operator, { path: `${route.path}/verify`, body }, token)
    return yield* Effect.fromResult(proofOf(reply, phone))
  })

  return {
    name,
    label: "Mobile network",
    provider,
    payload: OpenedProof,
    refusal:
      "was rejected: the address works once, on the phone whose number it verifies, and its redirect must be posted unchanged. Start again in the app",
    start: ({ phone }) =>
      told(
        Effect.suspend((): Effect.Effect<NumberStart, Reason> => {
          const route = choose(routes, phone)
          if (route === undefined) return Effect.fail(otherNetwork("no_operator"))
          const kept: Kept = {
            operator: route.operator.name,
            state: random(),
            nonce: random(),
            codeVerifier: random()
          }
          return Effect.succeed({ url: authorizeAddress(route, kept), kept: JSON.stringify(kept) })
        })
      ),
    verify: ({ answer }, login) => told(verify(Redacted.value(answer), login))
  }
}

/**
 * Verifies numbers with CAMARA NumberVerification: the phone opens the operator's authorization endpoint over mobile
 * data, and the operator compares the SIM's number. Each number goes to the operator with its longest prefix.
 *
 * @example
 * ```ts
 * import { NumberVerification } from "@countersign/camara"
 * import { Redacted } from "effect"
 *
 * const verifier = NumberVerification.make([
 *   {
 *     name: "operator",
 *     prefixes: ["91"],
 *     apiUrl: "https://api.operator.example",
 *     tokenUrl: "https://auth.operator.example/token",
 *     authorizeUrl: "https://auth.operator.example/authorize",
 *     redirectUri: "https://app.example.com/number",
 *     clientId: "your-client-id",
 *     privateKey: Redacted.make("-----BEGIN PRIVATE KEY-----…")
 *   }
 * ])
 * ```
 */
export const make = (
  operators: ReadonlyArray<NumberVerificationOptions>
): Effect.Effect<NumberVerifier<OpenedProof>, InvalidOptions> =>
  Effect.gen(function* () {
    const checked = yield* Effect.forEach(operators, (options) =>
      Effect.fromResult(checkOptions(provider, options, rules))
    )
    const routes = checked.map(routeOf)
    const problems = problemsBetween(routes)
    return problems.length > 0 ? yield* new InvalidOptions({ provider, problems }) : verifierOf(routes)
  })
