type Parts = ReadonlyArray<readonly [slot: number, text: string]>

interface Question {
  readonly slots: ReadonlyMap<number, number>
  readonly texts: Map<number, string>
  readonly close: () => void
}

/** Leaves out workers that do not report their metrics within this time, in milliseconds. */
const within = 1_000

/** The open requests for the metrics of all workers. */
export class MetricsQuestions {
  readonly #open = new Map<string, Question>()
  #asked = 0

  ask({
    answer,
    of,
    tell
  }: {
    readonly of: ReadonlyArray<{ readonly id: number; readonly slot: number }>
    readonly tell: (id: number, question: string) => void
    readonly answer: (parts: Parts) => void
  }): void {
    const name = String(++this.#asked)
    const texts = new Map<number, string>()
    const slots = new Map(of.map(({ id, slot }) => [id, slot]))
    const close = () => {
      clearTimeout(late)
      if (this.#open.delete(name)) answer([...texts].map(([id, text]) => [slots.get(id) ?? 0, text]))
    }
    const late = setTimeout(close, within)
    this.#open.set(name, { slots, texts, close })
    for (const { id } of of) tell(id, name)
  }

  answered(name: string, id: number, text: string): void {
    const question = this.#open.get(name)
    if (question === undefined || !question.slots.has(id)) return
    question.texts.set(id, text)
    if (question.texts.size === question.slots.size) question.close()
  }
}
