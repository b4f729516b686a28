/** Every file with the files that it imports, as paths of one tree. */
export type Graph = ReadonlyMap<string, ReadonlyArray<string>>

/** The shortest way from a file back to itself, which begins and ends with it; undefined where there is none. */
const loopThrough = (start: string, graph: Graph): ReadonlyArray<string> | undefined => {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) {
        const loop = [start]
        for (let at = file; at !== start; at = cameFrom.get(at)!) loop.unshift(at)
        return [start, ...loop]
      }
      if (cameFrom.has(next)) continue
      cameFrom.set(next, file)
      queue.push(next)
    }
  }
  return undefined
}

/** Loops of files that import each other. Each file is in one loop at most: break it, and the next one shows. */
export const loopsOf = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const reported = new Set<string>()
  const loops: Array<ReadonlyArray<string>> = []
  for (const file of graph.keys()) {
    if (reported.has(file)) continue
    const loop = loopThrough(file, graph)
    if (loop === undefined || loop.some((each) => reported.has(each))) continue
    for (const each of loop) reported.add(each)
    loops.push(loop)
  }
  return loops
}
