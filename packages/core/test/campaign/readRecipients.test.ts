import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { readCsv, dialectOf } from "../../src/engagement/campaign/readCsv.ts"
import {
  listRefusal,
  type ListWanted,
  readRecipients,
  type RecipientList,
  sayProblem
} from "../../src/engagement/campaign/readRecipients.ts"

const plain: ListWanted = { channel: "WHATSAPP", places: [], body: null, defaultCountry: "IN" }
const named: ListWanted = { ...plain, places: ["name"] }
const sms: ListWanted = { ...plain, channel: "SMS", places: ["name"], body: "Hello {{name}}" }

const read = (csv: string, wanted = plain): RecipientList => Effect.runSync(readRecipients(csv, wanted))

/** Recipients as `phone|value|value`, or the problems as sentences. */
const said = (csv: string, wanted = plain): ReadonlyArray<string> => {
  const { invalid, recipients } = read(csv, wanted)
  return invalid.length > 0
    ? invalid.map(sayProblem)
    : recipients.map(({ phone, values }) => [phone.slice(1), ...values].join("|"))
}

const ann = "919876543210"
const bob = "919876543211"
/** The message quotes no cell: its person may be erased later, while repeats keep the answer. */
const nameless = "line 1, column phone: is missing; the first line must name the columns, but it contains a number"
const bell = String.fromCharCode(7)

type Row = readonly [title: string, csv: string, wanted: ListWanted, said: ReadonlyArray<string>]

const readRight: ReadonlyArray<Row> = [
  ["line feeds", `phone\n${ann}\n${bob}\n`, plain, [ann, bob]],
  ["carriage returns and line feeds", `phone\r\n${ann}\r\n${bob}\r\n`, plain, [ann, bob]],
  ["carriage returns", `phone\r${ann}\r${bob}`, plain, [ann, bob]],
  ["line breaks of all kinds", `phone\r${ann}\r\n${bob}\n`, plain, [ann, bob]],
  ["no line break at the end", `phone\n${ann}`, plain, [ann]],
  ["a byte order mark", `\uFEFFphone\n${ann}`, plain, [ann]],
  ["a byte order mark and quotes", `\uFEFF"phone","name"\n"${ann}","Ann"`, named, [`${ann}|Ann`]],
  ["semicolons", `phone;name\n${ann};Ann, of Pune`, named, [`${ann}|Ann, of Pune`]],
  ["tabs", `phone\tname\n${ann}\tAnn; Pune`, named, [`${ann}|Ann; Pune`]],
  ["a line that says sep=;", `sep=;\r\nphone;name\r\n${ann};A,b`, named, [`${ann}|A,b`]],
  ["a line that says sep=, in capitals", `SEP=,\nphone,name\n${ann},Ann`, named, [`${ann}|Ann`]],
  ["a line that says sep= and a tab", `sep=\t\nphone\tname\n${ann}\tAnn`, named, [`${ann}|Ann`]],
  ["a quoted header with semicolons in its names", `"a;b;c",phone\n1,${ann}`, plain, [ann]],
  ["one column", `phone\n${ann}`, plain, [ann]],
  ["a header in capitals", `PHONE,Name\n${ann},Ann`, named, [`${ann}|Ann`]],
  ["a header with spaces", `  phone , NAME \n${ann},Ann`, named, [`${ann}|Ann`]],
  ["a quoted header with spaces", `" phone "," name"\n${ann},Ann`, named, [`${ann}|Ann`]],
  ["columns in any order", `name,phone\nAnn,${ann}`, named, [`${ann}|Ann`]],
  ["unused columns", `id,phone,name,city\n1,${ann},Ann,Pune`, named, [`${ann}|Ann`]],
  ["a column name with a space", `phone,First Name\n${ann},Ann`, { ...plain, places: ["first_name"] }, [`${ann}|Ann`]],
  ["a place that is there twice", `phone,name\n${ann},Ann`, { ...plain, places: ["name", "Name"] }, [`${ann}|Ann|Ann`]],
  ["the number as a value", `phone\n${ann}`, { ...plain, places: ["phone"] }, [`${ann}|${ann}`]],
  ["empty lines", `\n\nphone\n\n${ann}\n   \n${bob}\n\n\n`, plain, [ann, bob]],
  ["lines of delimiters alone", `phone,name\n,\n${ann},Ann\n,,,\n`, named, [`${ann}|Ann`]],
  ["delimiters at the end of every line", `phone,name,,\n${ann},Ann,,\n`, named, [`${ann}|Ann`]],
  ["more empty cells than the header has", `phone,name\n${ann},Ann,,,`, named, [`${ann}|Ann`]],
  ["fewer cells, in unused columns", `phone,name,city\n${ann},Ann`, named, [`${ann}|Ann`]],
  ["spaces around cells", `phone,name\n  ${ann}  ,  Ann  `, named, [`${ann}|Ann`]],
  ["spaces around quotes", `phone,name\n "${ann}" , "Ann" `, named, [`${ann}|Ann`]],
  ["delimiters in quotes", `phone,name\n${ann},"Rao, Ann"`, named, [`${ann}|Rao, Ann`]],
  ["doubled quotes", `phone,name\n${ann},"Ann ""A"" Rao"`, named, [`${ann}|Ann "A" Rao`]],
  ["nothing but doubled quotes", `phone,name\n${ann},""""`, named, [`${ann}|"`]],
  ["a quote in the middle of an unquoted cell", `phone,name\n${ann},5" pipe`, named, [`${ann}|5" pipe`]],
  ["an apostrophe", `phone,name\n${ann},O'Neil`, named, [`${ann}|O'Neil`]],
  ["a formula, which is text", `phone,name\n${ann},=cmd|'/c calc'!A1`, named, [`${ann}|=cmd|'/c calc'!A1`]],
  ["formulas with @, + and -", `phone,name\n${ann},"@SUM(1+1)"`, named, [`${ann}|@SUM(1+1)`]],
  ["markup, which is text", `phone,name\n${ann},<b>Ann</b>`, named, [`${ann}|<b>Ann</b>`]],
  ["places in values, which are text", `phone,name\n${ann},{{code}}`, named, [`${ann}|{{code}}`]],
  ["line breaks in an unused column", `phone,note\n${ann},"a\r\nb"\n${bob},c`, plain, [ann, bob]],
  ["a line break in an SMS", `phone,name\n${ann},"Ann\nRao"`, sms, [`${ann}|Ann\nRao`]],
  ["letters of all scripts", `phone,name\n${ann},अनीता 😀 李`, named, [`${ann}|अनीता 😀 李`]],
  ["joined emoji", `phone,name\n${ann},👩‍👧`, named, [`${ann}|👩‍👧`]],
  ["four spaces", `phone,name\n${ann},a    b`, named, [`${ann}|a    b`]],
  ["a value of 1,024 characters", `phone,name\n${ann},${"a".repeat(1_024)}`, named, [`${ann}|${"a".repeat(1_024)}`]],
  ["100 columns", `phone${",x".repeat(99)}\n${ann}`, plain, [ann]],
  ["numbers as people write them", `phone\n98765 43210\n+91 98765-43211`, plain, [ann, bob]],
  [
    "numbers with brackets and dots",
    `phone\n+1 (415) 555.2671\n(415) 555–2672`,
    { ...plain, defaultCountry: "US" },
    ["14155552671", "14155552672"]
  ],
  [
    "numbers with slashes and hard spaces",
    `phone\n+49 151/1234567\n+65\u00A09123\u00A04567`,
    plain,
    ["491511234567", "6591234567"]
  ],
  ["one number in several spellings", `phone\n${ann}\n9876543210\n+91 98765 43210\n${bob}`, plain, [ann, bob]],
  ["a repeat whose values are wrong", `phone,name\n${ann},Ann\n${ann},`, named, [`${ann}|Ann`]],
  ["a column called __proto__", `phone,__proto__\n${ann},x`, { ...plain, places: ["__proto__"] }, [`${ann}|x`]],
  ["a column called constructor", `phone,constructor\n${ann},x`, { ...plain, places: ["constructor"] }, [`${ann}|x`]]
]

const refused: ReadonlyArray<Row> = [
  ["nothing", "", plain, ["line 1: the file is empty"]],
  ["a byte order mark alone", "\uFEFF", plain, ["line 1: the file is empty"]],
  ["empty lines alone", " \r\n\n \n", plain, ["line 1: the file is empty"]],
  ["a header alone", "phone\n", plain, ["line 1: has a header but no recipients"]],
  ["a header and empty lines", "phone,name\n\n,\n", named, ["line 1: has a header but no recipients"]],
  ["a sep line alone", "sep=;", plain, ["line 1: has a header but no recipients"]],
  ["delimiters alone", ",,,\n,,,", plain, ["line 1: has a header but no recipients"]],
  ["no header", `${ann}\n${bob}`, plain, [nameless]],
  ["no header, and names of people", `Ann,98765 43210\nBob,98765 43211`, plain, [nameless]],
  [
    "no column phone",
    `name,mobile\nAnn,${ann}`,
    plain,
    ["line 1, column phone: is missing; the columns are name, mobile"]
  ],
  ["phone twice", `phone,Phone\n${ann},${ann}`, plain, ["line 1, column phone: occurs 2 times; keep one of them"]],
  [
    "no column for a place",
    `phone\n${ann}`,
    named,
    ["line 1, column name: is missing; the template has a placeholder of that name"]
  ],
  [
    "a place's column twice",
    `phone,name,NAME\n${ann},a,b`,
    named,
    ["line 1, column name: occurs 2 times; keep one of them"]
  ],
  [
    "neither phone nor a place",
    `a\nb`,
    named,
    [
      "line 1, column phone: is missing; the columns are a",
      "line 1, column name: is missing; the template has a placeholder of that name"
    ]
  ],
  [
    "another delimiter than the file's",
    `sep=,\nphone;name\n${ann};Ann`,
    plain,
    ["line 2, column phone: is missing; the columns are phone;name"]
  ],
  ["bars", `phone|name\n${ann}|Ann`, plain, ["line 1, column phone: is missing; the columns are phone|name"]],
  ["JSON", `[{"phone":"${ann}"}]`, plain, [nameless]],
  [
    "a workbook",
    "PK\u0003\u0004\u0014\0\u0006",
    plain,
    ["line 1: the file is a workbook or a zip file; save it as CSV UTF-8"]
  ],
  [
    "an old workbook, decoded as UTF-8",
    "\uFFFD\uFFFD\u0011\uFFFD\uFFFD\u001A",
    plain,
    ["line 1: the file is not UTF-8; save it as CSV UTF-8"]
  ],
  [
    "UTF-16, decoded as UTF-8",
    "\uFFFD\uFFFDp\0h\0o\0n\0e\0",
    plain,
    ["line 1: the file is UTF-16 or not text; save it as CSV UTF-8"]
  ],
  [
    "UTF-16 without its mark",
    "p\0h\0o\0n\0e\0\n\0",
    plain,
    ["line 1: the file is UTF-16 or not text; save it as CSV UTF-8"]
  ],
  [
    "UTF-16 of the other order",
    "\uFFFE\u7000\u6800",
    plain,
    ["line 1: the file is UTF-16 or not text; save it as CSV UTF-8"]
  ],
  [
    "a zero character somewhere",
    `phone\n${ann}\0`,
    plain,
    ["line 1: the file is UTF-16 or not text; save it as CSV UTF-8"]
  ],
  [
    "a quote in the header that is never closed",
    `"phone\n${ann}`,
    plain,
    ["line 1: the header begins with a quote on line 1 that is never closed"]
  ],
  [
    "a quote that is never closed",
    `phone,name\n${ann},Ann\n${bob},"Bob\n${ann},Eve`,
    named,
    ["line 3, column name: begins with a quote on line 3 that is never closed"]
  ],
  [
    "a quote in the second line of a record that is never closed",
    `phone,a,b\n${ann},"x\ny","z\n`,
    plain,
    ["line 2, column b: begins with a quote on line 3 that is never closed"]
  ],
  ["a quote alone", '"', plain, ["line 1: the header begins with a quote on line 1 that is never closed"]],
  [
    "text after a closing quote",
    `phone,name\n${ann},"Ann"Rao\n${bob},Bob`,
    named,
    ["line 2, column name: has text after its closing quote; write a quote inside a quoted cell twice"]
  ],
  [
    "a quote that is closed in another record",
    `phone,name\n${ann},"Ann\n${bob},"Bob"`,
    named,
    ["line 2, column name: has text after its closing quote; write a quote inside a quoted cell twice"]
  ],
  [
    "more cells than the header",
    `phone,name\n${ann},Rao, Ann`,
    named,
    ["line 2: has 3 cells, but the header has 2; put quotes around cells that contain delimiters"]
  ],
  ["101 columns", `phone${",x".repeat(100)}\n${ann}`, plain, ["line 1: the header has more than 100 columns"]],
  ["101 cells", `phone\n${ann}${",".repeat(100)}`, plain, ["line 2: has more than 100 columns"]],
  ["no number", `phone,name\n,Ann`, named, ["line 2, column phone: is empty"]],
  ["too few cells", `name,phone\nAnn`, plain, ["line 2, column phone: is empty"]],
  [
    "a number that a spreadsheet shortened",
    "phone\n9.19877E+11",
    plain,
    [
      "line 2, column phone: was shortened by a spreadsheet, and its last digits are lost; format the column as text and fill it in again"
    ]
  ],
  [
    "the same with a decimal comma",
    "phone;x\n9,19877E+11;1",
    plain,
    [
      "line 2, column phone: was shortened by a spreadsheet, and its last digits are lost; format the column as text and fill it in again"
    ]
  ],
  [
    "a number with decimals",
    `phone\n${ann}.0`,
    plain,
    ["line 2, column phone: was formatted as an amount; format the column as text, without decimals"]
  ],
  [
    "a number after an apostrophe",
    `phone\n'${ann}`,
    plain,
    ["line 2, column phone: begins with an apostrophe; write only the number"]
  ],
  [
    "a number after 00",
    `phone\n00${ann}`,
    plain,
    ["line 2, column phone: begins with 00; write + and the country code instead"]
  ],
  [
    "a number with 0 for long distance",
    "phone\n09876543210",
    plain,
    ["line 2, column phone: must be a possible phone number with its country code"]
  ],
  [
    "a number of ten digits where no country is set",
    "phone\n9876543210",
    { ...plain, defaultCountry: null },
    ["line 2, column phone: must begin with + and the country code: no default country is set for ten-digit numbers"]
  ],
  [
    "a landline of India",
    "phone\n+912227543210",
    plain,
    ["line 2, column phone: must be an Indian mobile number: ten digits that begin with 6 to 9"]
  ],
  [
    "a number of 16 digits",
    "phone\n+1234567890123456",
    plain,
    ["line 2, column phone: must be a possible phone number with its country code"]
  ],
  [
    "two numbers in one cell",
    `phone\n"${ann}, ${bob}"`,
    plain,
    ["line 2, column phone: must be one phone number with its country code, in digits"]
  ],
  [
    "an address for a number",
    "phone\nann@example.com",
    plain,
    ["line 2, column phone: must be one phone number with its country code, in digits"]
  ],
  [
    "digits of another script",
    "phone\n९८७६५४३२१०",
    plain,
    ["line 2, column phone: must be one phone number with its country code, in digits"]
  ],
  [
    "a formula for a number",
    `phone\n=${ann}`,
    plain,
    ["line 2, column phone: must be one phone number with its country code, in digits"]
  ],
  [
    "a number with marks of direction",
    `phone\n\u202D${ann}\u202C`,
    plain,
    ["line 2, column phone: has invisible characters; type the number again by hand"]
  ],
  ["an endless number", `phone\n${"9".repeat(1_000)}`, plain, ["line 2, column phone: must be at most 64 characters"]],
  ["an empty value", `phone,name\n${ann},`, named, ["line 2, column name: is empty; fill it in, or remove the line"]],
  [
    "a line without its value",
    `phone,name\n${ann}`,
    named,
    ["line 2, column name: is empty; fill it in, or remove the line"]
  ],
  [
    "a line break on WhatsApp",
    `phone,name\n${ann},"Ann\nRao"\n${bob},`,
    named,
    [
      "line 2, column name: has a line break, which WhatsApp rejects",
      "line 4, column name: is empty; fill it in, or remove the line"
    ]
  ],
  ["a tab", `phone,name\n${ann},Ann\tRao`, named, ["line 2, column name: has a tab"]],
  [
    "five spaces on WhatsApp",
    `phone,name\n${ann},a     b`,
    named,
    ["line 2, column name: has more than four spaces in a row, which WhatsApp rejects"]
  ],
  [
    "a value of 1,025 characters",
    `phone,name\n${ann},${"a".repeat(1_025)}`,
    named,
    ["line 2, column name: is longer than 1024 characters"]
  ],
  [
    "a quoted value of 1,025 characters",
    `phone,name\n${ann},"${"a".repeat(1_025)}"`,
    named,
    ["line 2, column name: is longer than 1024 characters"]
  ],
  [
    "a damaged character",
    `phone,name\n${ann},Jos\uFFFD`,
    named,
    ["line 2, column name: has a damaged character; save the file as CSV UTF-8"]
  ],
  [
    "half of a pair of surrogates",
    `phone,name\n${ann},a\uD800`,
    named,
    ["line 2, column name: has a damaged character; save the file as CSV UTF-8"]
  ],
  ["control characters", `phone,name\n${ann},a${bell}b`, named, ["line 2, column name: has control characters"]],
  [
    "an override of direction",
    `phone,name\n${ann},\u202Etxt.exe`,
    named,
    ["line 2, column name: has characters that change the text direction; remove them"]
  ],
  [
    "an SMS that is too long",
    `phone,a,b\n${ann},${"x".repeat(1_000)},${"y".repeat(1_000)}`,
    { ...sms, places: ["a", "b"], body: "{{a}}{{b}}" },
    ["line 2: makes an SMS of 2000 characters; the limit is 1600"]
  ],
  [
    "the line of a record, after records of several lines",
    `phone,note\r\n${ann},"1\r2\n3\r\n4"\r\n\r\nnobody,x`,
    plain,
    ["line 7, column phone: must be one phone number with its country code, in digits"]
  ],
  [
    "a name of a column with control characters",
    `phone,a${bell}\nx,1`,
    { ...plain, places: ["a"] },
    [`line 1, column a: is missing; the template has a placeholder of that name`]
  ]
]

describe("a list of recipients", () => {
  it.each(readRight)("accepts %s", (_, csv, wanted, expected) => {
    assert.deepStrictEqual(said(csv, wanted), expected)
  })

  it.each(refused)("is refused by line and column: %s", (_, csv, wanted, expected) => {
    assert.deepStrictEqual(said(csv, wanted), expected)
  })

  it.each([
    ["Brazil's, with and without the ninth digit", "+5511987654321", "+551187654321"],
    ["Argentina's, with and without the 9 of mobiles", "+5491123456789", "+541123456789"]
  ])("treats two spellings of one phone as one person: %s", (_, one, other) => {
    const { duplicates, recipients } = read(`phone,name\n${one},Ann\n${other},Eve`, named)
    assert.deepStrictEqual([recipients.map(({ phone }) => phone), duplicates], [[one], 1])
  })

  it("reports how many lines repeat a number, and which columns the template does not use", () => {
    const { duplicates, recipients, unused } = read(
      `id,phone,name,\n1,${ann},Ann\n2,+${ann},Eve\n3,9876543210,Zoe`,
      named
    )
    assert.deepStrictEqual([recipients.length, duplicates, unused], [1, 2, ["id"]])
  })

  it("counts a line with two problems once", () => {
    const two = { ...plain, places: ["name", "city"] }
    const { invalidLines, invalidTotal } = read(`phone,name,city\n${ann},,\n${bob},Bob,Pune\n`, two)
    assert.deepStrictEqual([invalidLines, invalidTotal], [1, 2])
  })

  it("reports as many problems as the caller wants", () => {
    const { invalid } = read(`phone\n${"x\n".repeat(250)}${ann}`, { ...plain, problems: 1_000 })
    assert.strictEqual(invalid.length, 250)
  })

  it.each([
    ["an invalid line", `phone,name\n${ann},\n${bob},Bob\n`, true],
    ["text after a closing quote", `phone,name\n${ann},"A"nn\n${bob},Bob\n`, true],
    ["a quote that is never closed", `phone,name\n${ann},Ann\n${bob},"Bob\n919876543212,Eve\n`, false],
    ["a header without a column", `phone\n${ann}\n`, false],
    ["no valid line", `phone,name\n98123,Ann\n`, false],
    ["a number on an invalid line and again on a valid one", `phone,name\n${ann},\n${ann},Ann\n`, false]
  ])("with %s can be sent without its invalid lines, or not at all", (_, csv, expected) => {
    const list = read(csv, named)
    assert.strictEqual(listRefusal(list, true) === null, expected)
    assert.strictEqual(listRefusal(list, false), list.invalid[0])
  })

  it("reports a hundred problems and counts all", () => {
    const { invalid, invalidTotal, recipients } = read(`phone\n${"x\n".repeat(250)}${ann}`)
    assert.deepStrictEqual([invalid.length, invalid.at(-1)?.line, invalidTotal, recipients.length], [100, 101, 250, 1])
  })

  it("reports how many segments its messages take", () => {
    const long = "x".repeat(160)
    assert.deepStrictEqual(read(`phone,name\n${ann},Ann\n${bob},${long}`, sms).segments, { total: 3, most: 2 })
    assert.strictEqual(read(`phone\n${ann}`).segments, null)
  })

  it("is limited to 100,000 lines", () => {
    const lines = (count: number) => `${ann}\n`.repeat(count)
    const { invalid, recipients } = read(`phone\n\n${lines(100_001)}\n\nx`)
    assert.strictEqual(recipients.length, 1)
    assert.deepStrictEqual(
      invalid.map(({ line }) => line),
      [100_003]
    )
  })

  it.prop(
    "is read to an end without a throw, for any text",
    [
      Schema.Array(
        Schema.Literals([
          '"',
          ",",
          ";",
          "\t",
          "\n",
          "\r",
          "\r\n",
          " ",
          "phone",
          "name",
          ann,
          "x",
          "sep=",
          "\uFEFF",
          "="
        ])
      )
    ],
    ([pieces]) => {
      const csv = pieces.join("")
      const list = read(csv, { ...named, problems: 1_000 })
      const { duplicates, invalid, invalidLines, invalidTotal, recipients } = list
      assert.ok(invalidTotal > 0 || recipients.length + duplicates > 0)
      // An invalid line is never sent, and each recipient keeps the number of their line.
      const wrong = new Set(invalid.map(({ line }) => line))
      assert.ok(!list.skippable || wrong.size === invalidLines)
      assert.ok(recipients.every(({ line }, n) => !wrong.has(line) && line > (recipients[n - 1]?.line ?? 1)))
    },
    { arbitrary: { runs: 300 } }
  )

  const cell = Schema.Array(Schema.Literals(['"', ",", ";", "\n", "\r", " ", "a", "é", "😀"])).check(
    Schema.isMaxLength(8)
  )
  it.prop(
    "returns quoted cells unchanged, with the line on which each record starts",
    [Schema.Array(Schema.Array(cell).check(Schema.isMinLength(1), Schema.isMaxLength(5)))],
    ([rows]) => {
      const texts = rows.map((row) => row.map((pieces) => `x${pieces.join("")}`))
      const lines = texts.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(","))
      const csv = lines.map((line) => `${line}\r\n`).join("")
      const records = Array.from(readCsv(csv, { delimiter: ",", from: 0, line: 1 })).filter((one) => one !== null)
      const begins = lines.map(
        (_, index) =>
          1 +
          (lines
            .slice(0, index)
            .join("\n")
            .match(/\r\n|\r|\n/g)?.length ?? 0) +
          (index > 0 ? 1 : 0)
      )
      assert.deepStrictEqual(
        records,
        texts.map((cells, index) => ({ line: begins[index]!, cells, fault: null }))
      )
    },
    { arbitrary: { runs: 100 } }
  )

  const size = 500_000
  it.each([
    ["quotes", '"'.repeat(size), "line 1: the header is longer than 1024 characters"],
    ["doubled quotes in one cell", `phone\n"${'""'.repeat(size / 2)}"`, "longer than 1024"],
    ["letters in one quoted cell", `phone\n"${"a".repeat(size)}"`, "longer than 1024"],
    ["letters in one cell", `phone\n${"a".repeat(size)}`, "longer than 1024"],
    ["columns", `phone${",".repeat(size)}`, "more than 100 columns"],
    ["columns under a header", `phone\n${",".repeat(size)}`, "more than 100 columns"],
    ["empty lines", `phone${"\n".repeat(size)}`, "no recipients"],
    ["line breaks in one cell", `phone\n"${"\r\n".repeat(size / 2)}"`, "longer than 1024"],
    ["spaces", `phone\n${" ".repeat(size)}`, "no recipients"],
    ["quotes that are closed too early", `phone\n${'"a"b\n'.repeat(size / 5)}`, "text after its closing quote"]
  ])("of half a million %s is refused in linear time", (_, csv, problem) => {
    assert.include(said(csv)[0], problem)
  })

  it("yields every few records, and every few thousand characters of one record", () => {
    const pauses = (csv: string) => Array.from(readCsv(csv, dialectOf(csv))).filter((one) => one === null).length
    assert.isAtLeast(pauses(`phone\n"${'""'.repeat(50_000)}"`), 5)
    assert.isAtLeast(pauses(`phone\n"${"\n".repeat(100_000)}"`), 5)
    assert.isAtLeast(pauses(`phone${"\n".repeat(100_000)}`), 5)
    assert.isAtLeast(pauses(`phone\n${`${ann}\n`.repeat(8_000)}`), 5)
  })

  it.effect("lets other fibers run while it is read", () =>
    Effect.gen(function* () {
      let turns = 0
      const other = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => turns++),
            Effect.yieldNow
          )
        )
      )
      yield* readRecipients(`phone\n${`${ann}\n`.repeat(1_000)}`, plain)
      yield* Fiber.interrupt(other)
      assert.isAtLeast(turns, 10)
    })
  )
})
