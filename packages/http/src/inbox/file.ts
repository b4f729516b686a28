import type { MessageMedia } from "@countersign/core"
import { Effect, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** Types that a page may show inline. Everything else is downloaded, so that a stranger's document never opens by itself. */
const shownInPlace = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"])

const mimeType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,126}$/

/** The provider's media type without parameters. A stranger may have chosen it, so anything invalid becomes plain bytes. */
const typeOf = (said: string): string => {
  const type = said.split(";", 1)[0]!.trim().toLowerCase()
  return mimeType.test(type) ? type : "application/octet-stream"
}

const longestName = 200

/** Removes characters that end a header, name a folder, or reverse text to fake a file extension. */
const safeName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\/]/gu, "_")
    .slice(0, longestName)
    .toWellFormed()

/** Encodes a file name per RFC 8187. `encodeURIComponent` leaves five characters that must be encoded too. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const dispositionOf = (type: string, fileName: string | null): string => {
  const kind = shownInPlace.has(type) ? "inline" : "attachment"
  return fileName === null || fileName === "" ? kind : `${kind}; filename*=UTF-8''${encoded(safeName(fileName))}`
}

/** Fails when the body is shorter or longer than its announced length. */
const exactly = (body: MessageMedia["body"], size: number): Stream.Stream<Uint8Array, unknown> =>
  Stream.suspend(() => {
    const wrong = new Error(`The file does not have the length that the provider announced: ${size} bytes`)
    let left = size
    const pieces = Stream.mapEffect(body, (piece): Effect.Effect<Uint8Array, Error> => {
      left -= piece.length
      return left < 0 ? Effect.fail(wrong) : Effect.succeed(piece)
    })
    return Stream.concat(
      pieces,
      Stream.suspend(() => (left === 0 ? Stream.empty : Stream.fail(wrong)))
    )
  })

/**
 * Answers with a stranger's file safely: browsers do not guess its type, nothing in it runs, and no other site can embed
 * it.
 */
export const file = ({ body, fileName, mimeType, size }: MessageMedia) => {
  const type = typeOf(mimeType)
  return HttpApiSchema.withHeaders({
    body: size === null ? (body as Stream.Stream<Uint8Array, unknown>) : exactly(body, size),
    headers: {
      ...(size === null ? {} : { "content-length": String(size) }),
      "content-type": type,
      "content-disposition": dispositionOf(type, fileName),
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff" as const
    }
  })
}
