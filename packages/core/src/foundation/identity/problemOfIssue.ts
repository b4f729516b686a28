import { type Schema, type SchemaAST, SchemaIssue } from "effect"
import * as Problem from "./Problem.ts"

/** The name under which a check of a schema keeps its problem. */
const key = "countersign/problem"

/** The annotation of a check whose values have one problem. */
export const refusing = (problem: Problem.Problem): Schema.Annotations.Filter => ({
  message: problem.problem,
  [key]: problem
})

/** The issue of a check that finds its problem itself. */
export const issueOf = (problem: Problem.Problem): SchemaIssue.Issue =>
  new SchemaIssue.InvalidValue({ message: problem.problem, [key]: problem })

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const kept = (annotations: { readonly [name: string]: unknown } | undefined) =>
  annotations?.[key] as Problem.Problem | undefined

/** The problem of a value with the wrong type. A union's null does not count: the value was not omitted. */
const ofType = (ast: SchemaAST.AST): Problem.Problem | undefined => {
  switch (ast._tag) {
    case "String":
      return Problem.of("TEXT")
    case "Number":
      return Problem.of("NUMBER")
    case "Boolean":
      return Problem.of("TRUE_OR_FALSE")
    case "Arrays":
      return Problem.of("LIST")
    case "Objects":
      return Problem.of("OBJECT")
    case "Union": {
      const types = ast.types.filter(({ _tag }) => _tag !== "Null")
      const literals = types.flatMap((type) => (type._tag === "Literal" ? [String(type.literal)] : []))
      return literals.length === types.length
        ? Problem.of("ONE_OF", { values: literals.join(", ") })
        : types.length === 1
          ? ofType(types[0]!)
          : undefined
    }
    default:
      return undefined
  }
}

interface Known {
  readonly id: string
  readonly payload: { readonly [name: string]: number } | null
}

const ofCheck = ({ filter, issue }: SchemaIssue.Filter, ast: SchemaAST.AST | null): Problem.Problem | undefined => {
  const own = kept(filter.annotations) ?? problemOf(issue, ast)
  if (own !== undefined) return own
  const { id, payload } = (filter.annotations?.representation ?? { id: "", payload: null }) as unknown as Known
  const { maxLength, maximum, minimum } = payload ?? {}
  switch (id.slice(id.lastIndexOf("/") + 1)) {
    case "isInt":
      return Problem.of("WHOLE_NUMBER")
    case "isBetween":
      return minimum === undefined || maximum === undefined
        ? undefined
        : Problem.of("BETWEEN", { min: minimum, max: maximum })
    case "isMaxLength":
      return maxLength === undefined
        ? undefined
        : Problem.of(ast?._tag === "Arrays" ? "TOO_MANY" : "TOO_LONG", { max: maxLength })
    default:
      return undefined
  }
}

const problemOf = (issue: SchemaIssue.Issue, ast: SchemaAST.AST | null): Problem.Problem | undefined => {
  switch (issue._tag) {
    case "Filter":
      return ofCheck(issue, ast)
    case "Pointer":
    case "Encoding":
      return problemOf(issue.issue, ast)
    case "Composite":
      return problemOf(issue.issues[0], issue.ast)
    case "AnyOf":
      return issue.issues.length === 0 ? ofType(issue.ast) : problemOf(issue.issues[0]!, issue.ast)
    case "InvalidType":
      return ofType(issue.ast)
    case "InvalidValue":
      return kept(issue.annotations)
    case "MissingKey":
      return Problem.of("REQUIRED")
    default:
      return undefined
  }
}

/** The first problem of a value that a schema refuses, with the path inside the value. */
export const problemOfIssue = (issue: SchemaIssue.Issue) => {
  const { message, path = [] } = format(issue).issues[0]!
  const problem: Pick<Problem.Problem, "problem"> & Partial<Problem.Problem> = problemOf(issue, null) ?? {
    problem: message
  }
  return {
    path: path.map((segment) => String(typeof segment === "object" ? segment.key : segment)),
    problem,
    /** Whether the value has a member that the schema does not know. */
    isStrange: message === "Expected no excess property"
  }
}
