import type { Random } from "../random.ts"
import { addressOf, byTime, countries, dayCurve, numberIn, rented } from "../traffic.ts"
import { burst, type Day, deviceOf, hours, inNetwork, ipv6, minutes, seconds, steady } from "./day.ts"
import {
  among,
  anywhere,
  botnet,
  fixed,
  list,
  phoneFarm,
  proxies,
  proxyPool,
  pump,
  strided,
  type Target
} from "./fraud.ts"
import { appUsers, behind, gather, mixed, residents } from "./people.ts"

const { AE, AZ, EE, EG, GB, ID, IN, KZ, LK, NG, PH, SG, TJ, US, UZ } = countries as Required<typeof countries>

/** Numbers of some blocks of a thousand. After this many messages the attackers change to other blocks. */
const moving = (from: (random: Random) => string, country: Target["country"], blocks: number, messages: number) => {
  let prefixes: ReadonlyArray<string> = []
  return (n: number, random: Random): Target => {
    if (n % messages === 0) prefixes = Array.from({ length: blocks }, () => from(random).slice(0, -3))
    return { country, number: `${random.pick(prefixes)}${String(random.below(1000)).padStart(3, "0")}` }
  }
}

/** Sends this share of the messages to SIM cards of the attackers, who type those codes. */
const withOwnCards = (own: number, share: number, target: (n: number, random: Random) => Target, random: Random) => {
  const cards = Array.from({ length: own }, () => ({ ...target(0, random), isOwn: true }))
  return (n: number, random: Random): Target => (random.next() < share ? random.pick(cards) : target(n, random))
}

export const attacks: ReadonlyArray<Day> = [
  {
    name: "one rented block in Azerbaijan, sixty a minute",
    visits: (random) =>
      pump({ from: hours(33), to: hours(34), rate: steady(60), target: rented(AZ!, 1, random) }, random)
  },
  {
    name: "three rented blocks in Tajikistan, twenty a minute",
    visits: (random) =>
      pump({ from: hours(35), to: hours(38), rate: steady(20), target: rented(TJ!, 3, random) }, random)
  },
  {
    name: "forty rented blocks in Uzbekistan, six a minute",
    visits: (random) =>
      pump(
        {
          from: hours(31),
          to: hours(42),
          rate: steady(6),
          target: rented(UZ!, 40, random),
          source: proxyPool(900, random)
        },
        random
      )
  },
  {
    name: "four hundred rented blocks in Indonesia, fifteen a minute",
    visits: (random) =>
      pump({ from: hours(34), to: hours(40), rate: steady(15), target: rented(ID!, 400, random) }, random)
  },
  {
    name: "a ramp-up that imitates a business day in Sri Lanka",
    visits: (random) =>
      pump(
        {
          from: hours(30.5),
          to: hours(47.5),
          rate: (at) => dayCurve(4)(at) * Math.min(1, (at - hours(30.5)) / hours(4)),
          target: rented(LK!, 25, random),
          source: proxyPool(3000, random),
          typed: 0.03
        },
        random
      )
  },
  {
    name: "a slow drip to Nigeria from noon to midnight",
    visits: (random) =>
      pump(
        {
          from: hours(36),
          to: hours(48),
          rate: steady(3.5),
          target: rented(NG!, 60, random),
          source: proxyPool(1200, random)
        },
        random
      )
  },
  {
    name: "rotating residential proxies, eighty blocks in Britain",
    visits: (random) =>
      pump({ from: hours(32), to: hours(41), rate: steady(20), target: rented(GB!, 80, random) }, random)
  },
  {
    name: "a botnet of phones with device ids, the Philippines",
    visits: (random) =>
      pump(
        {
          from: hours(31),
          to: hours(45),
          rate: dayCurve(5),
          target: rented(PH!, 120, random),
          source: botnet(2500, random)
        },
        random
      )
  },
  {
    name: "a farm of 300 phones in Kazakhstan that types 8 %",
    visits: (random) =>
      pump(
        {
          from: hours(33),
          to: hours(39),
          rate: steady(9),
          target: withOwnCards(300, 0.08, rented(KZ!, 12, random), random),
          source: phoneFarm(300, 6, random)
        },
        random
      )
  },
  {
    name: "one mobile gateway in Nigeria, shared with real people",
    visits: (random) => {
      const gateway = addressOf(random)
      return byTime([
        ...pump(
          {
            from: hours(34),
            to: hours(39),
            rate: steady(12),
            target: rented(NG!, 30, random),
            source: fixed(() => gateway)
          },
          random
        ),
        ...gather(
          {
            from: hours(30),
            to: hours(48),
            rate: steady(0.8),
            person: behind(residents(NG!, random), () => gateway)
          },
          random
        )
      ])
    }
  },
  {
    name: "toll fraud: forty numbers in each of nine countries, again and again",
    visits: (random) =>
      pump(
        {
          from: hours(37),
          to: hours(43),
          rate: steady(11),
          target: among([KZ, UZ, TJ, AZ, LK, NG, ID, PH, EG].map((country) => list(country!, 40, random))),
          source: proxyPool(60, random)
        },
        random
      )
  },
  {
    name: "sequential numbers in Uzbekistan",
    visits: (random) =>
      pump(
        {
          from: hours(32),
          to: hours(36),
          rate: steady(14),
          target: strided(UZ!, 1, random),
          source: proxyPool(200, random)
        },
        random
      )
  },
  {
    name: "numbers in steps of 7,919 in Indonesia",
    visits: (random) =>
      pump({ from: hours(32), to: hours(37), rate: steady(13), target: strided(ID!, 7919, random) }, random)
  },
  {
    name: "random valid numbers in Sri Lanka, a third do not exist",
    visits: (random) =>
      pump({ from: hours(33), to: hours(41), rate: steady(8), target: anywhere(LK!), delivered: 0.66 }, random)
  },
  {
    name: "random valid numbers in Egypt, 15 % typed, all day",
    visits: (random) =>
      pump(
        {
          from: hours(30.5),
          to: hours(47.5),
          rate: dayCurve(3.5),
          target: anywhere(EG!),
          typed: 0.15,
          typing: seconds(20)
        },
        random
      )
  },
  {
    name: "attackers type 5 %, Azerbaijan",
    visits: (random) =>
      pump({ from: hours(34), to: hours(40), rate: steady(8), target: rented(AZ!, 20, random), typed: 0.05 }, random)
  },
  {
    name: "attackers type 10 %, Indonesia",
    visits: (random) =>
      pump(
        {
          from: hours(32),
          to: hours(44),
          rate: dayCurve(6),
          target: withOwnCards(80, 0.1, rented(ID!, 50, random), random),
          source: proxyPool(5000, random)
        },
        random
      )
  },
  {
    name: "attackers type 15 %, 200 blocks in Britain, all day",
    visits: (random) =>
      pump(
        {
          from: hours(30.5),
          to: hours(48),
          rate: dayCurve(9),
          target: rented(GB!, 200, random),
          typed: 0.15,
          typing: seconds(20)
        },
        random
      )
  },
  {
    name: "a flash sale in Britain hides 60 blocks in Britain",
    visits: (random) =>
      byTime([
        ...gather(
          {
            from: hours(36),
            to: hours(41),
            rate: burst(260, hours(36), minutes(2), minutes(35)),
            person: residents(GB!, random)
          },
          random
        ),
        ...pump(
          {
            from: hours(36.1),
            to: hours(41),
            rate: burst(130, hours(36.1), minutes(6), minutes(50)),
            target: rented(GB!, 60, random),
            typed: 0.05
          },
          random
        )
      ])
  },
  {
    name: "a launch in the Philippines hides an attack on the same country",
    visits: (random) =>
      byTime([
        ...gather({ from: hours(31), to: hours(48), rate: dayCurve(9), person: appUsers(PH!, random) }, random),
        ...pump(
          {
            from: hours(34),
            to: hours(46),
            rate: dayCurve(6),
            target: rented(PH!, 30, random),
            source: (_, random) => ({ address: addressOf(random), device: deviceOf(random) }),
            typed: 0.06
          },
          random
        )
      ])
  },
  {
    name: "one /24 of a data centre, Tajikistan and Azerbaijan",
    visits: (random) =>
      pump(
        {
          from: hours(35),
          to: hours(39),
          rate: steady(16),
          target: among([rented(TJ!, 15, random), rented(AZ!, 15, random)]),
          source: fixed(inNetwork("45.134.26"))
        },
        random
      )
  },
  {
    name: "one IPv6 /48 of a data centre, random numbers in Indonesia",
    visits: (random) =>
      pump(
        {
          from: hours(34),
          to: hours(40),
          rate: steady(11),
          target: anywhere(ID!),
          source: fixed((random) => ipv6("2a0e:97c0:3e2", 3, random))
        },
        random
      )
  },
  {
    name: "stops and comes back after three hours with other blocks",
    visits: (random) => [
      ...pump({ from: hours(33), to: hours(34.5), rate: steady(22), target: rented(KZ!, 8, random) }, random),
      ...pump({ from: hours(37.5), to: hours(39), rate: steady(22), target: rented(KZ!, 8, random) }, random)
    ]
  },
  {
    name: "the home country: 900 blocks in India, 200 a minute",
    visits: (random) =>
      pump(
        {
          from: hours(33),
          to: hours(44),
          rate: (at) => dayCurve(150)(at) * Math.min(1, (at - hours(33)) / hours(2)),
          target: rented(IN!, 900, random),
          source: proxyPool(40_000, random)
        },
        random
      )
  },
  {
    name: "five small countries at once, one a minute each",
    visits: (random) =>
      pump(
        {
          from: hours(30.5),
          to: hours(47.5),
          rate: steady(5),
          target: among([TJ, AZ, KZ, UZ, EE].map((country) => rented(country!, 10, random))),
          source: proxyPool(2000, random)
        },
        random
      )
  },
  {
    name: "without an address or a device, Egypt",
    visits: (random) =>
      pump(
        {
          from: hours(36),
          to: hours(41),
          rate: steady(16),
          target: rented(EG!, 20, random),
          source: () => ({ address: null, device: null })
        },
        random
      )
  },
  {
    name: "five minutes in every hour, Kazakhstan",
    visits: (random) =>
      pump(
        {
          from: hours(31),
          to: hours(46),
          rate: (at) => (at % hours(1) < minutes(5) ? 55 : 0),
          target: rented(KZ!, 18, random)
        },
        random
      )
  },
  {
    name: "types nearly all codes for three hours, then hardly any, Uzbekistan",
    visits: (random) => {
      const target = rented(UZ!, 15, random)
      return pump(
        {
          from: hours(30.5),
          to: hours(42),
          rate: (at) => (at < hours(33.5) ? 1.5 : 10),
          target,
          source: proxyPool(4000, random),
          typed: (at) => (at < hours(33.5) ? 0.8 : 0.02),
          typing: seconds(18)
        },
        random
      )
    }
  },
  {
    name: "six new blocks for every 30 messages, Azerbaijan",
    visits: (random) =>
      pump(
        {
          from: hours(32),
          to: hours(46),
          rate: steady(4),
          target: moving((random) => numberIn(AZ!, random), AZ!, 6, 30),
          typed: 0.07
        },
        random
      )
  },
  {
    name: "another country each hour, the dearest first",
    visits: (random) => {
      const targets = [AZ, TJ, UZ, ID, LK, KZ, NG, PH, EG, EE].map((country) => rented(country!, 5, random))
      return targets.flatMap((target, n) =>
        pump({ from: hours(32 + n), to: hours(33 + n), rate: steady(7), target, source: proxies }, random)
      )
    }
  },
  {
    name: "a country where messages cost little: the US, 70 a minute",
    visits: (random) =>
      pump(
        {
          from: hours(31),
          to: hours(46),
          rate: dayCurve(50),
          target: rented(US!, 300, random),
          source: proxyPool(20_000, random),
          typed: 0.05
        },
        random
      )
  },
  {
    name: "during a carrier's outage, both in the Emirates",
    visits: (random) =>
      byTime([
        ...gather(
          {
            from: hours(34),
            to: hours(40),
            rate: steady(8),
            person: mixed([
              [4, residents(AE!, random)],
              [1, residents(SG!, random)]
            ]),
            reception: (at, { country }) => ({
              delivered: country === AE && at > hours(35) && at < hours(37) ? 0.25 : 0.97,
              typed: country.typed
            })
          },
          random
        ),
        ...pump(
          {
            from: hours(35.3),
            to: hours(43),
            rate: steady(22),
            target: rented(AE!, 30, random),
            source: proxyPool(1500, random)
          },
          random
        )
      ])
  }
]
