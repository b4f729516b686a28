/** A short browser name, such as "Chrome, Linux". The tooltip has the full user agent. */
export const browserOf = (userAgent: string | null): string => {
  if (userAgent === null) return "–"
  const browsers = [
    [/Edg\//, "Edge"],
    [/OPR\//, "Opera"],
    [/Firefox\//, "Firefox"],
    [/Chrome\//, "Chrome"],
    [/Safari\//, "Safari"]
  ] as const
  const systems = [
    [/iPhone|iPad/, "iOS"],
    [/Android/, "Android"],
    [/Mac OS X/, "macOS"],
    [/Windows/, "Windows"],
    [/Linux/, "Linux"]
  ] as const
  const name = (table: ReadonlyArray<readonly [RegExp, string]>) => table.find(([test]) => test.test(userAgent))?.[1]
  const words = [name(browsers), name(systems)].filter((word) => word !== undefined)
  return words.length === 0 ? userAgent.slice(0, 40) : words.join(", ")
}
