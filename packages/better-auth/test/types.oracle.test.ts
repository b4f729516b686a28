import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, test } from "vitest"
import { library } from "./fixtures/library.ts"

const root = join(import.meta.dirname, "../../..")

const program = `
import { countersign } from "@countersign/better-auth"
import { betterAuth } from "better-auth"
import { emailOTP, magicLink, phoneNumber } from "better-auth/plugins"

const codes = countersign({ baseUrl: "https://verify.example.com", clientId: "cs_live_1", clientSecret: "sk_live_1" })

export const auth = betterAuth({
  plugins: [
    phoneNumber({ ...codes.phoneNumber, signUpOnVerification: { getTempEmail: (number) => number + "@phone.example" } }),
    emailOTP({ ...codes.emailOTP }),
    magicLink({ ...codes.magicLink }),
    codes
  ]
})

export const verify = (phoneNumber: string, code: string) => auth.api.verifyPhoneNumber({ body: { phoneNumber, code } })
`

test("the plugin and its parts have the types that better-auth expects", () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "better-auth-types-"))
  try {
    const modules = join(folder, "node_modules")
    mkdirSync(join(modules, "@countersign"), { recursive: true })
    const betterAuth = library.resolve("better-auth").replace(/(?<=node_modules[\\/]better-auth)[\\/].*$/, "")
    symlinkSync(betterAuth, join(modules, "better-auth"), "junction")
    symlinkSync(join(root, "packages/better-auth"), join(modules, "@countersign/better-auth"), "junction")
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    writeFileSync(join(folder, "auth.ts"), program)
    const options = {
      target: "es2024",
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")]
    }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["auth.ts"] }))
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    const said = ((): string => {
      try {
        return execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" })
      } catch (error) {
        return (error as { readonly stdout: string }).stdout
      }
    })()
    assert.strictEqual(said, "")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
