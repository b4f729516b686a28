import type { MasterKey } from "./Keyring.ts"

const smallest = 10
const count = 90

/** The two digits that the side which waits for a link's approval shows. Derived, as the code is. */
export const derive = (key: MasterKey, verificationId: string): string => choices(key, verificationId).right

/**
 * The two digits, and the three numbers among which they are offered: always the same three in the same order, so that
 * opening the page again and again does not tell which of them stays.
 */
export const choices = (
  key: MasterKey,
  verificationId: string
): { readonly right: string; readonly offered: ReadonlyArray<string> } => {
  const mac = key.mac("match-number", verificationId)
  const view = new DataView(mac.buffer, mac.byteOffset)
  const right = view.getUint32(0) % count
  // Two others, by their distance from the right one: 1 to 89, and different from each other.
  const first = 1 + (view.getUint32(4) % (count - 1))
  const second = 1 + ((first + (view.getUint32(8) % (count - 2))) % (count - 1))
  const numbers = [right, (right + first) % count, (right + second) % count].map((n) => String(smallest + n))
  const turn = view.getUint32(12) % 6
  const order = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0]
  ][turn]!
  return { right: numbers[0]!, offered: order.map((i) => numbers[i]!) }
}
