export type Fields = ReadonlyMap<string, unknown>

/** The page never makes such a request. */
export class InvalidFields extends Error {}

/** The fields of a JSON object. Forms of other sites cannot send this content type. */
export const readFields = async (request: Request): Promise<Fields> => {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) throw new InvalidFields("Send JSON.")
  const body: unknown = await request.json().catch(() => null)
  if (typeof body !== "object" || body === null) throw new InvalidFields("Send a JSON object.")
  return new Map(Object.entries(body))
}

export const textIn = (fields: Fields, name: string): string => {
  const value = fields.get(name)
  if (typeof value !== "string" || value === "" || value.length > 320) throw new InvalidFields(`${name} is missing.`)
  return value
}
