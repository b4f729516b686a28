/**
 * Who may import whom, as data. `check.ts` reads it; docs/architecture.md explains it.
 * A module pattern is a name (`effect/http` covers `effect/http/…` too) and may end in `*`.
 */

export interface Forbidden {
  readonly modules: ReadonlyArray<string>
  /** Where the code should go instead. */
  readonly instead: string
}

export interface PackageRule {
  /** The packages of ours its `src` may import. */
  readonly ours: ReadonlyArray<string>
  /** Where code goes that needs another package of ours. */
  readonly otherwise: string
  /** If given, the only modules from outside its `src` may import. */
  readonly only?: Forbidden
  readonly never: ReadonlyArray<Forbidden>
  /** If given, what its `src` may import from these is types alone, by `import type`. */
  readonly typesOnly?: Forbidden & {
    readonly why: string
    /** Tables that import nothing themselves, so their values may come in. */
    readonly tables: ReadonlyArray<string>
  }
}

export const scope = "@countersign/"

/** The one package without the scope: the name that people guess. */
export const unscoped = "countersign"

/** Nobody imports this package; only its own tests do, and those of what it serves. */
export const top = "server"
export const testersOfTop: ReadonlyArray<string> = ["dashboard"]
/** What of it is a table, and the programs that make pages of tables. */
export const tablesOfTop = "packages/server/src/variables/"
export const readersOfTables = "docs/"

const adapter: PackageRule = {
  ours: ["core"],
  otherwise:
    "an adapter knows core and its provider, nothing else: what two adapters share is a port or a rule and belongs in packages/core, and what joins them belongs in packages/server",
  never: [
    { modules: ["@effect/platform-*"], instead: "take the service as a layer; packages/server provides the platform" },
    { modules: ["effect/http-api"], instead: "the HTTP interface is in packages/http" },
    { modules: ["effect/sql", "@effect/sql-*"], instead: "storage is in packages/postgres, behind a port of core" }
  ]
}

/** The same for a provider over HTTP. */
const httpAdapter: PackageRule = {
  ...adapter,
  ours: ["core", "provider-http"],
  otherwise:
    "an adapter knows core and its provider, nothing else: what adapters over HTTP share belongs in packages/provider-http, a port or a rule in packages/core, and what joins them in packages/server"
}

export const packages: Readonly<Record<string, PackageRule>> = {
  core: {
    ours: [],
    otherwise:
      "core knows no other package: put a port (an interface) in packages/core and implement it in the other package, or join the two in packages/server",
    never: [
      {
        modules: ["node:*"],
        instead:
          "use web standards or a pure library, or put a port in packages/core and implement it in an adapter or in packages/server"
      },
      {
        modules: ["effect/sql", "@effect/sql-*"],
        instead: "put a store port in packages/core and its SQL in packages/postgres"
      },
      {
        modules: ["effect/http", "effect/http-api", "effect/http-*"],
        instead: "calls to providers belong in an adapter package, our HTTP interface in packages/http"
      },
      {
        modules: ["@effect/platform-*"],
        instead: "put a port in packages/core; packages/server provides the platform"
      }
    ]
  },
  testkit: {
    ours: ["core"],
    otherwise:
      "the kit tests any implementation of core's ports: take it as a parameter, and call the kit from the other package's test folder",
    only: {
      modules: ["effect", "@effect/vitest", "vitest", "node:*", "smtp-server"],
      instead: "take what you need as a parameter, or move the test to the package that has the dependency"
    },
    never: [
      { modules: ["effect/sql"], instead: "take the storage as a layer" },
      { modules: ["@effect/platform-*"], instead: "take the platform as a layer" }
    ]
  },
  postgres: {
    ...adapter,
    never: [
      {
        modules: ["@effect/platform-*"],
        instead: "take the service as a layer; packages/server provides the platform"
      },
      { modules: ["effect/http", "effect/http-api"], instead: "the HTTP interface is in packages/http" }
    ]
  },
  twilio: httpAdapter,
  whatsapp: httpAdapter,
  smtp: adapter,
  truecaller: httpAdapter,
  camara: httpAdapter,
  firebase: httpAdapter,
  "provider-http": adapter,
  msg91: httpAdapter,
  vonage: httpAdapter,
  aws: httpAdapter,
  passkeys: adapter,
  oidc: adapter,
  webhooks: adapter,
  http: {
    ours: ["core"],
    otherwise:
      "http translates between HTTP and core: a rule belongs in packages/core, the choice of an adapter in packages/server",
    never: [
      {
        modules: ["@effect/platform-*"],
        instead:
          "http works with Request and Response and with Node's own types: the listening socket belongs in packages/server"
      },
      {
        modules: ["effect/sql", "@effect/sql-*", "@electric-sql/*"],
        instead: "call a service or a store port of core; the SQL belongs in packages/postgres"
      }
    ]
  },
  countersign: {
    ours: [
      "aws",
      "camara",
      "core",
      "firebase",
      "http",
      "msg91",
      "postgres",
      "smtp",
      "truecaller",
      "twilio",
      "vonage",
      "webhooks",
      "whatsapp"
    ],
    otherwise:
      "this package gathers what others export, and takes plain options for it: a rule belongs in packages/core, the facade in packages/http, a provider in its adapter",
    only: { modules: ["effect"], instead: "put the code in the package whose business it is, and re-export it here" },
    never: []
  },
  server: {
    ours: [
      "core",
      "http",
      "postgres",
      "provider-http",
      "twilio",
      "msg91",
      "vonage",
      "aws",
      "whatsapp",
      "smtp",
      "truecaller",
      "camara",
      "firebase",
      "passkeys",
      "oidc",
      "webhooks",
      "testkit"
    ],
    otherwise: "client code belongs in packages/sdk",
    never: []
  },
  dashboard: {
    ours: ["core", "http"],
    otherwise: "the page knows the contract's types and nothing of what is behind it: call an endpoint",
    typesOnly: {
      modules: [`${scope}core`, `${scope}http/contract`, "effect"],
      tables: [
        `${scope}core/settingGuards`,
        `${scope}core/fileType`,
        `${scope}core/hookRecipes`,
        `${scope}core/brand`,
        `${scope}http/linkPage`
      ],
      why: "a value of it weighs 100 KB in every browser",
      instead: "write `import type`, and repeat the few values that the page needs"
    },
    only: {
      modules: ["preact", "@preact/signals", "uplot", "effect"],
      instead: "use what browsers have, or write down in docs/decisions why the page should carry more"
    },
    never: []
  },
  "create-countersign-channel": {
    ours: [],
    otherwise: "it writes files and knows no package of ours: what a new channel needs is in its template",
    only: { modules: ["node:*"], instead: "use what Node has: it is downloaded by everybody who begins" },
    never: []
  },
  "better-auth": {
    ours: ["sdk"],
    otherwise:
      "it translates between better-auth and the server client of packages/sdk: a rule belongs in packages/core",
    only: {
      modules: ["node:*"],
      instead:
        "describe the few parts of better-auth in AuthContext.ts: importing it would bring it into every checkout"
    },
    never: []
  },
  sdk: {
    ours: [],
    otherwise: "the SDK is copied into other people's apps: repeat the few types it needs",
    only: { modules: [], instead: "use what the platform has (fetch, URL, crypto), or leave the choice to the caller" },
    never: []
  }
}

/** Files behind an entry point of their own: they import each other, and from the rest of their package only what is listed. */
export interface Island {
  readonly name: string
  readonly files: RegExp
  readonly only: ReadonlyArray<string>
  readonly why: string
  readonly instead: string
}

export const islands: ReadonlyArray<Island> = [
  {
    name: "the contract",
    files: /^packages\/http\/src\/(Api\.ts|contract\/.+|[^/]+\/contract\.ts)$/,
    only: [`${scope}core`, "effect"],
    why: "clients import the contract, and would get the handlers with it",
    instead:
      "move what the contract needs into packages/http/src/contract, or the contract.ts of its capability, and let the handlers import it from there"
  }
]

/**
 * The wings of packages/core/src and their folders, in order. A later folder may import an earlier one, never the
 * reverse, so no wing imports a later wing.
 *
 * `foundation` holds what every capability uses; `delivery` is in it because prices, settings and templates name
 * channels. In `account`, `billing` comes before `verification`, which books what a code costs, and `stat` before the
 * verifications that it counts. `hook` and `staff` come after `verification`, which sends their codes. `data` reads all
 * capabilities. `memory` implements every port; only index.ts and tests may import it.
 */
export const coreWings: Readonly<Record<string, ReadonlyArray<string>>> = {
  foundation: ["time", "storage", "identity", "guard", "secret", "event", "outbox", "limit", "delivery", "idempotency"],
  account: ["merchant", "number", "audit", "stat", "billing", "webhook"],
  message: ["sending", "template"],
  auth: ["verification", "hook", "staff"],
  engagement: ["optOut", "lead", "attribution", "campaign"],
  data: ["search", "erasure", "people", "attention", "protection", "example", "restore"]
}

/** The folder that implements every port. It is no wing: it stands beside them. */
export const coreMemory = "memory"

/** Every folder of core, as `wing/folder`. */
export const coreOrder: ReadonlyArray<string> = [
  ...Object.entries(coreWings).flatMap(([wing, folders]) => folders.map((folder) => `${wing}/${folder}`)),
  coreMemory
]

/**
 * The list of all ports of a storage. It stands beside the folders because it gathers them, as does Core.ts; `memory`
 * binds every port in it and is the only folder that may import it. In `foundation/storage` it would have to import
 * folders that come later.
 */
export const portsOfStorage = "packages/core/src/Storage.ts"

/**
 * The folders of packages/dashboard/src. A later one may import an earlier one, never the reverse; what stands beside them
 * (App.tsx, main.tsx) comes last. `session` draws with `parts`, so it comes after them; `life`, a verification's way, is drawn by several screens.
 */
export const dashboardOrder: ReadonlyArray<string> = [
  "words",
  "api",
  "live",
  "query",
  "address",
  "keys",
  "style",
  "parts",
  "session",
  "life",
  "shell",
  "screens"
]

/** What `parts` may know of the folders before them as a value. Of the others they may name types. */
export const knownToParts: ReadonlyArray<RegExp> = [/^words\//, /^api\/Failure\.ts$/, /^keys\//]

/** Folders of `screens` that are no screen: dialogs that several screens open. */
export const sharedByScreens: ReadonlyArray<string> = ["tryIt"]

/** Files that decide: tested by Node, so nothing in them draws. A hook is no such file. */
export const decides = /^(screens\/[^/]+\/(?!use[A-Z])[a-z][^/]*\.ts|address\/paths\.ts)$/
