import { Child } from "./Child.ts"

/** A receiver of webhooks in a process of its own. */
export class Receiver {
  readonly child: Child
  readonly base: string
  private constructor(base: string, child: Child) {
    this.base = base
    this.child = child
  }

  static async start(): Promise<Receiver> {
    const child = new Child("./receiverProcess.ts")
    return new Receiver(await child.ask<string>("start"), child)
  }

  /** URLs of that many endpoints. */
  urls(count: number): ReadonlyArray<string> {
    return Array.from({ length: count }, (_, n) => `${this.base}/${n}`)
  }

  /** How many webhooks came since the delays were taken. */
  received(): Promise<number> {
    return this.child.ask("received")
  }

  /** Milliseconds from the event to its arrival, of every webhook since the last time. */
  delays(): Promise<ReadonlyArray<number>> {
    return this.child.ask("delays")
  }
}
