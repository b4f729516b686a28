import { assert, describe, it } from "@effect/vitest"
import { ifStorable } from "../src/parameters.ts"
import * as Table from "../src/table.ts"
import { versionedRow } from "../src/versionedRow.ts"

interface Poke {
  readonly environment: string
  readonly id: number
  readonly version: number
  readonly toldAt: number | null
  readonly from: { readonly channel: string; readonly day: string } | null
  readonly isLoud: boolean
  readonly words: string
}

const poke = Table.rows<Poke>()("poke", ["environment", "id"], {
  environment: Table.text,
  id: Table.id,
  version: Table.int,
  toldAt: Table.nullable(Table.instant),
  from: Table.group<Poke["from"]>({ channel: Table.text, day: Table.named("from_day", Table.once(Table.text)) }),
  loud: Table.of(Table.bool, ({ isLoud }: Poke) => isLoud),
  state: Table.only("isLoud", "words")
})

const at = 1_800_000_000_000
const loud: Poke = {
  environment: "env",
  id: 7,
  version: 2,
  toldAt: at,
  from: { channel: "SMS", day: "2026-11-26" },
  isLoud: true,
  words: "\u0000 \ud800"
}

/** The result row of Postgres for a row that was sent. */
const answered = (row: Poke) => {
  const values = poke.encode(row)
  return poke.names.flatMap((name, i) =>
    name === "loud" ? [] : [name === "told_at" && values[i] !== null ? new Date(values[i] as number) : values[i]]
  )
}

describe("the description of a table", () => {
  it("names each column once, in parameters, selects and updates", () => {
    assert.strictEqual(
      Table.unnested(poke, 3, "g"),
      `unnest($3::int[], $4::text[], $5::int[], $6::int[], $7::timestamptz[], $8::text[], $9::text[], $10::bool[], $11::text[])
    as g(n, environment, id, version, told_at, channel, from_day, loud, state)`
    )
    assert.strictEqual(poke.select("p"), "p.environment, p.id, p.version, p.told_at, p.channel, p.from_day, p.state")
    assert.deepStrictEqual(poke.changing, ["told_at", "channel", "loud", "state"])
    assert.include(versionedRow(poke).text([]), "where environment = $1 and id = $2 and version = $3 and $3 > 0")
  })

  it("reads a row as it was written, from any position in a result", () => {
    const quiet: Poke = { ...loud, toldAt: null, isLoud: false }
    for (const row of [loud, quiet]) assert.deepStrictEqual(poke.decode(["before", ...answered(row)], 1), row)
  })

  it("writes null into all columns of a field that is null", () => {
    assert.deepStrictEqual(poke.encode({ ...loud, from: null }).slice(4, 6), [null, null])
  })

  it("stores only the named fields in the JSON, even if the saved object has others", () => {
    const wider: Poke & { readonly secret: string } = { ...loud, secret: "s" }
    assert.strictEqual(poke.encode(wider).at(-1), JSON.stringify({ isLoud: true, words: "\u0000 \ud800" }))
  })

  it.each([
    ["a text with U+0000", { environment: "e\u0000" }],
    ["a lone surrogate", { environment: "\ud800" }],
    ["an invalid id", { id: 0 }],
    ["an invalid instant", { toldAt: Number.NaN }],
    ["an invalid text in a group", { from: { channel: "\u0000", day: "" } }]
  ])("refuses a row with %s before it is sent", (_, changed) => {
    assert.isNull(ifStorable(() => poke.encode({ ...loud, ...changed })))
    assert.isNull(ifStorable(() => poke.sent({ ...loud, ...changed })))
  })

  it("numbers the rows of a batch by the position of their change", () => {
    const [positions, environments] = Table.numbered(poke, [[poke.encode(loud)], [], [loud, loud].map(poke.encode)])
    assert.deepInclude(positions, { value: [1, 3, 3] })
    assert.deepInclude(environments, { value: ["env", "env", "env"] })
  })
})
