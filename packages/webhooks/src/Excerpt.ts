const most = 1024

/** The start of a body, as text that is safe for logs and databases. The rest is only counted. */
export class Excerpt {
  // Three more bytes, because a byte order mark is dropped.
  readonly #kept = new Uint8Array(most + 3)
  #received = 0

  /** How many bytes have arrived. */
  get received(): number {
    return this.#received
  }

  add(chunk: Uint8Array): void {
    const room = this.#kept.length - this.#received
    if (room > 0) this.#kept.set(chunk.subarray(0, room), this.#received)
    this.#received += chunk.length
  }

  /** At most 1 KB of UTF-8, without a character that was cut in two. */
  get text(): string {
    const kept = this.#kept.subarray(0, this.#received)
    const decoded = new TextDecoder().decode(kept, { stream: true })
    const printable = decoded.replace(/[^\P{Cc}\t\n\r]/gu, "\uFFFD")
    return printable.slice(0, new TextEncoder().encodeInto(printable, new Uint8Array(most)).read)
  }
}
