import { expect, test } from "vitest"
import { BodyPieces } from "../src/BodyPieces.ts"

const bytes = (length: number, from = 0) => Uint8Array.from({ length }, (_, i) => (from + i) % 251)

const piecesOf = (sizes: ReadonlyArray<number>) => {
  const pieces = new BodyPieces()
  let at = 0
  for (const size of sizes) {
    pieces.add(bytes(size, at))
    at += size
  }
  return { pieces, whole: bytes(at) }
}

test("a body received one byte at a time uses few objects, and no more memory than its bytes", () => {
  const { pieces, whole } = piecesOf(Array.from({ length: 64 * 1024 }, () => 1))
  expect(pieces.count).toBeLessThanOrEqual(10)
  expect(pieces.joined()).toEqual(whole)
})

test.each([
  ["no piece", []],
  ["empty pieces", [0, 0, 3, 0]],
  ["one piece", [500]],
  ["small pieces around large ones", [1, 1, 1023, 1024, 1, 5000, 1023, 1, 70_000, 2]],
  ["small pieces that fill blocks", Array.from({ length: 40 }, () => 1000)]
])("a body received as %s is joined in order", (_, sizes) => {
  const { pieces, whole } = piecesOf(sizes)
  expect(pieces.joined()).toEqual(whole)
})
