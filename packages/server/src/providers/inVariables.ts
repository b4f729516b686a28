import type { InvalidOptions } from "@countersign/core/channel"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"

/** Translates an adapter's option problems into lines that name the variables. */
export const inVariables =
  (variables: { readonly [option: string]: string }) =>
  ({ problems }: InvalidOptions): InvalidConfiguration =>
    new InvalidConfiguration({
      problems: problems.map(({ option, problem }) => `${variables[option] ?? option}: ${problem}`)
    })
