import type { DeploymentDiffers } from "@countersign/core"

const variables = { billedBy: "COUNTERSIGN_BILLED_BY", currency: "COUNTERSIGN_CURRENCY" } as const
const flags = { billedBy: "--billed-by", currency: "--currency" } as const

/** The error with the names of environment variables. */
export const deploymentDiffers = ({ configured, fact, recorded }: DeploymentDiffers): string =>
  `${variables[fact]}: is ${configured}, but the database says ${recorded} for all processes. Set ${recorded}, or remove the variable. To change it for all processes, run: countersign billing ${flags[fact]} ${configured}`
