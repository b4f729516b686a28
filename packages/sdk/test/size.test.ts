import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "countersign-sdk-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bundle = async (name: "client/solve" | "index" | "server") => {
  await build({
    entryPoints: [join(import.meta.dirname, `../src/${name}.ts`)],
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    minify: true
  })
  return readFileSync(join(folder, `${basename(name)}.js`), "utf8")
}

describe("the SDK's download", () => {
  it("is less than 5.5 KB with the solver of challenges and the verification of numbers, without dependencies", async () => {
    const text = await bundle("index")
    expect(gzipSync(text).length).toBeLessThan(5.5 * 1024)
    expect(text).not.toMatch(/\b(?:import|require)\b|\b(?:process|Buffer|window|document)\b/)
  })

  it("spends less than 2 KB of it on solving challenges, worker included", async () => {
    expect(gzipSync(await bundle("client/solve")).length).toBeLessThan(2048)
  })

  it("for a backend has no dependencies either", async () => {
    expect(await bundle("server")).not.toMatch(/\b(?:import|require)\b\s*[("'{]|\b(?:process|Buffer)\b/)
  })
})
