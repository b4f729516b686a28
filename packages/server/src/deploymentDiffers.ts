import type { DeploymentDiffers } from "@countersign/core"

const variables = { billedBy: "COUNTERSIGN_BILLED_BY", currency: "COUNTERSIGN_CURRENCY" } as const
const flags = { billedBy: "--billed-by", currency: "--currency" } as const

/** The same error in the words of the environment. */
export const deploymentDiffers = ({ configured, fact, recorded }: DeploymentDiffers): string =>
  `${variables[fact]}: is ${configured}, and the database records ${recorded} for all processes. Set ${recorded} or remove the variable; to change it everywhere, run: countersign billing ${flags[fact]} ${configured}`
