import { assert, describe, it } from "vitest"
import { globSync, readFileSync } from "node:fs"
import { workspaceRoot } from "./workspace.ts"

const http = "packages/http/src"

/** Files that collect the bytes of a request as they come, with `BodyPieces`: small pieces take no more memory than large ones. */
const collecting = [`${http}/HttpLayer.ts`, `${http}/NodeHandler.ts`, `${http}/WebHandler.ts`]

/** Files that collect those of a developer alone, each with what they are. */
const others: Record<string, string> = {
  "packages/server/src/DevWhatsApp.ts": "a request of the developer at this machine, of at most 8 MB"
}

/** Files that have a request's body read, inside `BodyMemory.within`: what it holds is counted until it is answered. */
const reading = [`${http}/callbacks.ts`, `${http}/endpoints.ts`, `${http}/links/links.ts`]

/** Files that pass on or define what those use. */
const passing = [`${http}/BodyMemory.ts`, `${http}/WireRequest.ts`]

/** Bytes as they come: of Node, of the web platform, of Effect. */
const collects =
  /\["data",|\.on\("data"|\.getReader\(|\b(?:request|req)\.stream\b|\bfor await \(const \w+ of (?:request|req)\b/
/** A body all at once: what collects it is not ours, and keeps each piece as it is. */
const collectsWhole = /\.arrayBuffer\b|\b(?:request|req)\.(?:text|json|formData|blob|bytes)\b/
/** The body of a request that came to us, as the handlers see it. */
const reads = /\b\w*\.?body\(\s*(?:limit|largest\w*|\d)|\breadText\(/i

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "")

const sources = new Map(
  globSync(["packages/http/src/**/*.ts", "packages/server/src/**/*.ts"], { cwd: workspaceRoot }).map((file) => [
    file,
    withoutComments(readFileSync(`${workspaceRoot}/${file}`, "utf8"))
  ])
)

const matching = (pattern: RegExp) =>
  [...sources].flatMap(([file, text]) => (pattern.test(text) ? [file] : [])).toSorted()

describe("a request's body", () => {
  it("is collected only by the files that are listed, and in pieces that are packed", () => {
    assert.isAbove(sources.size, 150)
    assert.deepStrictEqual(matching(collects), [...collecting, ...Object.keys(others)].toSorted())
    assert.deepStrictEqual(matching(/\bnew BodyPieces\(/), collecting.toSorted())
    // A document of ours, when the process starts.
    assert.deepStrictEqual(matching(collectsWhole), [`${http}/Document.ts`])
  })

  it("is read only by the files that are listed, and inside the memory that bodies share", () => {
    assert.deepStrictEqual(matching(reads), [...reading, ...passing].toSorted())
    assert.deepStrictEqual(matching(/\bbodyMemory\.within\(/), reading.toSorted())
  })

  it("is what the patterns find", () => {
    const collected = [
      'request.on("data", (chunk) => chunks.push(chunk))',
      "const reader = stream.getReader()",
      "return request.stream.pipe(",
      "for await (const chunk of request) chunks.push(chunk)"
    ]
    for (const line of collected) assert.isTrue(collects.test(line), line)
    for (const line of ["yield* request.arrayBuffer", "const text = await request.text()"]) {
      assert.isTrue(collectsWhole.test(line), line)
    }
    for (const line of ["request.body(largestForm)", "yield* body(limit, take)", "readText(request, 10, false)"]) {
      assert.isTrue(reads.test(line), line)
    }
    assert.isFalse(reads.test("const body = bodyOf(request)"))
  })
})
