import { atLeast, Role } from "../../packages/core/src/account/merchant/Role.ts"
import type { Needs } from "../../packages/http/src/contract/Security.ts"
import { contract } from "../../packages/http/src/Routes.ts"

const scopes = ["auth", "leads", "dashboard"] as const

/** What a role is good for. */
const ofRole = (needs: Needs, role: Role): string => {
  if (needs.credential === "none") return "yes"
  if (needs.credential === "person") return needs.fresh ? "fresh" : "yes"
  if (needs.credential !== "staff" || !atLeast(role, needs.role)) return ""
  return needs.fresh ? "fresh" : "yes"
}

const isOpenTo = (needs: Needs, credential: Needs["credential"]): string =>
  needs.credential === "none" || needs.credential === credential ? "yes" : ""

const ofScope = (needs: Needs, scope: (typeof scopes)[number]): string =>
  needs.credential === "staff" && needs.keys === false
    ? ""
    : needs.credential === "none" || ("scope" in needs && needs.scope === scope)
      ? "yes"
      : ""

const columns: ReadonlyArray<readonly [title: string, cell: (needs: Needs) => string]> = [
  ["no credential", (needs) => (needs.credential === "signIn" ? "page" : isOpenTo(needs, "none"))],
  ...[...Role].reverse().map((role) => [role, (needs: Needs) => ofRole(needs, role)] as const),
  ...scopes.map((scope) => [`\`${scope}\``, (needs: Needs) => ofScope(needs, scope)] as const),
  ["public key", (needs) => isOpenTo(needs, "public")],
  ["session token", (needs) => isOpenTo(needs, "session")],
  ["admin token", (needs) => isOpenTo(needs, "admin")],
  ["`X-Environment`", (needs) => (needs.credential === "staff" && needs.of === "environment" ? "needed" : "")]
]

/** Every endpoint of the contract, and who may call it, as a table in Markdown. */
export const accessMatrix = (): string =>
  [
    ["endpoint", ...columns.map(([title]) => title)],
    ["---", ...columns.map(() => "---")],
    ...contract.map(({ method, needs, path }) => [
      `\`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}\``,
      ...columns.map(([, cell]) => cell(needs))
    ])
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")
