import { it, type TestAPI } from "vitest"

/**
 * Declares a test of what is decided before storage is asked, or after it has answered. It runs on memory alone: the
 * other ways to run the service differ in their storage and their processes, and in nothing else.
 */
export type Once = Pick<TestAPI, "each"> & ((title: string, test: () => Promise<void>) => void)

const nowhere: Once = Object.assign(() => {}, { each: () => () => {} })

export const onceIn = (mode: string): Once => (mode === "memory" ? it : nowhere)
