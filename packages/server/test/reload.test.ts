import { assert, describe, it } from "vitest"
import { CannotReload, parentToReload, type Server } from "../src/workers/reload.ts"

const server = (pid: number, parent: number): Server => ({ pid, parent })
const group = [server(100, 1), server(101, 100), server(102, 100)]

const chosen = (servers: ReadonlyArray<Server>, wanted: number | null = null) => {
  const result = parentToReload(servers, wanted)
  return result instanceof CannotReload ? result.message : result
}

describe("countersign reload", () => {
  it("signals the parent of the workers, given the id of any process of the group", () => {
    assert.strictEqual(chosen(group), 100)
    for (const { pid } of group) assert.strictEqual(chosen(group, pid), 100)
  })

  it("refuses a server without workers, which SIGHUP would end", () => {
    assert.match(String(chosen([server(7, 1)])), /no workers/)
    assert.match(String(chosen([...group, server(7, 1)], 7)), /no workers/)
  })

  it("asks for an id when several servers run, and lists them", () => {
    const both = [...group, server(200, 1), server(201, 200)]
    assert.match(String(chosen(both)), /--pid: 100, 200$/)
    assert.strictEqual(chosen(both, 201), 200)
    assert.match(String(chosen(group, 999)), /999 is not a countersign serve\. Running servers: 100$/)
    assert.match(String(chosen([])), /No running countersign serve found/)
  })
})
