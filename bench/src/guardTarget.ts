import { adversaryRows } from "./guard/adversary.ts"
import { attacks, dayWith, ordinary, type Day } from "./guard/days.ts"
import { fixedLimits, guardFrom, type Judge } from "./guard/judges.ts"
import { type Played, play } from "./guard/play.ts"
import type { Target } from "./Target.ts"

const percent = (part: number, whole: number, digits = 3) => (whole === 0 ? 0 : (100 * part) / whole).toFixed(digits)

const sum = (played: ReadonlyArray<Played>, of: (day: Played) => number) =>
  played.reduce((total, day) => total + of(day), 0)

/** The share of the attacks' cost that was not paid. */
const savedOf = (played: ReadonlyArray<Played>) =>
  1 - sum(played, (day) => day.attackPaid) / sum(played, (day) => day.attackCost)

/** The same, with the day as the unit: a small attack counts as much as a large one. */
const savedADay = (played: ReadonlyArray<Played>) => {
  const withAttack = played.filter(({ attackCost }) => attackCost > 0)
  return sum(withAttack, (day) => savedOf([day])) / withAttack.length
}

/** The curve plays some of the days only. */
const some = (days: ReadonlyArray<Day>) => days.filter((_, n) => n % 4 === 0)

const playAll = (days: ReadonlyArray<Day>, judge: () => Judge) => days.map((day) => play(dayWith(day, 1), judge()))

const rowOf = (name: string, day: Played) =>
  `${name.padEnd(58)} ${
    day.attackCost === 0
      ? "".padEnd(28)
      : `saved ${percent(day.attackCost - day.attackPaid, day.attackCost, 1)} %, sent ${day.attackSent} of ${day.attackMessages}`.padEnd(
          28
        )
  } delayed ${percent(day.delayed, day.people)} %, refused ${percent(day.refused, day.people)} %`

/** How much of attacks the guard stops, and how many people it hurts. Needs no database. */
export const guardTarget: Target = {
  name: "guard",
  what: "made-up days with every reason enforced: share of an attack's cost saved, share of people delayed and refused",
  onlyByName: true,
  measure: async () => {
    const unseen = await import("./guard/unseen/days.ts")
    const details: Array<string> = []
    const figures = []
    for (const [set, days] of [
      ["tuned on", [...attacks, ...ordinary]],
      ["unseen", [...unseen.attacks, ...unseen.ordinary]]
    ] as const) {
      const played = playAll(days, () => guardFrom())
      details.push(`${set}:`, ...days.map(({ name }, n) => `  ${rowOf(name, played[n]!)}`))
      details.push(`  mean of the days: saved ${(100 * savedADay(played)).toFixed(1)} %`)
      const people = sum(played, (day) => day.people)
      figures.push(
        { target: `guard ${set} saved`, value: 100 * savedOf(played), relation: ">=" as const, bound: 95, unit: " %" },
        {
          target: `guard ${set} delayed`,
          value: (100 * sum(played, (day) => day.delayed)) / people,
          relation: "<=" as const,
          bound: 0.1,
          unit: " %"
        },
        {
          target: `guard ${set} refused`,
          value: (100 * sum(played, (day) => day.refused)) / people,
          relation: "<=" as const,
          bound: 0.01,
          unit: " %"
        }
      )
      if (set === "unseen") {
        figures.push({
          target: "guard judgement",
          value: sum(played, (day) => day.microseconds) / played.length,
          relation: "<=" as const,
          bound: 10,
          unit: " µs"
        })
        details.push("the curve, over every fourth of the unseen days: saved, delayed or refused")
        const curve: ReadonlyArray<readonly [string, () => Judge]> = [
          ...[4, 5.3, 6.9, 9.2, 13].map((score) => [`the guard from score ${score}`, () => guardFrom(score)] as const),
          ["10 an hour for each address, 50 for each block", () => fixedLimits(10, 50)],
          ["5 an hour for each address, 10 for each block", () => fixedLimits(5, 10)]
        ]
        for (const [name, judge] of curve) {
          const points = playAll(some(days), judge)
          const hurt = sum(points, (day) => day.delayed + day.refused)
          details.push(
            `  ${name.padEnd(50)} ${(100 * savedOf(points)).toFixed(1)} %, ${percent(
              hurt,
              sum(points, (day) => day.people)
            )} %`
          )
        }
      }
    }
    details.push("attacked with the source at hand:", ...adversaryRows(() => guardFrom()).map((row) => `  ${row}`))
    return { figures, details }
  }
}
