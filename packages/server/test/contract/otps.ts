import { assert, describe, it } from "vitest"
import { code, refused } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"

const digits = code.split("")

/** Digits that look like ASCII digits: Arabic, Devanagari, full-width, mathematical, circled, superscript. */
const foreign = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10, 0x1d7ce, 0x1d7d8, 0x245f, 0x2460 - 1].map((zero) =>
  digits.map((digit) => String.fromCodePoint(zero + Number(digit))).join("")
)
/** Characters that some programs trim and others do not. */
const invisible = [
  0x00, 0x07, 0x0b, 0x0c, 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0x1680, 0x180e, 0x2000, 0x2009, 0x200b, 0x200c, 0x200d, 0x200e,
  0x2028, 0x2029, 0x202e, 0x202f, 0x205f, 0x2060, 0x3000, 0xfe0f, 0xfeff, 0xd800, 0xdc00
].map((point) => String.fromCharCode(point))
const marks = [
  "'",
  '"',
  "`",
  ";",
  "--",
  "/*",
  "%",
  "_",
  "\\",
  "|",
  "&",
  "$",
  "{",
  "}",
  "(",
  ")",
  "<",
  ">",
  "=",
  "#",
  "?",
  "*",
  "+",
  "-",
  ".",
  ",",
  ":",
  "!",
  "@",
  "^",
  "~"
]

/** Texts of 1 to 64 characters that differ from the code. */
const texts = [
  ...foreign,
  ...invisible.flatMap((char) => [char + code, code + char, code.slice(0, 3) + char + code.slice(3)]),
  ...marks.flatMap((mark) => [mark + code, code + mark, `${mark}${code}${mark}`]),
  "123 456",
  "123-456",
  "1 2 3 4 5 6",
  "654321",
  "012345",
  "12345",
  "1234567",
  "0123456",
  "123456.0",
  "1.23456e5",
  "123456e0",
  "0x1e240",
  "0b11110001001000000",
  "0o361100",
  "+123456",
  "-123456",
  "１２３４５６",
  "1e5",
  "NaN",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "{}",
  "[]",
  "[123456]",
  '{"otp":"123456"}',
  "' or '1'='1",
  "'; drop table verification; --",
  "${7*7}",
  "{{7*7}}",
  "%s%s%s",
  "../../etc/passwd",
  "\\u0031\\u0032",
  "&#49;&#50;",
  "%31%32%33%34%35%36",
  "123456\n654321",
  "000000\n123456",
  "123456\r\n",
  "x".repeat(64),
  "1".repeat(64),
  "😀".repeat(32),
  "١٢٣٤٥٦",
  "123456\u0301",
  "1\u20de23456",
  ...Array.from({ length: 30 }, (_, i) => String(900_000 + i * 37)),
  ...Array.from({ length: 10 }, (_, i) => `${i}23456`).filter((text) => text !== code),
  ...Array.from({ length: 10 }, (_, i) => `12345${i}`).filter((text) => text !== code)
]
const trimmed = /^[ \t\r\n]+|[ \t\r\n]+$/g
const wrongTexts = [...new Set(texts)].filter((text) => text.replace(trimmed, "") !== code)

/** Values that are not strings, or have no valid code length. */
const shapeless: ReadonlyArray<unknown> = [
  123456,
  123456.5,
  -1,
  0,
  1e300,
  true,
  false,
  null,
  [],
  ["123456"],
  [1, 2, 3, 4, 5, 6],
  {},
  { otp: code },
  { toString: code },
  { length: 6 },
  "",
  " ",
  "   ",
  "\t",
  "\n",
  "\r\n",
  "x".repeat(65),
  "1".repeat(65),
  " ".repeat(64),
  "x".repeat(60_000),
  "😀".repeat(33)
]

/** Everything that people and programs may enter as a code. */
export const suite = (service: () => Service) =>
  describe("verify", () => {
    const perVerification = 9

    it(`accepts none of ${wrongTexts.length} wrong texts as the code, and counts each`, async () => {
      assert.isAtLeast(wrongTexts.length, 250)
      const client = await service().client({ maxAttempts: perVerification + 1, maxConsecutiveFailures: 0 })
      for (let from = 0; from < wrongTexts.length; from += perVerification) {
        const requestId = await client.started()
        const some = wrongTexts.slice(from, from + perVerification)
        for (const [i, otp] of some.entries()) {
          const { body, status, text } = await client.verify({ requestId, otp })
          assert.strictEqual(status, 200, `${JSON.stringify(otp)}: ${text}`)
          assert.deepInclude(body, { verified: false, idToken: null }, JSON.stringify(otp))
          assert.include(body.message, `${perVerification - i} attempt`, JSON.stringify(otp))
        }
        assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
      }
    })

    it(`refuses ${shapeless.length} malformed codes, and counts none`, async () => {
      const client = await service().client({ maxAttempts: 1 })
      const requestId = await client.started()
      for (const otp of shapeless) refused(await client.verify({ requestId, otp }), "INVALID_REQUEST", "otp")
      assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
    })
  })
