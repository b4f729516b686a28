/**
 * Finds an answer to a proof of work: 1 to 15 digits, so that the first 32 bits of the SHA-256 of token and answer are
 * below `limit`. Tries `count` numbers from `from` on. Null when none of them is an answer.
 *
 * WebCrypto takes 50 times as long for each hash. This function must not use anything outside itself, because its text
 * becomes a worker's program. Token and answer fit into one block of SHA-256.
 */
export const work = (token: string, limit: number, from: number, count: number): string | null => {
  const K: Array<number> = []
  const start: Array<number> = []
  // The constants of SHA-256: the first bits of the roots of primes.
  for (let n = 2; K.length < 64; n++) {
    let divisor = 2
    while (n % divisor) divisor++
    if (divisor < n) continue
    if (start.length < 8) start.push((n ** (1 / 2) * 2 ** 32) | 0)
    K.push((n ** (1 / 3) * 2 ** 32) | 0)
  }
  const zeros = "0".repeat(-token.length & 3)
  const head = token + zeros
  const at = head.length / 4
  if (at > 11) return null
  const W = new Int32Array(64)
  for (let i = 0; i < head.length; i++) W[i >> 2]! |= head.charCodeAt(i) << (24 - 8 * (i & 3))
  W[at + 2] = 2 ** 31
  W[15] = 8 * (head.length + 8)
  /** Four decimal digits as text in a word. */
  const digits = (n: number) =>
    0x30303030 + (((n / 1000) | 0) << 24) + ((((n / 100) | 0) % 10) << 16) + ((((n / 10) | 0) % 10) << 8) + (n % 10)
  for (let n = from; n < from + count; n++) {
    W[at] = digits((n / 10_000) | 0)
    W[at + 1] = digits(n % 10_000)
    let [a, b, c, d, e, f, g, h] = start as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      if (i > 15) {
        const x = W[i - 15]!
        const y = W[i - 2]!
        W[i] =
          W[i - 16]! +
          W[i - 7]! +
          (((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)) +
          (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10))
      }
      const t =
        (h +
          (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) +
          (g ^ (e & (f ^ g))) +
          K[i]! +
          W[i]!) |
        0
      const u =
        (t +
          (((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) +
          ((a & b) ^ (c & (a ^ b)))) |
        0
      h = g
      g = f
      f = e
      e = (d + t) | 0
      d = c
      c = b
      b = a
      a = u
    }
    if ((a + start[0]!) >>> 0 < limit) return zeros + String(n).padStart(8, "0")
  }
  return null
}
