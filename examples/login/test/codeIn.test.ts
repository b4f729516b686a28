import { assert, test } from "vitest"
import { codeIn } from "../browser/codeIn.ts"

test.each([
  ["123456", 6, "123456"],
  ["123 456", 6, "123456"],
  [" 123-456\n", 6, "123456"],
  ["1234567", 6, "123456"],
  ["12", 6, "12"],
  ["", 6, ""],
  ["123456 is your Demo verification code. It is valid for 5 minutes.", 6, "123456"],
  ["Your code: 123 456. Never share it.", 6, "123456"],
  ["Call +91 98765 43210 if in doubt. 482913 is your code", 6, "482913"],
  ["482913 is your code\n\n@example.com #482913", 6, "482913"],
  ["आपका कोड 4829 है", 4, "4829"],
  ["４８２９", 4, "4829"],
  ["my number is 9876543210", 6, ""],
  ["hello", 6, ""]
])("the code in %j with %i digits is %j", (text, length, code) => {
  assert.strictEqual(codeIn(text, length), code)
})
