/** A metric family: its HELP and TYPE lines, and the samples of all processes. */
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
 * Merges the metrics of several processes into one Prometheus text. The label `worker` keeps their series apart. HELP and
 * TYPE appear once per family, as the format requires.
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
