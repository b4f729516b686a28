import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Agent } from "../../src/auth/staff/Agent.ts"
import { chosenDigest, type DigestFacts, mailed, nextDigest } from "../../src/engagement/lead/digest.ts"
import { digestMail } from "../../src/engagement/lead/digestMail.ts"
import { minutes } from "../../src/foundation/time/Instant.ts"
import { start } from "../fixtures/World.ts"

const agentWith = (more: Partial<Agent>): Agent => ({
  merchantId: "mer_1",
  id: 1,
  version: 1,
  email: "asha@shop.example",
  canonical: "asha@shop.example",
  role: "AGENT",
  status: "ACTIVE",
  era: 0,
  agreedAt: start,
  removedAt: null,
  createdAt: start,
  digest: { minutes: 15, chosenAt: start, mailedAt: null },
  ...more
})

const facts = (more: Partial<DigestFacts> = {}): DigestFacts => ({
  agent: agentWith({}),
  chosenAt: start,
  canMail: true,
  waits: [],
  ...more
})

const minute = (most: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most }))

const people = {
  agent: {},
  owner: { role: "OWNER" },
  viewer: { role: "VIEWER" },
  suspended: { status: "SUSPENDED" },
  unproven: { agreedAt: null }
} as const

/** Customers who begin to wait and are answered, and an agent who chose mails. */
const Situation = Schema.Struct({
  waits: Schema.Array(Schema.Struct({ from: minute(300), lasts: minute(120) })).check(Schema.isMaxLength(12)),
  wait: Schema.Literals([15, 60]),
  person: Schema.Literals(["agent", "owner", "viewer", "suspended", "unproven"])
})

describe("the decision about a mail to an agent", () => {
  it("waits until the longest wait reaches the chosen minutes, and counts only long waits", () => {
    const waits = [start, start + minutes(5), start + minutes(10)]
    assert.deepStrictEqual(nextDigest(facts({ waits }), start + minutes(14)), {
      _tag: "Later",
      at: start + minutes(15)
    })
    assert.deepStrictEqual(nextDigest(facts({ waits }), start + minutes(20)), { _tag: "Mail", since: start, count: 2 })
    assert.deepStrictEqual(nextDigest(facts(), start), { _tag: "Later", at: start + minutes(15) })
  })

  it.prop(
    "never mails twice within an hour, never late, and never an agent who may not get mails",
    [Situation],
    ([{ person, wait, waits }]) => {
      let agent = agentWith({ ...people[person], digest: { minutes: wait, chosenAt: start, mailedAt: null } })
      const waitsAt = (now: number) =>
        waits
          .filter(({ from, lasts }) => start + minutes(from) <= now && now < start + minutes(from + lasts))
          .map(({ from }) => start + minutes(from))
      const mails: Array<number> = []
      for (let now = start; now < start + minutes(600); ) {
        const step = nextDigest({ agent, chosenAt: start, canMail: true, waits: waitsAt(now) }, now)
        if (step._tag === "End") return assert.fail("the choice did not change")
        if (step._tag === "Mail") {
          assert.isAtLeast(now - step.since, minutes(wait))
          const after = mailed(agent, now)
          agent = after.agent
          mails.push(now)
          now = after.again
        } else {
          assert.isAbove(step.at, now)
          assert.isAtMost(step.at, now + minutes(60))
          now = step.at
        }
      }
      for (const [n, at] of mails.slice(1).entries()) assert.isAtLeast(at - mails[n]!, minutes(60))
      if (person === "viewer" || person === "suspended" || person === "unproven") {
        assert.deepStrictEqual(mails, [])
        return
      }
      // A long wait gets a mail when it reaches the chosen minutes, unless the agent got one within the hour before.
      for (const { from, lasts } of waits) {
        const due = start + minutes(from + wait)
        if (lasts > wait) assert.isTrue(mails.some((at) => at <= due && at > due - minutes(60)))
      }
    }
  )

  it("ends for an agent who is removed, turned the mails off or made another choice", () => {
    assert.strictEqual(nextDigest(facts({ agent: null }), start)._tag, "End")
    assert.strictEqual(nextDigest(facts({ chosenAt: start - 1 }), start)._tag, "End")
    const off = agentWith({ digest: chosenDigest(agentWith({}), null, start + 1) })
    assert.strictEqual(nextDigest(facts({ agent: off, chosenAt: start + 1 }), start)._tag, "End")
  })

  it("keeps the hour's limit when the agent turns the mails off and on again", () => {
    const before = mailed(agentWith({}), start + minutes(20)).agent
    const off = agentWith({ digest: chosenDigest(before, null, start + minutes(21)) })
    const on = agentWith({ digest: chosenDigest(off, 15, start + minutes(21)) })
    const chosenAt = on.digest!.chosenAt
    assert.isAbove(chosenAt, off.digest!.chosenAt)
    assert.deepStrictEqual(nextDigest(facts({ agent: on, chosenAt, waits: [start] }), start + minutes(22)), {
      _tag: "Later",
      at: start + minutes(80)
    })
  })
})

describe("the mail about waiting customers", () => {
  const mail = {
    count: 3,
    more: false,
    since: start,
    minutes: 15,
    merchant: "Acme",
    inbox: "https://verify.example.com/dashboard/inbox",
    timeZone: "Asia/Kolkata"
  }

  it("says in English how many customers wait, since when, and where to answer", () => {
    assert.deepStrictEqual(digestMail({ ...mail, locale: "de" }), {
      subject: "3 customers are waiting for an answer – Acme",
      text: [
        "3 customers of Acme have waited longer than 15 minutes. The longest wait began at 15:30 on 7 January 2030 (Asia/Kolkata).",
        "Open the inbox:\nhttps://verify.example.com/dashboard/inbox",
        "This counts unassigned leads and your own. You get at most one such mail an hour. Turn it off in the dashboard, under Profile and notifications."
      ].join("\n\n")
    })
    const one = digestMail({ ...mail, count: 1, minutes: 60, locale: "en" })
    assert.include(one.subject, "1 customer is waiting")
    assert.include(one.text, "1 customer of Acme has waited longer than an hour.")
    assert.include(digestMail({ ...mail, count: 100, more: true, locale: "en" }).subject, "More than 100 customers are")
  })

  it("says the same in Hindi for a merchant whose language is Hindi", () => {
    for (const locale of ["hi", "hi-IN", "hi_IN"]) {
      const { subject, text } = digestMail({ ...mail, locale })
      assert.strictEqual(subject, "3 ग्राहक जवाब की प्रतीक्षा में हैं – Acme")
      assert.include(text, "7 जनवरी 2030 को 15:30 बजे (Asia/Kolkata)")
      assert.include(text, mail.inbox)
    }
    assert.include(digestMail({ ...mail, locale: "hil" }).subject, "customers")
  })
})
