import type { InvalidOptions } from "@countersign/core/channel"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"

/** An adapter's problems with its options, as lines about the variables that set them. */
export const inVariables =
  (variables: { readonly [option: string]: string }) =>
  ({ problems }: InvalidOptions): InvalidConfiguration =>
    new InvalidConfiguration({
      problems: problems.map(({ option, problem }) => `${variables[option] ?? option}: ${problem}`)
    })
