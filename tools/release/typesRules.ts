/**
 * What `@arethetypeswrong/core` may say of a package of ours, as data. Everything that is not here is a fault. Our packages
 * are ES modules alone: a CommonJS program gets them by `require`, which Node does from 22.12 on, and we need 22.19.
 */
export const allowed: ReadonlyArray<{
  readonly kind: string
  /** In one way to resolve modules, or in all. */
  readonly resolution?: string
  readonly why: string
}> = [
  {
    kind: "CJSResolvesToESM",
    resolution: "node16-cjs",
    why: "require of an ES module works in every Node that we support, and TypeScript knows it from module node20 on"
  },
  {
    kind: "NoResolution",
    resolution: "node10",
    why: "this way to resolve modules knows no `exports`; TypeScript 7 no longer has it, and nodenext and bundler do without"
  }
]
