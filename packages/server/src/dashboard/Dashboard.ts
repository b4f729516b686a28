import type { Pages } from "@countersign/http"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Configuration } from "../Configuration.ts"
import type { Mount } from "../HttpServer.ts"
import type { Stage } from "../Stage.ts"
import { type Answer, answer, type Asked, methodUnknown, root, unavailable, wantedOf } from "./answer.ts"
import { type Build, find, type NoSite } from "./Build.ts"
import { mailPage, scriptHash } from "./mailPage.ts"
import { type Policies, policiesFor } from "./policy.ts"

const askedOf = ({ headers, method = "GET", url = "/" }: IncomingMessage): Asked => ({
  method,
  path: url.split("?", 1)[0] ?? url,
  acceptEncoding: headers["accept-encoding"]?.toString(),
  ifNoneMatch: headers["if-none-match"]
})

const mailAnswer = (policies: Policies): Answer => ({
  status: 200,
  headers: { ...policies.mail(scriptHash), "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
  body: mailPage
})

/** Details are shown only in development, because they contain paths of this machine. */
const failure = (why: NoSite, isDevelopment: boolean): Answer =>
  isDevelopment
    ? {
        ...unavailable,
        headers: { ...unavailable.headers, "content-type": "text/plain; charset=utf-8" },
        body: `${why.message}\n\nFix the sources and reload: the page is rebuilt when they change.\n`
      }
    : unavailable

const write = (response: ServerResponse, { body, headers, status }: Answer, method: string) => {
  if (response.destroyed || response.headersSent) return
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  const length = status === 304 ? {} : { "content-length": bytes.length }
  response.writeHead(status, { ...headers, ...length, "x-request-id": crypto.randomUUID() })
  response.end(method === "HEAD" || status === 304 ? undefined : bytes)
}

export interface Options {
  readonly build: Build
  readonly publicUrl: string
  /** Whether answers may show why the build failed. */
  readonly isDevelopment: boolean
}

/** Serves `/dashboard` and everything below it: the screens, their files, and the page that previews e-mail. */
export const make = Effect.fnUntraced(function* ({ build, isDevelopment, publicUrl }: Options) {
  const policies = policiesFor(publicUrl)
  const run = Effect.runForkWith(yield* Effect.context<never>())

  const answerTo = (asked: Asked): Effect.Effect<Answer> => {
    if (asked.method !== "GET" && asked.method !== "HEAD") return Effect.succeed(methodUnknown)
    const wanted = wantedOf(asked.path)
    if (wanted.kind === "mail") return Effect.succeed(mailAnswer(policies))
    return (wanted.kind === "screen" ? build.newest : build.current).pipe(
      Effect.map((site) => answer(site, asked, wanted, policies)),
      Effect.catch((why: NoSite) => Effect.as(Effect.logError(why.message), failure(why, isDevelopment))),
      Effect.catchDefect((why) => Effect.as(Effect.logError("The dashboard failed to load", why), unavailable))
    )
  }

  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    const asked = askedOf(request)
    run(Effect.map(answerTo(asked), (answer) => write(response, answer, asked.method)))
  }
  const mount: Mount = { prefix: root, handler }
  return mount
})

/** Redirects the root path to the dashboard. */
export const front: Pages = {
  "/": () => Effect.succeed({ status: 302, headers: { location: root }, body: "" })
}

/** Mounts the dashboard. */
export const mount = Effect.fnUntraced(function* (configuration: Configuration, stage: Stage) {
  const isDevelopment = stage !== "REAL"
  return yield* make({
    build: yield* find({ follow: isDevelopment }),
    publicUrl: configuration.publicUrl,
    isDevelopment
  })
})
