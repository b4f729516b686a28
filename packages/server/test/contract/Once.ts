import { it, type TestAPI } from "vitest"

/**
 * Declares a test that does not depend on storage or on the number of processes. It runs only on memory storage,
 * because the other modes differ in nothing else.
 */
export type Once = Pick<TestAPI, "each"> & ((title: string, test: () => Promise<void>) => void)

const nowhere: Once = Object.assign(() => {}, { each: () => () => {} })

export const onceIn = (mode: string): Once => (mode === "memory" ? it : nowhere)
