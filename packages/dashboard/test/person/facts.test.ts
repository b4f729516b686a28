import { assert, describe, it } from "vitest"
import { isNothingStored, lockedOutOf, locksOf, type Person, shownBy } from "../../src/screens/person/facts.ts"
import { isCertain, labelOfPerson, peopleSearch } from "../../src/shell/peopleSearch.ts"

const until = "2030-01-08T10:00:00.000Z"
const empty: Pick<Person, "devices" | "lead" | "optOut"> = { devices: [], lead: null, optOut: null }
const lead = { id: 7, name: null, status: "OPEN", lastMessageAt: null, waitingSince: null } as const

describe("a user's page", () => {
  it("names every lock that applies now", () => {
    const locks = [
      { path: "SERVER", wrongCodes: 3, lockedUntil: until },
      { path: "SDK", wrongCodes: 2, lockedUntil: null }
    ] as const
    assert.deepStrictEqual(locksOf({ locks, linksPausedUntil: null }), [{ of: "SERVER", until, wrongCodes: 3 }])
    assert.deepStrictEqual(
      locksOf({ locks: [], linksPausedUntil: until }).map(({ of }) => of),
      ["LINKS"]
    )
  })

  it("says whether all requests are refused or only links", () => {
    assert.isNull(lockedOutOf([]))
    assert.strictEqual(lockedOutOf([{ of: "LINKS" }]), "LINKS")
    assert.strictEqual(lockedOutOf([{ of: "SDK" }, { of: "LINKS" }]), "CODES")
  })

  it("says that nothing is stored only after all lists were loaded", () => {
    assert.isTrue(isNothingStored(empty, [], []))
    assert.isFalse(isNothingStored(empty, null, []))
    assert.isFalse(isNothingStored(empty, [], [{}]))
    assert.isFalse(isNothingStored({ ...empty, lead }, [], []))
  })

  it("shows the identity by a verification, otherwise by the conversation", () => {
    assert.deepStrictEqual(shownBy("ver_1", { lead }), { requestId: "ver_1" })
    assert.deepStrictEqual(shownBy(undefined, { lead }), { leadId: 7 })
    assert.isNull(shownBy(undefined, { lead: null }))
  })
})

describe("the search for a user in the palette", () => {
  it("waits for two letters, or three characters", () => {
    assert.deepStrictEqual(["a", "12", " as ", "321", "3210", "order 1"].map(peopleSearch), [
      null,
      null,
      "as",
      "321",
      "3210",
      "order 1"
    ])
  })

  it("shows the masked identity, after the name of the lead", () => {
    const person = {
      person: "per_1",
      identity: "+91******3210",
      identityType: "MOBILE",
      foundBy: "NAME",
      name: "Asha",
      leadId: 7,
      requestId: null
    } as const
    assert.strictEqual(labelOfPerson(person), "Asha · +91******3210")
    assert.strictEqual(labelOfPerson({ ...person, name: null }), "+91******3210")
    assert.deepStrictEqual([isCertain(person), isCertain({ ...person, foundBy: "ENDING" })], [false, true])
  })
})
