import type { MasterKey } from "./Keyring.ts"

const smallest = 10
const count = 90
const offeredCount = 5

/** The two digits that the waiting page shows during a link's approval. Derived, like the code. */
export const derive = (key: MasterKey, verificationId: string): string => choices(key, verificationId).right

/**
 * The correct two digits, and the five numbers to choose from. Always the same five in the same order: otherwise
 * reopening the page would reveal the correct number as the one that stays.
 */
export const choices = (
  key: MasterKey,
  verificationId: string
): { readonly right: string; readonly offered: ReadonlyArray<string> } => {
  const mac = key.mac("match-number", verificationId)
  const view = new DataView(mac.buffer, mac.byteOffset)
  const left = Array.from({ length: count }, (_, i) => String(smallest + i))
  // Drawn without replacement, the correct number first: four bytes of the MAC each.
  const drawn = Array.from({ length: offeredCount }, (_, i) => left.splice(view.getUint32(4 * i) % left.length, 1)[0]!)
  // Four more bytes decide the order: a number below 5! encodes one choice per place.
  let turn = view.getUint32(4 * offeredCount) % 120
  const unplaced = [...drawn]
  const offered = drawn.map(() => {
    const places = unplaced.length
    const [next] = unplaced.splice(turn % places, 1)
    turn = Math.floor(turn / places)
    return next!
  })
  return { right: drawn[0]!, offered }
}
