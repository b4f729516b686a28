import { assert, describe, it } from "vitest"
import { globSync, readFileSync } from "node:fs"
import { workspaceRoot } from "./workspace.ts"

const http = "packages/http/src"

/** Files that collect a request's bytes with `BodyPieces`, so that small pieces use no more memory than large ones. */
const collecting = [`${http}/HttpLayer.ts`, `${http}/NodeHandler.ts`, `${http}/WebHandler.ts`]

/** Files that collect bytes for developers only, each with its purpose. */
const others: Record<string, string> = {
  "packages/server/src/DevWhatsApp.ts": "a request of the developer at this machine, of at most 8 MB"
}

/** Files that read a request's body inside `BodyMemory.within`, which counts it until the answer. */
const reading = [`${http}/callbacks.ts`, `${http}/endpoints.ts`, `${http}/hooks/receive.ts`, `${http}/links/links.ts`]

/** Files that pass on or define the readers. */
const passing = [`${http}/BodyMemory.ts`, `${http}/WireRequest.ts`]

/** Bytes as they arrive: from Node, the web platform, Effect. */
const collects =
  /\["data",|\.on\("data"|\.getReader\(|\b(?:request|req)\.stream\b|\bfor await \(const \w+ of (?:request|req)\b/
/** A whole body: the platform collects it, and keeps each piece as it arrived. */
const collectsWhole = /\.arrayBuffer\b|\b(?:request|req)\.(?:text|json|formData|blob|bytes)\b/
/** The body of a received request, as handlers see it. */
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

describe("the body of a request", () => {
  it("is collected only by the listed files, in packed pieces", () => {
    assert.isAbove(sources.size, 150)
    assert.deepStrictEqual(matching(collects), [...collecting, ...Object.keys(others)].toSorted())
    assert.deepStrictEqual(matching(/\bnew BodyPieces\(/), collecting.toSorted())
    // Reads our own document when the process starts.
    assert.deepStrictEqual(matching(collectsWhole), [`${http}/Document.ts`])
  })

  it("is read only by the listed files, within the shared memory limit of bodies", () => {
    assert.deepStrictEqual(matching(reads), [...reading, ...passing].toSorted())
    assert.deepStrictEqual(matching(/\bbodyMemory\.within\(/), reading.toSorted())
  })

  it("is what the patterns match", () => {
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
