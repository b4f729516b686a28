const firstIn = (text: string, names: ReadonlyArray<readonly [mark: string, name: string]>) =>
  names.find(([mark]) => text.includes(mark))?.[1]

/** The device that the link's page shows: "Firefox, Windows". Your own application may know more, such as the city. */
export const deviceInfoOf = (request: Request): Readonly<Record<string, string>> => {
  const agent = request.headers.get("user-agent") ?? ""
  const model = firstIn(agent, [
    ["Edg/", "Edge"],
    ["Firefox/", "Firefox"],
    ["Chrome/", "Chrome"],
    ["Safari/", "Safari"]
  ])
  const platform = firstIn(agent, [
    ["Android", "Android"],
    ["iPhone", "iPhone"],
    ["iPad", "iPad"],
    ["Windows", "Windows"],
    ["Mac OS X", "macOS"],
    ["Linux", "Linux"]
  ])
  return { ...(model === undefined ? {} : { model }), ...(platform === undefined ? {} : { platform }) }
}
