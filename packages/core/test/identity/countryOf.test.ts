import { assert, describe, it } from "@effect/vitest"
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/min"
import { countryOf } from "../../src/foundation/identity/Identity.ts"

describe("the country of a number", () => {
  it("is decided by the whole number, also where the calling code alone is enough", () => {
    for (const country of getCountries()) {
      for (const rest of ["2025550123", "612345678", "9123456789", "71234567", "7911123456"]) {
        const parsed = parsePhoneNumberFromString(`+${getCountryCallingCode(country)}${rest}`)
        if (parsed === undefined || !parsed.isPossible()) continue
        const canonical = parsed.number.slice(1)
        assert.strictEqual(countryOf(canonical), parsed.country ?? null, canonical)
      }
    }
  })
})
