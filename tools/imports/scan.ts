export interface Import {
  readonly specifier: string
  readonly line: number
  /** The whole of it is erased: `import type`, `export type`. A `type` inside braces leaves an import behind. */
  readonly isType: boolean
}

type Token =
  | { readonly kind: "word" | "punctuation"; readonly text: string; readonly line: number }
  | { readonly kind: "string"; readonly text: string; readonly line: number; readonly constant: boolean }

const wordStart = /[\p{ID_Start}$_#@]/u
const wordPart = /[\p{ID_Continue}$\u200c\u200d]/u
/** After these a `/` begins a regular expression; after any other word it divides. */
const beforeRegExp = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await default extends".split(" ")
)

/** Splits TypeScript into words, strings and punctuation; comments and regular expressions are left out. */
const tokenize = (source: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  let at = 0
  let line = 1

  const skipTo = (end: number) => {
    for (; at < end && at < source.length; at++) if (source[at] === "\n") line++
  }
  const quoted = (quote: string) => {
    const start = line
    let text = ""
    for (at++; at < source.length && source[at] !== quote && source[at] !== "\n"; at++) {
      if (source[at] === "\\") at++
      text += source[at] ?? ""
      if (source[at] === "\n") line++
    }
    if (source[at] === quote) at++
    tokens.push({ kind: "string", text, line: start, constant: true })
  }
  const template = () => {
    const start = line
    let text = ""
    let constant = true
    at++
    while (at < source.length && source[at] !== "`") {
      if (source.startsWith("${", at)) {
        constant = false
        at += 2
        code("}")
        continue
      }
      if (source[at] === "\\") at++
      if (source[at] === "\n") line++
      text += source[at] ?? ""
      at++
    }
    at++
    tokens.push({ kind: "string", text, line: start, constant })
  }
  const regExp = () => {
    let inClass = false
    for (at++; at < source.length && source[at] !== "\n"; at++) {
      const c = source[at]
      if (c === "\\") at++
      else if (c === "[") inClass = true
      else if (c === "]") inClass = false
      else if (c === "/" && !inClass) break
    }
    if (source[at] === "/") at++
  }
  const regExpMayStart = () => {
    const last = tokens.at(-1)
    if (last === undefined) return true
    if (last.kind === "string") return false
    if (last.kind === "word") return beforeRegExp.has(last.text)
    return ![")", "]", "}"].includes(last.text)
  }
  /** Reads code up to the brace that closes it, or to the end of the file. */
  const code = (closing: "}" | undefined) => {
    let depth = 0
    while (at < source.length) {
      const c = source[at] as string
      if (source.startsWith("//", at) || (at === 0 && source.startsWith("#!"))) {
        const end = source.indexOf("\n", at)
        skipTo(end === -1 ? source.length : end)
      } else if (source.startsWith("/*", at)) {
        const end = source.indexOf("*/", at + 2)
        skipTo(end === -1 ? source.length : end + 2)
      } else if (c === "\n" || c.trim() === "") skipTo(at + 1)
      else if (c === '"' || c === "'") quoted(c)
      else if (c === "`") template()
      else if (c === "/" && regExpMayStart()) regExp()
      else if (wordStart.test(c)) {
        const start = at
        for (at++; at < source.length && wordPart.test(source[at] as string); at++);
        tokens.push({ kind: "word", text: source.slice(start, at), line })
      } else {
        at++
        if (closing !== undefined && c === "}" && depth-- === 0) return
        if (c === "{") depth++
        tokens.push({ kind: "punctuation", text: c, line })
      }
    }
  }

  code(undefined)
  return tokens
}

/**
 * Every module a TypeScript file names: `import`, `import type`, `export … from`, `import("…")` as value or as type,
 * and `require("…")`. What stands in comments, strings and templates is not taken for an import.
 */
export const scanImports = (source: string): ReadonlyArray<Import> => {
  const tokens = tokenize(source)
  const found: Array<Import> = []
  const is = (index: number, text: string) => tokens[index]?.kind !== "string" && tokens[index]?.text === text
  const take = (index: number, isType = false) => {
    const token = tokens[index]
    if (token?.kind === "string" && token.constant) found.push({ specifier: token.text, line: token.line, isType })
  }
  /** Whether `type` at this index says what the clause is, and is not the name of a default import. */
  const saysType = (index: number) => is(index, "type") && !is(index + 1, "from") && !is(index + 1, ",")
  /** The index after a clause such as `a, { b as c }`, `* as d` or `type { e }`, where `from` should stand. */
  const afterClause = (index: number): number => {
    let depth = 0
    for (let i = index; i < tokens.length; i++) {
      if (is(i, "{")) depth++
      else if (is(i, "}")) depth--
      else if (depth > 0) continue
      else if (is(i, "from") && tokens[i + 1]?.kind === "string") return i
      else if (tokens[i]?.kind !== "word" && !is(i, ",") && !is(i, "*")) return i
      if (depth === 0 && is(i, "}")) return i + 1
    }
    return tokens.length
  }
  const takeFrom = (index: number, isType: boolean) => {
    const end = afterClause(index)
    if (is(end, "from")) take(end + 1, isType)
  }
  tokens.forEach((token, index) => {
    if (token.kind !== "word" || is(index - 1, ".")) return
    if (token.text === "import") {
      if (is(index + 1, "(")) return take(index + 2)
      if (tokens[index + 1]?.kind === "string") return take(index + 1)
      takeFrom(index + 1, saysType(index + 1))
    } else if (token.text === "export") {
      const start = is(index + 1, "type") ? index + 2 : index + 1
      if (is(start, "{") || is(start, "*")) takeFrom(start, start === index + 2)
    } else if (token.text === "require" && is(index + 1, "(")) take(index + 2)
  })
  return found
}
