import type { MessageMedia } from "@countersign/core"
import { Effect, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** What a page may show in its place. Anything else is saved: a document of a stranger is opened by whoever wants to. */
const shownInPlace = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"])

const mimeType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,126}$/

/** The provider's word, which a stranger may have chosen, without parameters; bytes where it is no type. */
const typeOf = (said: string): string => {
  const type = said.split(";", 1)[0]!.trim().toLowerCase()
  return mimeType.test(type) ? type : "application/octet-stream"
}

const longestName = 200

/** Nothing that ends a header, leads into a folder, or turns a name around so that it seems to end in another way. */
const safeName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\/]/gu, "_")
    .slice(0, longestName)
    .toWellFormed()

/** The one form in which a header carries any letter. `encodeURIComponent` leaves five that must not stand there. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const dispositionOf = (type: string, fileName: string | null): string => {
  const kind = shownInPlace.has(type) ? "inline" : "attachment"
  return fileName === null || fileName === "" ? kind : `${kind}; filename*=UTF-8''${encoded(safeName(fileName))}`
}

/** One that ends early or late is broken: its client, and whatever is in between, were told how long it is. */
const exactly = (body: MessageMedia["body"], size: number): Stream.Stream<Uint8Array, unknown> =>
  Stream.suspend(() => {
    const wrong = new Error(`The file is not as long as the provider said: ${size} bytes`)
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
 * A file that a stranger sent, so that it does nothing in the dashboard's place: its type is not guessed from its
 * bytes, nothing in it runs, no other site shows it.
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
