import { country } from "./format.ts"

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("")
/** Of two letters, and no country that anybody has a number of. */
const others = new Set(["EU", "EZ", "UN", "QO", "ZZ", "XA", "XB", "AQ", "CQ", "CP", "DG"])

/** Every country by its name, in the order of this language: what the browser knows. */
export const countries = (): ReadonlyArray<readonly [code: string, name: string]> =>
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !others.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .map((code) => [code, country(code)] as const)
    .filter(([code, name]) => name !== code)
    .sort(([, a], [, b]) => a.localeCompare(b))
