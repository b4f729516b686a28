import type { ChosenKeys } from "@countersign/core"
import { Effect, Redacted, Schema } from "effect"

/** Everything that can be configured, checked. */
export interface Configuration {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** Absent: the embedded database in `dataDirectory`. */
  readonly databaseUrl: Redacted.Redacted | undefined
  readonly dataDirectory: string
  /** Absent only with the embedded database, which makes one. */
  readonly secret: Redacted.Redacted | undefined
  readonly previousSecrets: ReadonlyArray<Redacted.Redacted>
  readonly adminToken: Redacted.Redacted | undefined
  readonly liveKeys: ChosenKeys | undefined
  readonly testKeys: ChosenKeys | undefined
  readonly otlpUrl: string | undefined
}

/** What is wrong with the configuration: a line for each variable, none of them with a value in it. */
export class InvalidConfiguration extends Schema.TaggedError<InvalidConfiguration>()("InvalidConfiguration", {
  problems: Schema.Array(Schema.String)
}) {}

export type Environment = { readonly [name: string]: string | undefined }

/** Reads variables and remembers what is wrong with each, so that the operator hears of all at once. */
class Reader {
  readonly problems: Array<string> = []
  readonly #environment: Environment
  constructor(environment: Environment) {
    this.#environment = environment
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim()
    return value === undefined || value === "" ? undefined : value
  }

  read<A>(name: string, parse: (text: string) => A | undefined, problem: string): A | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) this.refuse(name, problem)
    return value
  }

  refuse(name: string, problem: string): void {
    this.problems.push(`${name}: ${problem}`)
  }
}

const port = (text: string) => (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)

const urlOf = (...protocols: ReadonlyArray<string>) => (text: string) =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined

const secret = (text: string) =>
  /^([0-9a-fA-F]{64}|[A-Za-z0-9_-]{43}=?)$/.test(text) ? Redacted.make(text) : undefined

const secrets = (text: string) => {
  const parsed = text.split(",").map((one) => secret(one.trim()))
  return parsed.every((one) => one !== undefined) ? parsed : undefined
}

const secretProblem = "must be 32 bytes as base64url (43 characters) or hex (64); `countersign keys secret` makes one"

const longEnough = (length: number) => (text: string) => (text.length >= length ? Redacted.make(text) : undefined)
const identifier = (text: string) => (/^[\w.-]{8,128}$/.test(text) ? text : undefined)

const keys = (reader: Reader, infix: string): ChosenKeys | undefined => {
  const names = [`COUNTERSIGN_${infix}CLIENT_ID`, `COUNTERSIGN_${infix}CLIENT_SECRET`, `COUNTERSIGN_${infix}PUBLIC_KEY`] as const
  const given = names.filter((name) => reader.text(name) !== undefined)
  if (given.length === 0) return undefined
  for (const name of names) if (!given.includes(name)) reader.refuse(name, `is required together with ${given[0]}`)
  const idProblem = "must be 8 to 128 letters, digits, dots, dashes or underscores"
  const clientId = reader.read(names[0], identifier, idProblem)
  const clientSecret = reader.read(names[1], longEnough(16), "must be at least 16 characters")
  const publicKey = reader.read(names[2], identifier, idProblem)
  return clientId === undefined || clientSecret === undefined || publicKey === undefined
    ? undefined
    : { clientId, clientSecret, publicKey }
}

/** Reads the configuration from environment variables. */
export const read = (environment: Environment): Effect.Effect<Configuration, InvalidConfiguration> =>
  Effect.suspend(() => {
    const reader = new Reader(environment)
    const databaseUrl = reader.read(
      "DATABASE_URL",
      urlOf("postgres:", "postgresql:"),
      "must be postgres://user:password@host:5432/database"
    )
    const host = reader.text("HOST") ?? (databaseUrl === undefined ? "127.0.0.1" : "0.0.0.0")
    const chosenPort = reader.read("PORT", port, "must be a whole number from 0 to 65535") ?? 8080
    const publicUrl = reader.read("PUBLIC_URL", urlOf("http:", "https:"), "must be an http or https URL")
    const master = reader.read("COUNTERSIGN_SECRET", secret, secretProblem)
    if (databaseUrl !== undefined && reader.text("COUNTERSIGN_SECRET") === undefined) {
      reader.refuse("COUNTERSIGN_SECRET", "is required with DATABASE_URL; `countersign keys secret` makes one")
    }
    const previousSecrets = reader.read("COUNTERSIGN_SECRET_PREVIOUS", secrets, `each, separated by commas, ${secretProblem}`)
    const adminToken = reader.read("COUNTERSIGN_ADMIN_TOKEN", longEnough(16), "must be at least 16 characters")
    const liveKeys = keys(reader, "")
    const testKeys = keys(reader, "TEST_")
    if (testKeys !== undefined && liveKeys === undefined) {
      reader.refuse("COUNTERSIGN_CLIENT_ID", "is required together with COUNTERSIGN_TEST_CLIENT_ID")
    }
    const otlpUrl = reader.read("OTEL_EXPORTER_OTLP_ENDPOINT", urlOf("http:", "https:"), "must be an http or https URL")
    if (reader.problems.length > 0) return Effect.fail(new InvalidConfiguration({ problems: reader.problems }))
    return Effect.succeed({
      host,
      port: chosenPort,
      publicUrl: (publicUrl ?? `http://localhost:${chosenPort}`).replace(/\/+$/, ""),
      databaseUrl: databaseUrl === undefined ? undefined : Redacted.make(databaseUrl),
      dataDirectory: reader.text("COUNTERSIGN_DATA_DIR") ?? ".countersign",
      secret: master,
      previousSecrets: previousSecrets ?? [],
      adminToken,
      liveKeys,
      testKeys,
      otlpUrl
    })
  })
