import type { KeySet } from "@countersign/core"
import type { VariableReader } from "../VariableReader.ts"
import { longEnough } from "./parse.ts"
import type { Variable, VariableGroup } from "./Variable.ts"

const namesWith = (infix: string) =>
  [`COUNTERSIGN_${infix}CLIENT_ID`, `COUNTERSIGN_${infix}CLIENT_SECRET`, `COUNTERSIGN_${infix}PUBLIC_KEY`] as const

const live = namesWith("")
const test = namesWith("TEST_")

/** Each needs the two others, and the keys of test those of live. */
const keysOf = (
  names: ReturnType<typeof namesWith>,
  environment: string,
  more: Partial<Record<number, string>>,
  others: ReadonlyArray<string> = []
): ReadonlyArray<Variable> => {
  const needs = (name: string) => [...names.filter((one) => one !== name), ...others]
  const [id, secret, publicKey] = names
  return [
    { name: id, about: more[0] ?? "", example: `cs_${environment}_acme`, needs: needs(id) },
    { name: secret, about: more[1] ?? "", example: "openssl rand -base64 32", secret: true, needs: needs(secret) },
    { name: publicKey, about: more[2] ?? "", example: `pk_${environment}_acme`, needs: needs(publicKey) }
  ]
}

export const group: VariableGroup = {
  id: "first-merchant",
  title: "The first merchant's keys",
  variables: [
    ...keysOf(live, "live", [
      "the first merchant's live client id: 8 to 128 letters, digits, `.`, `-`, `_`",
      "its secret, at least 16 characters",
      "its public key, in the form of a client id"
    ]),
    ...keysOf(
      test,
      "test",
      [
        "the client id of its test environment; only together with the keys for live",
        "the secret of that, at least 16 characters",
        "the public key of its test environment"
      ],
      [live[0]]
    )
  ]
}

const identifier = (text: string) => (/^[\w.-]{8,128}$/.test(text) ? text : undefined)

const keys = (reader: VariableReader, names: ReturnType<typeof namesWith>): KeySet | undefined => {
  const form = "must be 8 to 128 letters, digits, dots, dashes or underscores"
  const clientId = reader.read(names[0], identifier, form)
  const clientSecret = reader.read(names[1], longEnough(16), "must be at least 16 characters")
  const publicKey = reader.read(names[2], identifier, form)
  return clientId === undefined || clientSecret === undefined || publicKey === undefined
    ? undefined
    : { clientId, clientSecret, publicKey }
}

/** The keys of the first merchant, where the operator chooses them. */
export const read = (reader: VariableReader) => ({ liveKeys: keys(reader, live), testKeys: keys(reader, test) })
