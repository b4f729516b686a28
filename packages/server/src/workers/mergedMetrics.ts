/** A family: its lines of explanation, and the samples of all processes below them. */
interface Family {
  readonly head: Array<string>
  readonly samples: Array<string>
}

const explanation = /^# (?:HELP|TYPE) (\S+)/
const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (.+)$/

const labelled = (line: string, worker: number): string =>
  line.replace(sample, (_, name: string, labels: string | undefined, value: string) => {
    const all = labels === undefined || labels === "" ? `worker="${worker}"` : `worker="${worker}",${labels}`
    return `${name}{${all}} ${value}`
  })

/**
 * The metrics of several processes as one text of Prometheus: each sample says by `worker` whose it is, so that counters
 * of two processes are two series, and each family is explained once, as the format wants.
 */
export const mergedMetrics = (parts: ReadonlyArray<readonly [worker: number, text: string]>): string => {
  const families = new Map<string, Family>()
  for (const [worker, text] of parts) {
    let family: Family = { head: [], samples: [] }
    for (const line of text.split("\n")) {
      const [, name] = explanation.exec(line) ?? []
      if (name !== undefined) {
        const found = families.get(name)
        family = found ?? { head: [], samples: [] }
        families.set(name, family)
        if (!family.head.includes(line)) family.head.push(line)
      } else if (line !== "") family.samples.push(labelled(line, worker))
    }
  }
  return [...families.values()].flatMap(({ head, samples }) => [...head, ...samples, ""]).join("\n")
}
