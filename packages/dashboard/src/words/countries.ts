import { country } from "./format.ts"

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("")
/** Region codes of two letters that have no phone numbers. */
const others = new Set(["EU", "EZ", "UN", "QO", "ZZ", "XA", "XB", "AQ", "CQ", "CP", "DG"])

type Countries = ReadonlyArray<readonly [code: string, name: string]>

const known = (): Countries =>
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !others.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .map((code) => [code, country(code)] as const)
    .filter(([code, name]) => name !== code)
    .sort(([, a], [, b]) => a.localeCompare(b))

let all: Countries | undefined

/** All countries known to the browser, sorted by name in the current language. Found once, because it takes a while. */
export const countries = (): Countries => (all ??= known())
