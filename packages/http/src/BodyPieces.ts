const kilobyte = 1024
/** A piece below this size is copied into a block. One object costs some 200 bytes, which a larger piece outweighs. */
const smallPiece = kilobyte
const blockSize = 8 * kilobyte

/**
 * The pieces of a body, as they arrive. A client decides how small its pieces are: a million pieces of one byte, kept as
 * they are, take some hundred times the memory of their bytes. So small pieces are packed into blocks.
 */
export class BodyPieces {
  readonly #pieces: Array<Uint8Array> = []
  #block = new Uint8Array(0)
  #used = 0
  #length = 0

  /** How many objects hold the body. */
  get count(): number {
    return this.#pieces.length + (this.#used > 0 ? 1 : 0)
  }

  readonly add = (piece: Uint8Array): void => {
    if (piece.length === 0) return
    this.#length += piece.length
    // Most bodies are one piece, which is never copied.
    if (this.#length === piece.length || piece.length >= smallPiece) {
      this.#seal()
      this.#pieces.push(piece)
      return
    }
    if (this.#used + piece.length > this.#block.length) {
      this.#seal()
      this.#block = new Uint8Array(blockSize)
    }
    this.#block.set(piece, this.#used)
    this.#used += piece.length
  }

  /** Keeps what the block holds, and no more than that, as one piece. */
  #seal(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.slice(0, this.#used))
    this.#block = new Uint8Array(0)
    this.#used = 0
  }

  /** The body as one. */
  joined(): Uint8Array {
    this.#seal()
    if (this.#pieces.length === 1) return this.#pieces[0]!
    const whole = new Uint8Array(this.#length)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    return whole
  }
}
