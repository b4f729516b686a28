import { Identifier } from "@countersign/core"
import type { First, Launch, Touch, Trail } from "@countersign/core/storage"
import { fresh, noon } from "./fixtures.ts"

export const launch = (environment: string, fields: Partial<Launch> = {}): Launch => ({
  environment,
  id: fresh("lch"),
  version: 0,
  at: noon,
  origin: { source: "google", medium: "cpc", campaign: "diwali" },
  visitor: null,
  click: null,
  details: { term: "shoes", content: null, installReferrer: null, platform: "web" },
  tokenHash: "ab".repeat(32),
  ...fields
})

export const touch = (environment: string, fields: Partial<Touch> = {}): Touch => ({
  environment,
  kind: "CONVERSION",
  id: fresh("cnv"),
  at: noon,
  launchId: null,
  visitor: null,
  click: null,
  origin: { source: "", medium: "", campaign: "" },
  money: null,
  details: null,
  ...fields
})

export const firstOf = ({ at, id, origin, visitor }: Launch): First => ({ id, at, origin, visitor })

/** A trail as it is stored after that many changes. */
export const trail = (environment: string, fields: Partial<Trail> = {}): Trail => ({
  environment,
  key: `v:${Identifier.randomText(26)}`,
  version: 0,
  first: null,
  ...fields
})
