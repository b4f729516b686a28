import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Identifier, MasterKey } from "../../src/index.ts"
import * as AuthorisationCode from "../../src/foundation/secret/AuthorisationCode.ts"
import * as Code from "../../src/foundation/secret/Code.ts"
import * as LinkToken from "../../src/foundation/secret/LinkToken.ts"
import * as MatchNumber from "../../src/foundation/secret/MatchNumber.ts"
import * as Proof from "../../src/foundation/secret/Proof.ts"
import { chiSquare, onceInAThousand } from "../fixtures/chiSquare.ts"
import { start } from "../fixtures/World.ts"

const key = new MasterKey(new Uint8Array(32).fill(7))
const otherKey = new MasterKey(new Uint8Array(32).fill(8))

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const seed = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 })))

/** A verification, the same for the same number. */
const ownerOf = (n: number): LinkToken.LinkOwner => ({
  environment: `live_${String(n % 997).padStart(12, "0")}`,
  id: `ver_${Identifier.timeText(start + n)}${alphabet[n % 32]!.repeat(16)}`
})

const opens = (token: string, { environment, id }: LinkToken.LinkOwner, by = key): boolean => {
  const claim = LinkToken.read(token)
  return claim.environment === environment && claim.id === id && LinkToken.isGenuine(by, claim)
}

const exchanges = (code: string, { environment, id }: LinkToken.LinkOwner, by = key): boolean => {
  const claim = AuthorisationCode.read(code)
  return claim?.id === id && AuthorisationCode.isGenuine(by, environment, claim)
}

/** Every text that differs from this one in one position. */
const near = (text: string): ReadonlyArray<string> =>
  Array.from(text).flatMap((character, i) => {
    const [before, after] = [text.slice(0, i), text.slice(i + 1)]
    const others = [...alphabet.split(""), "A", "_", ".", "l", "\u0000"].filter((other) => other !== character)
    return [
      before + after,
      ...others.map((other) => before + other + after),
      before + character + character + after,
      before + character.toUpperCase() + after
    ].filter((one) => one !== text)
  })

const isGood = (token: string) => {
  const claim = LinkToken.read(token)
  return LinkToken.isGenuine(key, claim)
}

describe("a link's token", () => {
  it.prop("opens its own verification, is repeatable, and has the format of a link", [seed], ([n]) => {
    const owner = ownerOf(n)
    const token = LinkToken.write(key, owner)
    assert.isTrue(opens(token, owner))
    assert.strictEqual(LinkToken.write(key, owner), token)
    assert.match(token, /^[A-Za-z0-9_]+\.[a-z0-9]{26}\.[a-z0-9]{26}$/)
    assert.isFalse(opens(token, ownerOf(n + 1)))
    assert.isFalse(opens(token, owner, otherKey))
  })

  it("is invalid with any one character changed, removed, doubled or in upper case", () => {
    const token = LinkToken.write(key, ownerOf(1))
    const all = near(token)
    assert.isAbove(all.length, 2500)
    assert.deepStrictEqual(all.filter(isGood), [])
  })

  it("is invalid when truncated or surrounded by other text", () => {
    const token = LinkToken.write(key, ownerOf(1))
    const cut = Array.from(token, (_, i) => [token.slice(0, i), token.slice(i + 1)]).flat()
    const around = [" ", "\n", "\t", ".", "/", "=", "?", "#", "%20", "\u200b"].flatMap((c) => [c + token, token + c])
    assert.deepStrictEqual([...cut, ...around, token.toUpperCase(), `${token}.${token}`].filter(isGood), [])
  })

  it("of one environment is invalid in another, and so is its proof", () => {
    const owner = ownerOf(1)
    const [, id = "", proof = ""] = LinkToken.write(key, owner).split(".")
    for (const environment of ["test_000000000001", "live_000000000002", "live", "none"]) {
      assert.isFalse(isGood(`${environment}.${id}.${proof}`))
    }
  })
})

describe("an authorisation code", () => {
  it.prop("works for its own verification in its own environment only", [seed], ([n]) => {
    const owner = ownerOf(n)
    const code = AuthorisationCode.write(key, owner.environment, owner.id)
    assert.isTrue(exchanges(code, owner))
    assert.isFalse(exchanges(code, ownerOf(n + 1)))
    assert.isFalse(exchanges(code, { ...owner, environment: `${owner.environment}x` }))
    assert.isFalse(exchanges(code, owner, otherKey))
  })

  it("is invalid with any one character changed", () => {
    const owner = ownerOf(1)
    const code = AuthorisationCode.write(key, owner.environment, owner.id)
    const good = near(code).filter((one) => {
      const claim = AuthorisationCode.read(one)
      return claim !== null && AuthorisationCode.isGenuine(key, owner.environment, claim)
    })
    assert.deepStrictEqual(good, [])
  })

  it("and a link's token never prove each other, and no other purpose does", () => {
    const owner = ownerOf(1)
    const [, id = "", ofLink = ""] = LinkToken.write(key, owner).split(".")
    const code = AuthorisationCode.write(key, owner.environment, owner.id)
    const ofCode = code.slice(26)
    assert.isFalse(exchanges(`${id}${ofLink}`, owner))
    assert.isFalse(isGood(`${owner.environment}.${id}.${ofCode}`))
    const text = `${owner.environment}\n${owner.id}`
    const proofs = (["link", "authorisation", "launch"] as const).map((purpose) => Proof.make(key, { purpose, text }))
    assert.strictEqual(new Set(proofs).size, 3)
    assert.deepStrictEqual(proofs.slice(0, 2), [ofLink, ofCode])
    assert.notInclude(ofLink, Code.derive(key, owner.id, 8))
  })
})

describe("the numbers to match on a link's page", () => {
  const many = Array.from({ length: 9_000 }, (_, n) => MatchNumber.choices(key, ownerOf(n).id))

  it("are five different two-digit numbers, repeatable, with the right one among them", () => {
    for (const [n, { offered, right }] of many.slice(0, 500).entries()) {
      assert.strictEqual(new Set(offered).size, 5)
      assert.include(offered, right)
      for (const number of offered) assert.match(number, /^[1-9][0-9]$/)
      assert.deepStrictEqual(MatchNumber.choices(key, ownerOf(n).id), { offered, right })
      assert.strictEqual(MatchNumber.derive(key, ownerOf(n).id), right)
    }
    const others = many.filter(({ right }, n) => MatchNumber.derive(otherKey, ownerOf(n).id) !== right)
    assert.isAbove(others.length, 8_500)
  })

  it("reveal nothing: the right one has any position and value, and so have the others", () => {
    const count = (values: ReadonlyArray<number>, kinds: number) => {
      const counts = Array<number>(kinds).fill(0)
      for (const value of values) counts[value]!++
      return counts
    }
    const place = many.map(({ offered, right }) => offered.indexOf(right))
    const rank = many.map(({ offered, right }) => offered.toSorted().indexOf(right))
    const value = many.map(({ right }) => Number(right) - 10)
    const wrong = many.flatMap(({ offered, right }) => offered.filter((n) => n !== right).map((n) => Number(n) - 10))
    for (const [values, kinds] of [
      [place, 5],
      [rank, 5],
      [value, 90],
      [wrong, 90]
    ] as const) {
      assert.isBelow(chiSquare(count(values, kinds)), onceInAThousand(kinds))
    }
  })
})
