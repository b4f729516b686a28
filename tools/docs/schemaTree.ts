/** A schema as the pages and the SDK's copies are made from it: as much of its tree as events need. */
export interface Ast {
  readonly _tag: string
  readonly annotations?: Readonly<Record<string, unknown>> | undefined
  readonly checks?: ReadonlyArray<{ readonly annotations?: Readonly<Record<string, unknown>> | undefined }> | undefined
  readonly literal?: unknown
  readonly types?: ReadonlyArray<Ast>
  readonly rest?: ReadonlyArray<Ast>
  readonly propertySignatures?: ReadonlyArray<{ readonly name: PropertyKey; readonly type: Ast }>
}

/** An annotation of the schema's last check that has it, or of the schema itself. */
export const annotation = ({ annotations, checks }: Ast, name: string): unknown =>
  [...(checks ?? []).map((check) => check.annotations), annotations].find((each) => each?.[name] !== undefined)?.[name]

/** What a schema takes besides null; null when it does not take null, or takes several other things. */
export const notNull = (ast: Ast): Ast | null => {
  const others = ast._tag === "Union" ? (ast.types ?? []).filter(({ _tag }) => _tag !== "Null") : []
  return others.length === 1 && others.length < (ast.types ?? []).length ? (others[0] ?? null) : null
}

/** Its own description, or that of what it takes besides null; empty when there is none. */
export const descriptionOf = (ast: Ast): string => {
  const own = annotation(ast, "description")
  const inner = notNull(ast)
  return typeof own === "string" ? own : inner === null ? "" : descriptionOf(inner)
}

export const unreadable = (ast: Ast): Error => new Error(`Nothing can be written of a schema of kind ${ast._tag}`)
