import { bare, call, isNode, member, type Node, nameOf, parse, properties, textOf, walk } from "./syntax.ts"

/** What became of a file: its new text, the same where nothing was to be done, and the lines that a person must look at. */
export interface Rewritten {
  readonly text: string
  readonly calls: number
  readonly left: ReadonlyArray<{ readonly line: number; readonly why: string }>
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const marker = "// countersign:"

/** Twilio's channels that have one of ours. `call` and `sna` have none. */
const channels: Readonly<Record<string, string>> = { sms: "SMS", whatsapp: "WHATSAPP", email: "EMAIL", rcs: "RCS" }

const client = (modules: boolean) => `${
  modules
    ? `import { createServer } from "@countersign/sdk/server"`
    : `const { createServer } = require("@countersign/sdk/server")`
}

const countersign = createServer({
  baseUrl: process.env.CS_URL ?? "",
  clientId: process.env.CS_CLIENT_ID ?? "",
  clientSecret: process.env.CS_CLIENT_SECRET ?? ""
})
`

/** `….verify.v2.services(sid)`, or `….verify.services(sid)`. */
const isService = (node: unknown): boolean => {
  const services = member(call(node)?.callee)
  if (services?.name !== "services") return false
  const before = member(services.object)
  return before?.name === "verify" || (before?.name === "v2" && member(before.object)?.name === "verify")
}

/** Rewrites calls of Twilio Verify's helper library to those of Countersign's SDK. Twice does no more than once. */
export const twilioVerify = (file: string, text: string): Rewritten | { readonly broken: string } => {
  if (!/\bverif(ications|icationChecks)\b/.test(text)) return { text, calls: 0, left: [] }
  const program = parse(file, text)
  if (typeof program === "string") return { broken: program }
  const edits: Array<Edit> = []
  const left: Array<{ line: number; why: string }> = []
  const of = (node: Node) => text.slice(node.start, node.end)
  let calls = 0

  const services = new Set<string>()
  walk(program, (node) => {
    const name = node.type === "VariableDeclarator" && isService(node["init"]) ? nameOf(node["id"]) : null
    if (name !== null) services.add(name)
  })

  /** Says above a statement why it was left, once. */
  const leave = (node: Node, why: string) => {
    const start = text.lastIndexOf("\n", node.start - 1) + 1
    const above = text.slice(text.lastIndexOf("\n", start - 2) + 1, start)
    left.push({ line: text.slice(0, node.start).split("\n").length, why })
    if (above.trim() === `${marker} ${why}` || edits.some((edit) => edit.start === start && edit.text.includes(why)))
      return
    const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? ""
    edits.push({ start, end: start, text: `${indent}${marker} ${why}\n` })
  }

  /** What the result is used for, wherever it has this name: its fields have others now. */
  const renamed = (name: string, scope: Node, made: Node, started: boolean) => {
    const declared: Array<Node> = []
    walk(scope, (node) => {
      const names = node.type === "VariableDeclarator" ? [nameOf(node["id"])] : []
      const params = Array.isArray(node["params"]) ? node["params"].map(nameOf) : []
      if ([...names, ...params].includes(name)) declared.push(node)
    })
    if (declared.length > 1) return leave(made, `another "${name}" is near: rename the fields of this one by hand`)
    walk(scope, (node, around) => {
      if (node.type !== "Identifier" || node["name"] !== name || node.end <= made.start) return
      const parent = around.at(-1)
      if (parent === undefined || parent.type === "VariableDeclarator" || parent["params"] !== undefined) return
      if (parent.type === "MemberExpression" && parent["property"] === node && parent["computed"] !== true) return
      if (parent.type === "Property" && parent["key"] === node && parent["shorthand"] !== true) return
      const used = parent["object"] === node ? member(parent) : null
      const over = around.at(-2)
      const becomes = (whole: Node, as: string) => void edits.push({ start: whole.start, end: whole.end, text: as })
      if (used?.name === "sid") return becomes(parent, `${name}.requestId`)
      if (!started && used?.name === "valid") return becomes(parent, `${name}.verified`)
      const compared =
        over?.type === "BinaryExpression" && textOf(over["right"]) === "approved" ? over["operator"] : null
      if (!started && used?.name === "status" && over !== undefined && /^[!=]==?$/.test(String(compared)))
        return becomes(over, `${String(compared).startsWith("!") ? "!" : ""}${name}.verified`)
      const fields = started ? "requestId, message" : "requestId, verified, message, idToken"
      leave(node, `${name} is { ${fields} } now`)
    })
  }

  const result = (whole: Node, around: ReadonlyArray<Node>, started: boolean) => {
    const outer = around.filter(({ type }) => !/^(TSNonNull|TSAs|Parenthesized)/.test(type))
    const waited = outer.at(-1)?.type === "AwaitExpression"
    const holder = waited ? outer.at(-2) : outer.at(-1)
    if (holder?.type === "ExpressionStatement") return
    if (holder?.type === "VariableDeclarator") {
      const name = nameOf(holder["id"])
      const scope = around.findLast(({ type }) => /^(BlockStatement|Program|StaticBlock)$/.test(type))
      if (name !== null && waited && scope !== undefined) return renamed(name, scope, holder, started)
    }
    const then = holder?.type === "MemberExpression" && member(holder)?.name === "then" ? outer.at(-2) : undefined
    const arrow = isNode(then) ? call(then)?.args[0] : undefined
    const [param] = arrow?.type === "ArrowFunctionExpression" ? (arrow["params"] as ReadonlyArray<Node>) : []
    const name = nameOf(param)
    if (arrow !== undefined && param !== undefined && name !== null) return renamed(name, arrow, param, started)
    const direct = holder?.type === "MemberExpression" && waited ? member(holder)?.name : undefined
    if (direct === "sid" || (direct === "valid" && !started)) {
      const property = (holder as Node)["property"] as Node
      edits.push({ start: property.start, end: property.end, text: direct === "sid" ? "requestId" : "verified" })
      return
    }
    const fields = started ? "requestId, message" : "requestId, verified, message, idToken"
    leave(whole, `this answers { ${fields} } now`)
  }

  const start = (node: Node, args: ReadonlyArray<Node>, around: ReadonlyArray<Node>) => {
    const given = args.length === 1 ? properties(args[0]) : null
    const [to, channel] = [given?.get("to"), textOf(given?.get("channel"))]
    if (given === null || given === undefined || to === undefined)
      return leave(node, "what it sends is not written here: call countersign.initiate by hand")
    const ours = channel === null ? undefined : channels[channel]
    if (ours === undefined)
      return leave(
        node,
        `${channel === null ? "its channel is not written here" : `there is no channel like "${channel}"`}: call countersign.initiate by hand`
      )
    // It is written twice, so it must be the same twice: a name or a field, nothing that is called.
    let plain = true
    walk(
      to,
      ({ type }) => (plain &&= !/^(Call|New|Await|Yield|Assignment|Update|TaggedTemplate)Expression$/.test(type))
    )
    if (!plain) return leave(node, "give the recipient a name first, because it is needed twice")
    const more = [...given.keys()].filter((name) => name !== "to" && name !== "channel")
    if (more.length > 0)
      return leave(
        node,
        `${more.join(", ")} ${more.length === 1 ? "has" : "have"} no field of that name: see docs/migrating/twilio-verify.md`
      )
    const type = ours === "EMAIL" ? "EMAIL" : "MOBILE"
    const recipient = of(to)
    edits.push({
      start: node.start,
      end: node.end,
      text: `countersign.initiate({ identity: ${recipient}, identityType: "${type}", channel: "${ours}", orderId: ${recipient} })`
    })
    calls++
    result(node, around, true)
  }

  const check = (node: Node, args: ReadonlyArray<Node>, around: ReadonlyArray<Node>) => {
    const given = args.length === 1 ? properties(args[0]) : null
    const [code, to, sid] = [given?.get("code"), given?.get("to"), given?.get("verificationSid")]
    const which = sid === undefined ? to : sid
    if (code === undefined || which === undefined)
      return leave(node, "what it checks is not written here: call countersign.verify by hand")
    edits.push({
      start: node.start,
      end: node.end,
      text: `countersign.verify({ ${sid === undefined ? "orderId" : "requestId"}: ${of(which)}, otp: ${of(code)} })`
    })
    calls++
    result(node, around, false)
  }

  walk(program, (node, around) => {
    if (node.type !== "CallExpression") return
    const made = member(bare(node["callee"]))
    if (made === null) return
    const args = node["arguments"] as ReadonlyArray<Node>
    const list = member(made.object)
    const service = list === null ? null : list.object
    const known = service !== null && (isService(service) || services.has(nameOf(service) ?? ""))
    if (made.name === "create" && list !== null && /^verification(s|Checks)$/.test(list.name)) {
      if (!known) return leave(node, "whether this is Twilio's is not to be seen here")
      return list.name === "verifications" ? start(node, args, around) : check(node, args, around)
    }
    const one = member(call(made.object)?.callee)
    if (one?.name === "verifications" && (isService(one.object) || services.has(nameOf(one.object) ?? "")))
      leave(
        node,
        made.name === "fetch"
          ? "countersign.status({ requestId }) tells how it stands"
          : "nothing is cancelled or approved by hand: a code runs out"
      )
  })

  if (calls > 0 && !/@countersign\/sdk\/server/.test(text)) {
    const body = program["body"] as ReadonlyArray<Node>
    const last = body.findLast(({ type }) => type === "ImportDeclaration")
    const at =
      last === undefined ? (body.find(({ start }) => start > 0 || !text.startsWith("#!"))?.start ?? 0) : last.end
    const modules = last !== undefined || !/\brequire\(/.test(text)
    edits.push({
      start: at,
      end: at,
      text: last === undefined ? `${client(modules)}\n` : `\n${client(modules).trimEnd()}`
    })
  }

  const changed = edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end), text)
  return { text: changed, calls, left }
}
