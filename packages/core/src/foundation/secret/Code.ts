import type { MasterKey } from "./Keyring.ts"

/**
 * Derives a verification's code from its id; codes are never stored. The key holder can derive it again, so a resend, a
 * fallback or a crash repeats the same code. A copy of the database contains no codes.
 *
 * 64 bits of the MAC are reduced to at most 8 digits: the bias is below 10^8 / 2^64, far below anything measurable.
 */
export const derive = (key: MasterKey, verificationId: string, length: number): string => {
  const mac = key.mac("code", verificationId)
  const number = new DataView(mac.buffer, mac.byteOffset).getBigUint64(0) % 10n ** BigInt(length)
  return number.toString().padStart(length, "0")
}

/** The code of every verification in a test environment, which sends no messages. */
export const inTest = (length: number): string => "12345678".slice(0, length)
