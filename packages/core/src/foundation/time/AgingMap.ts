/** An entry, and its age among the others. */
export interface Aged<V> {
  readonly key: string
  readonly value: V
}

interface Node<V> extends Aged<V> {
  value: V
  older: Node<V> | null
  newer: Node<V> | null
}

/**
 * A map that knows its oldest entry. A `Map` has the same order, but it finds its first entry by passing all that were
 * deleted before it: up to 40 µs in a map of 50,000.
 */
export class AgingMap<V> {
  readonly #nodes = new Map<string, Node<V>>()
  #oldest: Node<V> | null = null
  #newest: Node<V> | null = null

  get size(): number {
    return this.#nodes.size
  }

  /** The entry that was set before all others. Null when there is none. */
  get oldest(): Aged<V> | null {
    return this.#oldest
  }

  has(key: string): boolean {
    return this.#nodes.has(key)
  }

  get(key: string): V | undefined {
    return this.#nodes.get(key)?.value
  }

  /** Sets the value of a key, which becomes the newest. */
  set(key: string, value: V): void {
    let node = this.#nodes.get(key)
    if (node === undefined) {
      node = { key, value, older: null, newer: null }
      this.#nodes.set(key, node)
    } else {
      node.value = value
      this.#unlink(node)
    }
    node.older = this.#newest
    if (this.#newest === null) this.#oldest = node
    else this.#newest.newer = node
    this.#newest = node
  }

  /** Replaces the value of a key that is present. Its age stays. */
  replace(key: string, value: V): void {
    const node = this.#nodes.get(key)
    if (node !== undefined) node.value = value
  }

  delete(key: string): boolean {
    const node = this.#nodes.get(key)
    if (node === undefined) return false
    this.#nodes.delete(key)
    this.#unlink(node)
    return true
  }

  #unlink(node: Node<V>): void {
    if (node.older === null) this.#oldest = node.newer
    else node.older.newer = node.newer
    if (node.newer === null) this.#newest = node.older
    else node.newer.older = node.older
    node.older = node.newer = null
  }
}
