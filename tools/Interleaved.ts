import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that wait for time to pass, or for processes, for longer than they compute. The longest come first. */
const waiting = [
  "server/test/contract.cluster.integration",
  "server/test/contract.inTime.integration",
  "server/test/delivery.integration",
  "server/test/commands.integration",
  "testkit/test/ChannelTest.test",
  "server/test/connections",
  "postgres/test/plans.integration",
  "server/test/campaigns.test",
  "postgres/test/money.integration",
  "postgres/test/NodePool.integration",
  "smtp/test/Smtp.kit",
  "smtp/test/Smtp.failures"
]

/** Where files take seconds each: the others take tenths of one. */
const long = ["/packages/server/", "/packages/postgres/", "/examples/login/"]

/**
 * Spreads the files that mostly wait between the long ones that compute, so that processors have work while somebody
 * waits, and leaves the short ones for the end, where they fill what is left of each worker's time. Left alone, a run
 * without results of an earlier one begins with the largest files, and ends with a minute in which two files wait.
 */
export class Interleaved extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const rankOf = ({ moduleId }: TestSpecification) => waiting.findIndex((name) => moduleId.includes(name))
    const first = sorted.filter((file) => rankOf(file) >= 0).sort((a, b) => rankOf(a) - rankOf(b))
    const rest = sorted.filter((file) => rankOf(file) < 0)
    const isLong = ({ moduleId }: TestSpecification) => long.some((folder) => moduleId.includes(folder))
    const mixed = [...rest.filter(isLong), ...rest.filter((file) => !isLong(file))]
    // The last ones come when two thirds of the files have begun.
    const every = Math.max(1, Math.floor((mixed.length * 2) / 3 / Math.max(1, first.length)))
    for (const [i, file] of first.entries()) mixed.splice(i * (every + 1), 0, file)
    // A worker ends when the next file is of another project: each project's files stay together.
    const projects = new Set(mixed.map(({ project }) => project))
    return [...projects].flatMap((project) => mixed.filter((file) => file.project === project))
  }
}
