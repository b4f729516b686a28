import type { KeySet } from "@countersign/core"
import type { VariableReader } from "../VariableReader.ts"
import { longEnough } from "./parse.ts"
import type { Variable, VariableGroup } from "./Variable.ts"

const namesWith = (infix: string) =>
  [`COUNTERSIGN_${infix}CLIENT_ID`, `COUNTERSIGN_${infix}CLIENT_SECRET`, `COUNTERSIGN_${infix}PUBLIC_KEY`] as const

const live = namesWith("")
const test = namesWith("TEST_")

/** Each variable needs the other two of its environment. Test keys also need the live keys. */
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
      "the client id of the first merchant's live environment: 8 to 128 letters, digits, `.`, `-` or `_`",
      "the client secret of the live environment, at least 16 characters",
      "the public key of the live environment, in the format of a client id"
    ]),
    ...keysOf(
      test,
      "test",
      [
        "the client id of the test environment. Requires the live keys",
        "the client secret of the test environment, at least 16 characters",
        "the public key of the test environment"
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

/** The keys that the operator chose for the first merchant. */
export const read = (reader: VariableReader) => ({ liveKeys: keys(reader, live), testKeys: keys(reader, test) })
