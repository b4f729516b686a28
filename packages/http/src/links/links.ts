import { brandLogo, LinkAddress, Links, type LinkView, lookOf } from "@countersign/core"
import { Effect } from "effect"
import type { BodyMemory, BodyOwner } from "../BodyMemory.ts"
import { BodyUnreadable, MethodUnknown } from "../Fault.ts"
import { respond } from "../respond.ts"
import type { Failure } from "../wire.ts"
import type { WireRequest } from "../WireRequest.ts"
import type { WireResponse } from "../WireResponse.ts"
import { languageOf } from "./language.ts"
import * as markup from "./markup.ts"
import * as policy from "./policy.ts"
import type { Language } from "./words.ts"

/** The path of all links. The button of their page posts to it. */
const root = "/l"
const prefix = `${root}/`

export const serves = (path: string): boolean => path === root || path.startsWith(prefix)

/** Enough for a token and a number. */
const largestForm = 2048

const notForm = new BodyUnreadable({
  problem: "must be the form of a link's page, with Content-Type: application/x-www-form-urlencoded"
})

const decoder = new TextDecoder()

/** All forms share one part of the body memory, because anyone can send them. */
const owner: BodyOwner = { name: "links", pool: "anybody" }

const readForm = (request: WireRequest, bodyMemory: BodyMemory): Effect.Effect<URLSearchParams, Failure> =>
  /^application\/x-www-form-urlencoded *(;|$)/i.test(request.header("content-type") ?? "") &&
  /^(identity)?$/i.test(request.header("content-encoding") ?? "")
    ? bodyMemory.within(owner, request, ({ body }) =>
        Effect.map(body(largestForm), (bytes) => new URLSearchParams(decoder.decode(bytes)))
      )
    : Effect.fail(notForm)

/**
 * Whether another site made the browser post this, judging by `Sec-Fetch-Site`. `Origin` does not help: it is `null` even
 * from our own page, which sends no referrer.
 */
const isForeign = (request: WireRequest): boolean => {
  const site = request.header("sec-fetch-site")
  return site !== undefined && site !== "same-origin" && site !== "none"
}

/** The look of pages that do not know their merchant. */
const plain: markup.LinkLook = { colours: lookOf(null), logo: null }

const lookFor = ({ brandColor, brandLogo: logo }: LinkView): markup.LinkLook => ({
  colours: lookOf(brandColor),
  logo: logo === null ? null : { source: logo, ...brandLogo.logoSize(logo, markup.logoBox) }
})

/**
 * Serves the pages of links. A GET only reads a verification, however often it is repeated. The POST of the page's button
 * approves. The form posts to the configured URL, regardless of the request's `Host`.
 */
export const make = Effect.fnUntraced(function* (bodyMemory: BodyMemory) {
  const links = yield* Links
  const { base } = yield* LinkAddress
  const headersOf = yield* policy.make

  const answer = (
    language: Language,
    status: number,
    { html, tints }: markup.LinkPage,
    isReturning = false
  ): Effect.Effect<WireResponse> =>
    Effect.map(headersOf(isReturning, tints), (headers) => ({
      status,
      headers: { ...headers, "content-language": language },
      body: html
    }))

  const unusable = (request: WireRequest, status = 404) => {
    const language = languageOf(request.header("accept-language"), null)
    return answer(language, status, markup.unusable(language, plain))
  }

  const open = Effect.fnUntraced(function* (request: WireRequest, token: string) {
    const view = yield* links.look(token)
    if (view === null || base === null) return yield* unusable(request)
    const language = languageOf(request.header("accept-language"), view.locale)
    const form = { action: base, host: new URL(base).hostname }
    return yield* answer(
      language,
      200,
      markup.confirmation(language, lookFor(view), form, token, view),
      view.isReturning
    )
  })

  const press = Effect.fnUntraced(function* (request: WireRequest): Effect.fn.Return<WireResponse, Failure> {
    if (isForeign(request)) return yield* unusable(request, 403)
    const form = yield* readForm(request, bodyMemory)
    const approval = yield* links.approve(form.get("token") ?? "", form.get("number"))
    if (approval._tag === "Unusable") return yield* unusable(request)
    const { view } = approval
    const language = languageOf(request.header("accept-language"), view.locale)
    if (approval._tag === "Mistaken") return yield* answer(language, 200, markup.mistaken(language, lookFor(view)))
    if (approval.location === null) return yield* answer(language, 200, markup.approved(language, lookFor(view)))
    return { status: 303, headers: { ...(yield* headersOf(true, "")), location: approval.location }, body: "" }
  })

  const serve = (request: WireRequest): Effect.Effect<WireResponse, Failure> => {
    const isRoot = request.path === root
    switch (request.method) {
      case "GET":
      case "HEAD":
        return open(request, isRoot ? "" : request.path.slice(prefix.length))
      case "POST":
        if (isRoot) return press(request)
    }
    return Effect.fail(new MethodUnknown({ allow: isRoot ? ["GET", "POST"] : ["GET"] }))
  }

  /** Shows failures as a page, because a person reads the answer. */
  return (request: WireRequest): Effect.Effect<WireResponse> =>
    Effect.flatMap(respond(serve(request)), (response) => {
      if (response.status < 500) return Effect.succeed(response)
      const language = languageOf(request.header("accept-language"), null)
      const retryAfter = response.headers["retry-after"]
      return Effect.map(answer(language, response.status, markup.unavailable(language, plain)), (page) =>
        retryAfter === undefined ? page : { ...page, headers: { ...page.headers, "retry-after": retryAfter } }
      )
    })
})
