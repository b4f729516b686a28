import type { Firebase } from "@countersign/firebase"
import { Effect } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

export interface FirebaseConfiguration {
  readonly projectNumber: string
  readonly projectId: string
  readonly merchants: ReadonlyArray<string> | undefined
  readonly keysUrl: string | undefined
}

const group: VariableGroup = {
  id: "firebase",
  title: "Firebase Phone Number Verification",
  prefix: "FIREBASE_",
  together: true,
  variables: [
    {
      name: "FIREBASE_PROJECT_NUMBER",
      about: "the number of your Firebase project",
      example: "123456789012",
      needs: ["FIREBASE_PROJECT_ID"],
      more: "See [Firebase](channels/firebase.md)"
    },
    {
      name: "FIREBASE_PROJECT_ID",
      about: "the id of the same project",
      example: "acme-login",
      needs: ["FIREBASE_PROJECT_NUMBER"]
    },
    {
      name: "FIREBASE_MERCHANTS",
      about: "the ids of the merchants whose apps belong to the project, separated by commas",
      default: "all merchants",
      example: "mer_01kaj3v9c0q5w8xn2rz7t4m6hd"
    },
    {
      name: "FIREBASE_KEYS_URL",
      about: "the address of Google's public keys, for proxies and tests; must be https, except on this machine",
      default: "`https://fpnv.googleapis.com/v1beta/jwks`",
      example: "http://127.0.0.1:9007/v1beta/jwks"
    }
  ]
}

const read = (reader: VariableReader): FirebaseConfiguration | undefined => {
  if (!reader.wants(group.variables)) return undefined
  return {
    projectNumber: reader.text("FIREBASE_PROJECT_NUMBER") ?? "",
    projectId: reader.text("FIREBASE_PROJECT_ID") ?? "",
    merchants: reader
      .text("FIREBASE_MERCHANTS")
      ?.split(",")
      .map((id) => id.trim()),
    keysUrl: reader.text("FIREBASE_KEYS_URL")
  }
}

/** The options that the environment sets. */
type Set = Pick<Firebase.Options, keyof FirebaseConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = {
  projectNumber: "FIREBASE_PROJECT_NUMBER",
  projectId: "FIREBASE_PROJECT_ID",
  merchants: "FIREBASE_MERCHANTS",
  keysUrl: "FIREBASE_KEYS_URL"
}

const verifiers = Effect.fnUntraced(function* (options: FirebaseConfiguration) {
  const { Firebase } = yield* Effect.promise(() => import("@countersign/firebase"))
  return [yield* Effect.mapError(Firebase.make(options), inVariables(variables))]
})

/** Number verification through Firebase. */
export const provider: Provider<FirebaseConfiguration> = {
  group,
  read,
  verifiers,
  switch: () => "FIREBASE_PROJECT_NUMBER"
}
