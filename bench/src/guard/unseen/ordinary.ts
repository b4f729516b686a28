import { addressOf, byTime, type Country, countries, dayCurve, numberIn } from "../traffic.ts"
import type { Random } from "../random.ts"
import { burst, type Day, deviceOf, hours, inNetwork, ipv6, minutes, seconds, steady } from "./day.ts"
import { appUsers, behind, gather, mixed, type Person, residents } from "./people.ts"

const { AE, AZ, BR, EE, EG, GB, ID, IN, KZ, LK, NG, PH, SG, TJ, US, UZ } = countries as Required<typeof countries>

/** The share of each country among the merchant's customers. */
const customers = (random: Random) =>
  mixed([
    [60, residents(IN!, random)],
    [13, residents(GB!, random)],
    [10, residents(US!, random)],
    [7, residents(AE!, random)],
    [5, residents(SG!, random)],
    [2, residents(EE!, random)],
    [3, residents(EG!, random)]
  ])

/** Travellers from all countries. */
const travellers = (random: Random) =>
  mixed(
    [AE, AZ, BR, EE, EG, GB, ID, IN, KZ, LK, NG, PH, SG, TJ, US, UZ].map((country) => [1, residents(country!, random)])
  )

/** Numbers of one carrier: these ranges of a country. */
const carrier = (country: Country, ranges: number): Country => ({
  ...country,
  ranges: country.ranges.slice(2, 2 + ranges)
})

const consecutive = (country: Country, random: Random) => {
  const first = numberIn(country, random).slice(0, -4)
  return (n: number) => `${first}${String(1000 + n).padStart(4, "0")}`
}

const slow = (delay: number, typed = 0.85, delivered = 0.97) => ({ delay, typed, delivered })

export const ordinary: ReadonlyArray<Day> = [
  {
    name: "a festival in India, four times the usual evening",
    visits: (random) =>
      gather(
        {
          from: hours(32),
          to: hours(48),
          rate: (at) => 110 * Math.exp(-(((at - hours(41)) / hours(3.5)) ** 2)),
          person: residents(IN!, random)
        },
        random
      )
  },
  {
    name: "a flash sale at noon",
    visits: (random) =>
      gather(
        {
          from: hours(36),
          to: hours(40),
          rate: burst(900, hours(36), minutes(1), minutes(14)),
          person: customers(random)
        },
        random
      )
  },
  {
    name: "an airport's WiFi, travellers of sixteen countries",
    visits: (random) => {
      const addresses = Array.from({ length: 3 }, () => addressOf(random))
      return gather(
        {
          from: hours(30),
          to: hours(48),
          rate: dayCurve(5),
          person: behind(travellers(random), (random) => random.pick(addresses)),
          reception: (_, { country }) => ({ delivered: 0.9, typed: country.typed * 0.88, delay: seconds(14) }),
          wait: seconds(60)
        },
        random
      )
    }
  },
  {
    name: "a university's WiFi on enrolment day in Sri Lanka",
    visits: (random) => {
      const address = addressOf(random)
      const atHome = appUsers(LK!, random)
      return gather(
        {
          from: hours(32),
          to: hours(39),
          rate: burst(45, hours(32), minutes(30), hours(1.5)),
          person: (n, random) => ({ ...atHome(n, random), address })
        },
        random
      )
    }
  },
  {
    name: "a British carrier delivers nothing for two hours",
    visits: (random) =>
      gather(
        {
          from: hours(30),
          to: hours(48),
          rate: steady(9),
          person: residents(carrier(GB!, 12), random),
          reception: (at) => ({ delivered: at > hours(35) && at < hours(37) ? 0.02 : 0.98, typed: 0.88 })
        },
        random
      )
  },
  {
    name: "a carrier in Singapore delivers six minutes late",
    visits: (random) =>
      gather(
        {
          from: hours(30),
          to: hours(48),
          rate: steady(8),
          person: residents(carrier(SG!, 2), random),
          patience: 5,
          reception: (at) => slow(at > hours(36) && at < hours(39) ? minutes(6) : seconds(4), 0.9)
        },
        random
      )
  },
  {
    name: "a carrier in the Emirates reports messages as delivered that do not arrive",
    visits: (random) =>
      gather(
        {
          from: hours(30),
          to: hours(48),
          rate: steady(8),
          person: residents(carrier(AE!, 5), random),
          patience: 4,
          reception: (at) => ({ delivered: 0.98, typed: at > hours(38) && at < hours(39.5) ? 0.01 : 0.8 })
        },
        random
      )
  },
  {
    name: "a launch in Brazil, good conversion",
    visits: (random) =>
      gather({ from: hours(32), to: hours(48), rate: dayCurve(30), person: appUsers(BR!, random) }, random)
  },
  {
    name: "a launch in Indonesia, a third of the codes typed",
    visits: (random) =>
      gather(
        {
          from: hours(32),
          to: hours(48),
          rate: dayCurve(14),
          person: residents(ID!, random),
          reception: () => ({ delivered: 0.88, typed: 0.36, delay: seconds(20) })
        },
        random
      )
  },
  {
    name: "a television advertisement in Britain, three spots",
    visits: (random) =>
      gather(
        {
          from: hours(43),
          to: hours(47),
          rate: (at) =>
            [43.2, 44.1, 45.3].reduce((sum, spot) => sum + burst(420, hours(spot), seconds(70), minutes(4))(at), 0),
          person: residents(GB!, random),
          reception: () => ({ delivered: 0.97, typed: 0.72 })
        },
        random
      )
  },
  {
    name: "a concert's ticket sale: 10,000 people in five minutes",
    visits: (random) =>
      gather(
        {
          from: hours(34),
          to: hours(34) + minutes(5),
          rate: (at) => (at < hours(34) + minutes(1) ? 4000 : 1500),
          person: residents(SG!, random),
          reception: () => slow(seconds(25), 0.82, 0.95),
          wait: seconds(35)
        },
        random
      )
  },
  {
    name: "a bank's migration in the Emirates: all clients must verify this morning",
    visits: (random) => {
      return gather(
        {
          from: hours(31),
          to: hours(37),
          rate: burst(140, hours(31), minutes(40), hours(2.5)),
          person: residents(AE!, random),
          reception: () => ({ delivered: 0.96, typed: 0.66, delay: seconds(6) }),
          typing: seconds(40)
        },
        random
      )
    }
  },
  {
    name: "a company's staff with consecutive numbers behind one address, Estonia",
    visits: (random) => {
      const address = addressOf(random)
      const number = consecutive(EE!, random)
      return gather(
        {
          from: hours(32),
          to: hours(36),
          rate: burst(14, hours(32), minutes(10), hours(1)),
          person: (n) => ({ number: number(n), country: EE!, address, device: null }),
          reception: () => ({ delivered: 0.99, typed: 0.9 })
        },
        random
      )
    }
  },
  {
    name: "a company's staff in Kazakhstan, half of them never finish",
    visits: (random) => {
      const address = addressOf(random)
      const number = consecutive(KZ!, random)
      return gather(
        {
          from: hours(32),
          to: hours(38),
          rate: burst(9, hours(32), minutes(20), hours(1.5)),
          person: (n) => ({ number: number(n), country: KZ!, address, device: null }),
          patience: 2,
          reception: () => ({ delivered: 0.97, typed: 0.45 })
        },
        random
      )
    }
  },
  {
    name: "a country with a habit of not finishing: Nigeria, 28 % typed",
    visits: (random) => {
      const regulars = Array.from({ length: 4000 }, () => numberIn(NG!, random))
      return gather(
        {
          from: hours(30),
          to: hours(48),
          rate: dayCurve(5),
          person: residents(NG!, random, (_, random) => random.pick(regulars)),
          reception: () => ({ delivered: 0.93, typed: 0.28 })
        },
        random
      )
    }
  },
  {
    name: "a call centre that types for its customers",
    visits: (random) => {
      const address = addressOf(random)
      const desks = Array.from({ length: 80 }, () => deviceOf(random))
      const callers = customers(random)
      return gather(
        {
          from: hours(32),
          to: hours(42),
          rate: steady(14),
          person: (n, random) => ({ ...callers(n, random), address, device: random.pick(desks) }),
          reception: () => ({ delivered: 0.97, typed: 0.74 }),
          typing: seconds(55),
          wait: seconds(100)
        },
        random
      )
    }
  },
  {
    name: "a newsletter at 3 a.m. in New York",
    visits: (random) =>
      gather(
        {
          from: hours(32),
          to: hours(40),
          rate: burst(110, hours(32), minutes(3), minutes(50)),
          person: residents(US!, random),
          reception: () => ({ delivered: 0.97, typed: 0.68 })
        },
        random
      )
  },
  {
    name: "codes arrive late in Egypt, people request again and again",
    visits: (random) =>
      gather(
        {
          from: hours(34),
          to: hours(44),
          rate: steady(5),
          person: residents(EG!, random),
          patience: 7,
          reception: () => slow(seconds(150), 0.8, 0.95),
          wait: seconds(50)
        },
        random
      )
  },
  {
    name: "a conference hotel in Singapore, guests of sixteen countries, one address",
    visits: (random) => {
      const address = addressOf(random)
      return gather(
        {
          from: hours(31),
          to: hours(35),
          rate: burst(20, hours(31), minutes(30), hours(1)),
          person: behind(travellers(random), () => address),
          reception: (_, { country }) => ({ delivered: 0.88, typed: country.typed, delay: seconds(12) })
        },
        random
      )
    }
  },
  {
    name: "a privacy browser: customers behind one data centre's /24",
    visits: (random) =>
      gather(
        {
          from: hours(31),
          to: hours(47),
          rate: dayCurve(12),
          person: behind(customers(random), inNetwork("172.225.46"))
        },
        random
      )
  },
  {
    name: "a partner's kiosks send no address",
    visits: (random) =>
      gather(
        {
          from: hours(32),
          to: hours(45),
          rate: steady(10),
          person: behind(
            mixed([
              [3, residents(PH!, random)],
              [1, residents(AE!, random)]
            ]),
            () => null
          ),
          reception: () => ({ delivered: 0.96, typed: 0.7 })
        },
        random
      )
  },
  {
    name: "a carrier sells cards of a new range, Uzbekistan",
    visits: (random) => {
      const blocks = Array.from({ length: 6 }, (_, n) => `9${n < 3 ? "17" : "18"}${n}3`)
      const fresh: Country = { ...UZ!, ranges: blocks }
      return gather(
        {
          from: hours(31),
          to: hours(46),
          rate: dayCurve(5),
          person: residents(fresh, random),
          reception: () => ({ delivered: 0.94, typed: 0.62 })
        },
        random
      )
    }
  },
  {
    name: "an app requests each code twice by mistake, the Philippines",
    visits: (random) => {
      const visits = gather(
        { from: hours(32), to: hours(44), rate: dayCurve(8), person: appUsers(PH!, random) },
        random
      )
      return byTime(
        visits.flatMap((visit) => [
          { ...visit, typedAfter: null },
          { ...visit, at: visit.at + 300 + random.below(900) }
        ])
      )
    }
  },
  {
    name: "a broken release: app users in Britain cannot type for forty minutes",
    visits: (random) =>
      gather(
        {
          from: hours(30),
          to: hours(48),
          rate: dayCurve(14),
          person: appUsers(GB!, random),
          patience: 4,
          reception: (at) => ({ delivered: 0.98, typed: at > hours(37) && at < hours(37) + minutes(40) ? 0 : 0.88 })
        },
        random
      )
  },
  {
    name: "pilgrims land, one gateway, costly countries",
    visits: (random) => {
      const gateways = Array.from({ length: 2 }, () => addressOf(random))
      const pilgrims = [ID, NG, EG, UZ, TJ, AZ].map((country) => [1, residents(country!, random)] as const)
      return gather(
        {
          from: hours(33),
          to: hours(42),
          // An aeroplane every forty minutes.
          rate: (at) => burst(30, 0, minutes(3), minutes(6))(at % minutes(40)),
          person: behind(mixed(pilgrims), (random) => random.pick(gateways)),
          reception: () => slow(seconds(20), 0.6, 0.86)
        },
        random
      )
    }
  },
  {
    name: "a television vote in Kazakhstan: 2,500 people in ten minutes",
    visits: (random) =>
      gather(
        {
          from: hours(44),
          to: hours(45),
          rate: burst(800, hours(44), seconds(30), minutes(2)),
          person: residents(KZ!, random),
          patience: 2,
          reception: () => slow(seconds(15), 0.55, 0.9)
        },
        random
      )
  },
  {
    name: "IPv6 customers of one Indian carrier, a cashback from noon",
    visits: (random) => {
      const user: (n: number, random: Random) => Person = appUsers(carrier(IN!, 30), random)
      return gather(
        {
          from: hours(36),
          to: hours(46),
          rate: burst(120, hours(36), minutes(20), hours(3)),
          person: behind(user, (random) => ipv6("2409:4071", 2, random))
        },
        random
      )
    }
  },
  {
    name: "drivers sign up in a field office, Tajikistan, two tablets",
    visits: (random) => {
      const address = addressOf(random)
      const tablets = [deviceOf(random), deviceOf(random)]
      const drivers = residents(TJ!, random)
      return gather(
        {
          from: hours(33),
          to: hours(41),
          rate: steady(1.2),
          person: (n, random) => ({ ...drivers(n, random), address, device: random.pick(tablets) }),
          reception: () => ({ delivered: 0.93, typed: 0.78 }),
          typing: seconds(35)
        },
        random
      )
    }
  }
]
