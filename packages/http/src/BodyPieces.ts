const kilobyte = 1024
/** A piece below this size is copied into a block. One object costs some 200 bytes, which a larger piece outweighs. */
const smallPiece = kilobyte
const blockSize = 8 * kilobyte

/**
 * Collects the pieces of a body. A client chooses the size of its pieces, and a million pieces of one byte would take about
 * a hundred times their size in memory. So small pieces are packed into blocks.
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

  /** Moves the used part of the block to the pieces. */
  #seal(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.slice(0, this.#used))
    this.#block = new Uint8Array(0)
    this.#used = 0
  }

  /** The whole body. */
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
