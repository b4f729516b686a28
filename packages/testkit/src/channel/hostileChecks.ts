import type { MessageKind } from "@countersign/core/channel"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { BenchCheck } from "./ChannelCheck.ts"
import { headerNames } from "./leaves.ts"
import { secretOf, describe, errorOf, kindsOf, reads, textOf, trial } from "./trial.ts"

/** The header that hostile texts try to inject. */
const smuggled = "x-smuggled"

/** Texts with a special meaning in some format. `other` is a recipient who must receive nothing. */
const hostile = (other: string): { readonly [what: string]: string } => ({
  "line breaks": "one\ntwo\r\nthree\rfour\n\nfive",
  "a header": `code\r\nX-Smuggled: yes\r\nTo: ${other}\r\nBcc: ${other}\r\n\r\nbody`,
  "a form field": `code&To=${other}&to=${other}&recipient=${other}&X-Smuggled=1;To=${other}`,
  "a JSON field": `code","to":"${other}","x-smuggled":"${other}`,
  "an XML element": `code</text><to>${other}</to><text>&amp; ]]> <![CDATA[`,
  "an SMTP command": `code\r\n.\r\nMAIL FROM:<kit@example.com>\r\nRCPT TO:<${other}>\r\nDATA\r\n.`,
  quotes: `"double" 'single' \`back\` \\ \\" „low“ “curly” «angle»`,
  emoji: "👩‍👩‍👧‍👦 🇮🇳 ☎️ 🔐",
  "right to left": "رمز التحقق \u202e123\u202c הקוד שלך",
  Hindi: "आपका कोड है। इसे किसी को न बताएं।",
  placeholders: "{{code}} {{ brand }} {code} ${code} $& $1 %(code)s #{code} {#var#} {{1}}",
  "percent signs": "100% sure %20 %s %d %n %00 %0d%0aX-Smuggled:%20yes +%2B+",
  "names of JavaScript": "__proto__ constructor prototype toString hasOwnProperty",
  markup: "<script>alert(1)</script><b>&lt;&amp;</b><!-- -->",
  "the look of JSON": '{"to":"nobody"}',
  "a path": "../../etc/passwd?a=b#c;d@e:f",
  emptiness: " ",
  length: "long ".repeat(1000).trimEnd()
})

const fields = ["text", "brand", "locale", "subject", "html", "secret"] as const

const sane = /^(Sent|Refused )/

/** The kinds of messages whose text the service writes. */
const madeByUs = (kind: MessageKind) => kind === "Code" || kind === "Link" || kind === "Notice"

/** How a channel handles text with a special meaning for its provider. */
export const hostileChecks: ReadonlyArray<BenchCheck> = fields.map((field) => [
  `hostile ${field}: it arrives unchanged or is refused, reaches one recipient, and never becomes another field`,
  (bench) =>
    Effect.gen(function* () {
      const { channel, message, provider, send } = yield* trial(bench)
      const other = bench.to(channel, 9)
      const kinds = kindsOf(channel).filter((kind, n) => n === 0 || madeByUs(kind))
      const cases = kinds.flatMap((kind) =>
        Object.entries(hostile(other)).map(([what, value]) => [kind, `${what} in a ${kind}`, value] as const)
      )
      for (const [kind, what, value] of cases) {
        const earlier = (yield* provider.seen).length
        const wanted = yield* message(1, { kind, [field]: value })
        const answer = yield* send(wanted)
        if (Exit.isFailure(answer)) errorOf(channel, answer)
        assert.match(describe(answer), sane, `${what}: sent or Refused`)
        const seen = (yield* provider.seen).slice(earlier)
        assert.isAtMost(seen.length, 1, `${what}: a send asks the provider at most once`)
        for (const each of seen) {
          assert.strictEqual(each.to, wanted.to, `${what}: the recipient on the wire`)
          assert.notInclude(headerNames(each.raw), smuggled, `${what}: a header came in through the ${field}`)
          if (Exit.isFailure(answer)) continue
          if (bench.carries === "text") assert.isTrue(reads(each, textOf(wanted)), `${what}: the text arrives changed`)
          else assert.isTrue(reads(each, secretOf(wanted)), `${what}: the code arrives changed`)
        }
      }
    })
])
