import { execFile } from "node:child_process"
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Layer, Logger, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freePort, importEmbeddedPostgres } from "../../../tools/embedded-postgres.ts"
import { PgDatabase, PgStorage, PgTls } from "../src/index.ts"

const openssl = (...args: ReadonlyArray<string>) => promisify(execFile)("openssl", args)

/** Creates two certificate authorities, `ca` and `stranger`, and a certificate for `localhost` that `ca` signed. */
const certificates = async (directory: string) => {
  const path = (name: string) => join(directory, name)
  for (const authority of ["ca", "stranger"])
    await openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      `/CN=${authority}`,
      "-keyout",
      path(`${authority}.key`),
      "-out",
      path(`${authority}.crt`)
    )
  await openssl(
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=localhost",
    "-keyout",
    path("server.key"),
    "-out",
    path("server.csr")
  )
  writeFileSync(path("names"), "subjectAltName=DNS:localhost\n")
  await openssl(
    "x509",
    "-req",
    "-in",
    path("server.csr"),
    "-CA",
    path("ca.crt"),
    "-CAkey",
    path("ca.key"),
    "-CAcreateserial",
    "-days",
    "2",
    "-extfile",
    path("names"),
    "-out",
    path("server.crt")
  )
}

describe("sslmode", () => {
  const [authority, stranger] = ["ca.crt", "stranger.crt"].map((name) => `sslrootcert={directory}/${name}`)
  let directory: string
  let port: number
  let stop: () => Promise<void>
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "countersign-tls-"))
    chmodSync(directory, 0o755)
    await certificates(directory)
    const EmbeddedPostgres = await importEmbeddedPostgres()
    port = await freePort()
    const data = join(directory, "data")
    const postgres = new EmbeddedPostgres({
      databaseDir: data,
      port,
      user: "postgres",
      password: "postgres",
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--encoding=UTF8", "--locale=C"],
      postgresFlags: [
        "-c",
        "ssl=on",
        "-c",
        `ssl_cert_file=${directory}/server.crt`,
        "-c",
        `ssl_key_file=${directory}/server.key`
      ],
      onLog: () => {},
      onError: () => {}
    })
    await postgres.initialise()
    const { uid, gid } = statSync(data)
    chownSync(join(directory, "server.key"), uid, gid)
    chmodSync(join(directory, "server.key"), 0o600)
    await postgres.start()
    stop = () => postgres.stop()
  })
  afterAll(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const opened = (host: string, parameters: string, at = port) => {
    const query = parameters.replaceAll("{directory}", directory)
    const url = Redacted.make(`postgres://postgres:postgres@${host}:${at}/postgres?${query}`)
    return Effect.gen(function* () {
      const database = yield* PgDatabase
      const [row] = yield* database.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()", [])
      return row?.[0] === true ? "TLS" : "plain"
    }).pipe(
      Effect.provide(PgStorage.layer({ url, connections: 2, allowDataLoss: true })),
      Effect.catch((error) => Effect.succeed(error.message)),
      Effect.runPromise
    )
  }

  it.each([
    ["localhost", "", "TLS"],
    ["localhost", "sslmode=disable", "plain"],
    ["localhost", "sslmode=allow", "plain"],
    ["localhost", "sslmode=prefer", "TLS"],
    ["localhost", "sslmode=require", "TLS"],
    ["localhost", `sslmode=require&${authority}`, "TLS"],
    ["localhost", `sslmode=require&${stranger}`, /not from a trusted authority/],
    ["localhost", "sslmode=verify-ca", /not from a trusted authority/],
    ["localhost", `sslmode=verify-ca&${authority}`, "TLS"],
    ["127.0.0.1", `sslmode=verify-ca&${authority}`, "TLS"],
    ["localhost", `sslmode=verify-ca&${stranger}`, /not from a trusted authority/],
    ["localhost", `sslmode=verify-full&${authority}`, "TLS"],
    ["127.0.0.1", `sslmode=verify-full&${authority}`, /certificate is for another host name/],
    ["localhost", `sslmode=verify-full&${stranger}`, /not from a trusted authority/],
    ["localhost", "sslmode=verify-full&sslrootcert=system", /not from a trusted authority/]
  ] as const)("host %s with parameters '%s' gives %s", async (host, parameters, expected) => {
    const answer = await opened(host, parameters)
    if (typeof expected === "string") assert.strictEqual(answer, expected)
    else assert.match(answer, expected)
    assert.notInclude(answer, "postgres:postgres")
  })

  it.each([
    ["sslmode=hunter2", "sslmode must be disable, allow, prefer, require, verify-ca or verify-full"],
    ["sslmode=verify-ca&sslrootcert=/nowhere/hunter2", "sslrootcert is not a readable file"],
    ["sslcert=hunter2", "sslcert is not supported; use sslmode and sslrootcert"],
    ["ssl=true", "ssl is not supported; use sslmode and sslrootcert"]
  ])("%s fails with: %s", (parameters, problem) => {
    const ways = PgTls.ways(`postgres://u:p@localhost/x?${parameters}`)
    assert.deepStrictEqual(ways._tag === "Failure" ? ways.failure : ways.success, problem)
  })

  it("startup waits for an unreachable server, and logs once before and once after the wait", async () => {
    const lines: Array<string> = []
    const late = await freePort()
    const url = Redacted.make(`postgres://postgres:postgres@localhost:${late}/postgres?sslmode=disable`)
    const log = Logger.layer([
      Logger.make(({ message }) => {
        lines.push(String(message))
        // Accepts connections only after the log says that Postgres is unreachable.
        if (lines.length === 1) forward.listen(late, "127.0.0.1")
      })
    ])
    const { connect } = await import("node:net")
    const forward = createServer((socket) => {
      const through = connect(port, "127.0.0.1")
      socket.pipe(through).pipe(socket)
      for (const end of [socket, through]) end.on("error", () => socket.destroy())
    })
    await Effect.runPromise(
      Effect.scoped(
        Layer.build(PgStorage.layer({ url, connections: 2, allowDataLoss: true, patience: "1 minute" }))
      ).pipe(Effect.provide(log))
    )
    forward.close()
    assert.deepStrictEqual(
      lines.map((line) => line.replace(/.*; waiting up to.*/, "waits")),
      ["waits", "Postgres is reachable"]
    )
  })

  it("startup does not wait for a server that refuses the password", async () => {
    const url = Redacted.make(`postgres://postgres:wrong@localhost:${port}/postgres`)
    const error = await Effect.runPromise(
      Effect.flip(Effect.scoped(Layer.build(PgStorage.layer({ url, patience: "10 minutes" }))))
    )
    assert.match(error.message, /28P01/)
  })
})
