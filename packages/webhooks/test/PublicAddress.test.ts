import { assert, describe, it } from "@effect/vitest"
import { isPublic } from "../src/PublicAddress.ts"

/** The first and last address of each refused range, with its public neighbors, if any. */
const ranges: ReadonlyArray<
  readonly [before: string | null, first: string, last: string, after: string | null, what: string]
> = [
  [null, "0.0.0.0", "0.255.255.255", "1.0.0.0", "this network"],
  ["9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0", "private, 10"],
  ["100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0", "shared by a carrier's customers"],
  ["126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0", "loopback"],
  ["168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17", "Azure's own services"],
  ["169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0", "link-local"],
  ["172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0", "private, 172"],
  ["191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0", "protocol assignments"],
  ["192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0", "documentation 1"],
  ["192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0", "relays from 6to4"],
  ["192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0", "private, 192"],
  ["198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0", "benchmarks"],
  ["198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0", "documentation 2"],
  ["203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0", "documentation 3"],
  ["223.255.255.255", "224.0.0.0", "255.255.255.255", null, "multicast, reserved, broadcast"],
  [null, "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::", "before global unicast"],
  [
    "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001::",
    "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:200::",
    "protocol assignments, Teredo, ORCHID"
  ],
  [
    "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db9::",
    "documentation 1, IPv6"
  ],
  ["2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::", "6to4"],
  [
    "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff::",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff:1000::",
    "documentation 2, IPv6"
  ],
  [
    "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "4000::",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    null,
    "after global unicast: not given out, unique local, link-local, multicast"
  ]
]

describe("isPublic", () => {
  for (const [before, first, last, after, what] of ranges) {
    it(what, () => {
      const judged = [before, first, last, after].map((address) => (address === null ? null : isPublic(address)))
      assert.deepStrictEqual(judged, [before === null ? null : true, false, false, after === null ? null : true])
    })
  }

  it("refuses an IPv4 address inside an IPv6 address, also a public one", () => {
    for (const prefix of ["::ffff:", "::", "64:ff9b::", "64:ff9b:1::", "::ffff:0:"]) {
      assert.isFalse(isPublic(`${prefix}192.31.196.1`), prefix)
    }
  })

  it("refuses anything that is not an address", () => {
    for (const text of ["", "example.com", "127.1", "0x7f.1", "192.31.196", "192.31.196.1 ", "[2620:4f:8000::1]"]) {
      assert.isFalse(isPublic(text), text)
    }
    assert.isFalse(isPublic("2620:4f:8000::1%eth0"))
  })
})
