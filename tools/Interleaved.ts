import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that wait for time to pass, or for processes, for longer than they compute. The longest come first. */
const waiting = [
  "server/test/contract.inTime.integration",
  "server/test/delivery.integration",
  "server/test/contract.cluster.integration",
  "server/test/commands.integration",
  "postgres/test/Processes.integration",
  "postgres/test/DirectoryLock",
  "server/test/webhooks.slow.integration",
  "server/test/rotation.integration",
  "server/test/takeover.processes.integration"
]

/**
 * Spreads the files that mostly wait over the first half of the run, between those that compute: so processors have
 * work while somebody waits, and none of the long ones is left for the end. Left alone, a run without results of an
 * earlier one begins with the largest files, and ends with a minute in which two files wait.
 */
export class Interleaved extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const rankOf = ({ moduleId }: TestSpecification) => waiting.findIndex((name) => moduleId.includes(name))
    const first = sorted.filter((file) => rankOf(file) >= 0).sort((a, b) => rankOf(a) - rankOf(b))
    const rest = sorted.filter((file) => rankOf(file) < 0)
    const every = Math.max(1, Math.floor(rest.length / 2 / Math.max(1, first.length)))
    const mixed = [...rest]
    for (const [i, file] of first.entries()) mixed.splice(i * (every + 1), 0, file)
    // A worker ends when the next file is of another project: each project's files stay together.
    const projects = new Set(mixed.map(({ project }) => project))
    return [...projects].flatMap((project) => mixed.filter((file) => file.project === project))
  }
}
