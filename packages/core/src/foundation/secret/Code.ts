import type { MasterKey } from "./Keyring.ts"

/**
 * The code of a verification: derived from its id, never stored. Whoever has the key can make it again, so a resend, a
 * fallback or a crash repeats the same code, and a copy of the database holds none.
 *
 * 64 bits of the MAC are reduced to at most 8 digits: the bias is below 10^8 / 2^64, far under anything measurable.
 */
export const derive = (key: MasterKey, verificationId: string, length: number): string => {
  const mac = key.mac("code", verificationId)
  const number = new DataView(mac.buffer, mac.byteOffset).getBigUint64(0) % 10n ** BigInt(length)
  return number.toString().padStart(length, "0")
}

/** The code of every verification in a test environment, where nothing leaves the machine. */
export const inTest = (length: number): string => "12345678".slice(0, length)
