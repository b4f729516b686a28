interface Versioned {
  readonly version: number
}

/** Rows by key, each at its version. Values go in and out as copies, as if over the network. */
export class MemoryRows<A extends Versioned> {
  readonly #rows = new Map<string, A>()
  readonly #keyOf: (row: A) => string
  /** The unique keys of a row. */
  readonly #uniquesOf: (row: A) => ReadonlyArray<string>
  readonly #uniques = new Map<string, string>()

  constructor(keyOf: (row: A) => string, uniquesOf: (row: A) => ReadonlyArray<string>) {
    this.#keyOf = keyOf
    this.#uniquesOf = uniquesOf
  }

  find(key: string): A | undefined {
    return this.#rows.get(key)
  }

  findBy(unique: string): A | undefined {
    const key = this.#uniques.get(unique)
    return key === undefined ? undefined : this.#rows.get(key)
  }

  where(holds: (row: A) => boolean): Array<A> {
    return [...this.#rows.values()].filter(holds)
  }

  /** Returns the key of the row that conflicts with these rows, or undefined. */
  conflict(next: ReadonlyArray<A>): string | undefined {
    const keys = new Set(next.map(this.#keyOf))
    const taken = new Map<string, string>()
    for (const row of next) {
      const key = this.#keyOf(row)
      if ((this.#rows.get(key)?.version ?? 0) !== row.version) return key
      for (const unique of this.#uniquesOf(row)) {
        // Another row of the same change may have released this unique key.
        const owner = this.#uniques.get(unique)
        if (owner !== undefined && !keys.has(owner)) return key
        if (taken.has(unique)) return key
        taken.set(unique, key)
      }
    }
    return undefined
  }

  remove(key: string): void {
    const row = this.#rows.get(key)
    if (row === undefined) return
    for (const unique of this.#uniquesOf(row)) this.#uniques.delete(unique)
    this.#rows.delete(key)
  }

  save(next: ReadonlyArray<A>): ReadonlyArray<A> {
    for (const row of next) {
      const before = this.#rows.get(this.#keyOf(row))
      if (before !== undefined) for (const unique of this.#uniquesOf(before)) this.#uniques.delete(unique)
    }
    return next.map((row) => {
      const key = this.#keyOf(row)
      const stored = structuredClone({ ...row, version: row.version + 1 })
      this.#rows.set(key, stored)
      for (const unique of this.#uniquesOf(row)) this.#uniques.set(unique, key)
      return structuredClone(stored)
    })
  }
}
