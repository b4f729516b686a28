import { assert, describe, it } from "vitest"
import { globSync, readFileSync } from "node:fs"
import { workspaceRoot } from "./workspace.ts"

const core = "packages/core/src"

/**
 * Files that count toward a limit, each with its key. A file that counts an address uses
 * `packages/core/src/foundation/limit/placesOfAddress.ts`, so that every address is counted by the same networks.
 */
const counting: Record<string, { readonly by: string; readonly countsAddress: boolean }> = {
  [`${core}/account/merchant/makeLookUp.ts`]: { by: "agent", countsAddress: false },
  [`${core}/auth/hook/HookLog.ts`]: { by: "hook and address, unsigned requests alone", countsAddress: true },
  [`${core}/auth/staff/ProviderSignIn.ts`]: {
    by: "address, through placesOfNetwork, and ticket",
    countsAddress: true
  },
  [`${core}/auth/staff/SignIn.ts`]: {
    by: "address, through placesOfNetwork, and e-mail address",
    countsAddress: true
  },
  [`${core}/auth/staff/signInLimits.ts`]: { by: "address, e-mail address and browser", countsAddress: true },
  [`${core}/auth/verification/Challenges.ts`]: {
    by: "block of numbers, and the network that contextOfAddress gave",
    countsAddress: false
  },
  [`${core}/auth/verification/NumberVerifications.ts`]: { by: "address, through placeOfAddress", countsAddress: true },
  [`${core}/auth/verification/RefusedAddresses.ts`]: { by: "address, refusals alone", countsAddress: true },
  [`${core}/auth/verification/Relays.ts`]: {
    by: "the address that a backend names, through withinAddress",
    countsAddress: true
  },
  [`${core}/auth/verification/SdkSessions.ts`]: { by: "address, through placeOfAddress", countsAddress: true },
  [`${core}/auth/verification/TryIt.ts`]: { by: "environment", countsAddress: false },
  [`${core}/auth/verification/Verifications.ts`]: {
    by: "the address that a backend names, through withinAddress",
    countsAddress: true
  },
  [`${core}/auth/verification/placeOfAddress.ts`]: { by: "address", countsAddress: true },
  [`${core}/auth/verification/withinAddress.ts`]: { by: "the address that a backend names", countsAddress: true },
  [`${core}/engagement/attribution/Attribution.ts`]: { by: "address and environment", countsAddress: true }
}

/**
 * The only files that convert an address to networks: the function itself, the hourly counts, the count of open
 * connections, which has no hourly limit, and what is stored of an end user's address.
 */
const splitting = [
  `${core}/auth/verification/RequestContext.ts`,
  `${core}/foundation/identity/IpAddress.ts`,
  `${core}/foundation/limit/placesOfAddress.ts`,
  "packages/server/src/ConnectionPlaces.ts"
]

/**
 * Calls that count toward a limit: those of the service and its parts. Code that only builds or declares them is not
 * matched.
 */
const counters = /\byield\* Limits\b|\bLimits\["Service"\]|\bnew LocalCounts\(|\byield\* WindowStore\b/
/** An address: a variable, a field or a parameter with such a name. */
const addresses = /\b(?:\w*A|a)ddress\b/
const places = /\bplacesOfAddress\(|\bplaceOfAddress\(|\bwithinAddress\(|\bplacesOfNetwork\(/
/** A file's own map or set by address. */
const keyed = /\.(?:set|has|add)\([^)\n]*\b(?:\w*A|a)ddress\b/

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "")

const sources = new Map(
  globSync("packages/*/src/**/*.ts", { cwd: workspaceRoot })
    .filter((file) => !/^packages\/(dashboard|sdk|testkit)\//.test(file))
    .map((file) => [file, withoutComments(readFileSync(`${workspaceRoot}/${file}`, "utf8"))])
)

const matching = (pattern: RegExp) =>
  [...sources].flatMap(([file, text]) => (pattern.test(text) ? [file] : [])).toSorted()

const countsByItself = (text: string) => addresses.test(text) && !places.test(text)

describe("the counted address of a client", () => {
  it("is used only by the files listed with what they count", () => {
    assert.isAbove(sources.size, 300)
    const found = matching(counters).filter((file) => file !== `${core}/foundation/limit/Limits.ts`)
    assert.deepStrictEqual(found, Object.keys(counting).toSorted())
  })

  it("is counted by its networks, from one function", () => {
    for (const [file, { by, countsAddress }] of Object.entries(counting)) {
      const text = sources.get(file)!
      assert.strictEqual(places.test(text), countsAddress, `${file} counts by ${by}`)
      assert.isFalse(countsByItself(text), `${file} must count an address with placesOfAddress`)
    }
    assert.deepStrictEqual(matching(/\bnetworksOf\b/), splitting)
  })

  it("is never a key of another map", () => {
    // It stores the address of a socket, by socket.
    assert.deepStrictEqual(matching(keyed), ["packages/http/src/NodeHandler.ts"])
  })

  it("is what the patterns match", () => {
    const own = "const limits = yield* Limits\nlimits.take(environment, [{ key: `x:${address}` }])"
    assert.isTrue(counters.test(own) && countsByItself(own))
    const right = "const limits = yield* Limits\nlimits.take(environment, placesOfAddress(address, { key: 'x' }))"
    assert.isFalse(countsByItself(right))
  })
})
