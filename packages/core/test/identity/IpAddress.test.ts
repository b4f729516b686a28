import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as IpAddress from "../../src/foundation/identity/IpAddress.ts"

describe("parsing an IP address", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["0.0.0.0", "0.0.0.0"],
    ["255.255.255.255", "255.255.255.255"],
    ["::1", "::1"],
    ["::", "::"],
    ["2001:DB8::1", "2001:db8::1"],
    ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:1:1:1:1:0:1", "2001:db8:1:1:1:1:0:1"],
    ["fe80::1%eth0", "fe80::1"],
    ["fe80::1%br-3f2.7", "fe80::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["2001:db8::192.0.2.1", "2001:db8::c000:201"],
    ["64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
    ["::192.0.2.1", "::c000:201"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"]
  ])("turns %s into %s", (text, canonical) => {
    assert.strictEqual(IpAddress.parse(text), canonical)
  })

  it.each([
    "",
    " ",
    "unknown",
    "localhost",
    "1",
    "3232235777",
    "0x7f000001",
    "127.1",
    "10.0.1",
    "010.0.0.1",
    "192.0.2.01",
    "0x7f.0.0.1",
    "192.0.2.256",
    "192.0.2.1.1",
    "192.0.2.",
    ".192.0.2.1",
    "192.0.2.1 ",
    " 192.0.2.1",
    "192.0.2.1\n",
    "192.0.2.1\u0000",
    "192.0.2.1:80",
    "192.0.2.1/32",
    "-1.0.0.1",
    "1e1.0.0.1",
    "١٩٢.0.2.1",
    "1:2",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8:",
    ":1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7:",
    "12345::1",
    "g::1",
    "[::1]",
    "[::1]:443",
    "::ffff:192.0.2.256",
    "::ffff:192.0.2.010",
    "::ffff:0xc0.0.2.1",
    "::ffff:192.0.2",
    "::ffff:3221225985",
    "192.0.2.1::",
    "1:2:3:4:5:6:7:192.0.2.1",
    "::1%",
    "192.0.2.1%eth0",
    "2001:db8::1/64"
  ])("rejects %j", (text) => {
    assert.isNull(IpAddress.parse(text))
  })

  const groups = Schema.Array(Schema.Int)

  it.prop("turns every spelling of an address into its canonical form", [groups], ([list]) => {
    const parts = Array.from({ length: 8 }, (_, i) => (Math.abs(list[i] ?? 0) % 0x1_0000).toString(16))
    const canonical = IpAddress.parse(parts.join(":"))
    assert.isNotNull(canonical)
    const spellings = [parts.map((part) => part.padStart(4, "0")).join(":"), parts.join(":").toUpperCase(), canonical!]
    for (const spelling of spellings) assert.strictEqual(IpAddress.parse(spelling), canonical)
  })

  it.prop(
    "never throws for any text",
    [Schema.String],
    ([text]) => {
      const canonical = IpAddress.parse(text)
      if (canonical !== null) assert.strictEqual(IpAddress.parse(canonical), canonical)
      IpAddress.parseRange(text)
      IpAddress.networksOf(text)
    },
    { arbitrary: { runs: 2000 } }
  )
})

describe("the networks of an address", () => {
  it("are the address itself for IPv4, and its /64 and /48 for IPv6", () => {
    const [four, six] = [
      { own: "192.0.2.1", wider: null },
      { own: "2001:db8:1:2::/64", wider: "2001:db8:1::/48" }
    ]
    assert.deepStrictEqual(IpAddress.networksOf("192.0.2.1"), four)
    assert.deepStrictEqual(IpAddress.networksOf("::ffff:192.0.2.1"), four)
    assert.deepStrictEqual(IpAddress.networksOf("2001:db8:1:2:3:4:5:6"), six)
    assert.deepStrictEqual(IpAddress.networksOf("::1"), { own: "::/64", wider: "::/48" })
    assert.isNull(IpAddress.networksOf("192.0.2.1:80"))
  })

  it("have the same `own` within a /64, and another one in the next /64", () => {
    const own = (address: string) => IpAddress.networksOf(address)?.own
    const networks = new Set(Array.from({ length: 1_000 }, (_, i) => own(`2001:db8:a:b:${i.toString(16)}:${i}:1:2`)))
    assert.deepStrictEqual([...networks], ["2001:db8:a:b::/64"])
    assert.strictEqual(own("2001:db8:a:c::1"), "2001:db8:a:c::/64")
  })
})

describe("an address range", () => {
  it.each([
    ["10.0.0.0/8", "10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], ["11.0.0.0", "9.255.255.255"]],
    ["192.0.2.1", "192.0.2.1/32", ["192.0.2.1"], ["192.0.2.0", "192.0.2.2"]],
    ["172.16.0.0/12", "172.16.0.0/12", ["172.16.0.1", "172.31.255.255"], ["172.32.0.0", "172.15.255.255"]],
    ["0.0.0.0/0", "0.0.0.0/0", ["0.0.0.0", "255.1.2.3"], ["::1", "2001:db8::1"]],
    ["::/0", "::/0", ["::1", "2001:db8::1"], ["10.0.0.1"]],
    ["2001:db8::/32", "2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::1", "10.0.0.1"]],
    ["2001:db8::1", "2001:db8::1/128", ["2001:DB8:0::1"], ["2001:db8::2"]],
    ["fc00::/7", "fc00::/7", ["fd12::1"], ["fe80::1"]],
    ["::ffff:10.0.0.0/104", "10.0.0.0/8", ["10.9.9.9"], ["11.0.0.1"]]
  ] as const)("%s holds the addresses inside it and no others", (text, canonical, inside, outside) => {
    const range = IpAddress.parseRange(text)!
    assert.strictEqual(range.text, canonical)
    for (const address of inside) assert.isTrue(range.holds(address), address)
    for (const address of [...outside, "malformed", ""]) assert.isFalse(range.holds(address), address)
  })

  it.each([
    "",
    "/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/08",
    "10.0.0.0/8/8",
    "10.0.0.0/ 8",
    "10.0.0.0/1e1",
    "10.0.0/8",
    "10/8",
    "010.0.0.0/8",
    "10.0.0.0/255.0.0.0",
    "2001:db8::/129",
    "::ffff:10.0.0.0/95",
    "proxy.example.com"
  ])("cannot be parsed from %j", (text) => {
    assert.isNull(IpAddress.parseRange(text))
  })
})
