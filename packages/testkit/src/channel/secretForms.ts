/** The base64 forms of a text at each offset in a longer text, without the characters that depend on its neighbours. */
const base64Of = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].map((offset) => {
    const bytes = Buffer.from(" ".repeat(offset) + text)
    const whole = bytes.toString("base64").replace(/=+$/, "")
    const start = offset === 0 ? 0 : offset + 1
    const end = bytes.length % 3 === 0 ? whole.length : whole.length - 1
    return whole.slice(start, end)
  })

/** The forms in which a secret may appear in output. */
export const formsOf = (secret: string): ReadonlyArray<string> => {
  const plain = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ _: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3)
  ]
  return [...new Set(secret.length < 8 ? plain : [...plain, ...base64Of(secret)])].filter((form) => form.length > 3)
}

/** A number counts as the same with and without its plus. */
export const formsOfRecipient = (to: string): ReadonlyArray<string> => formsOf(to.replace(/^\+/, ""))
