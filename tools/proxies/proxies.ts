import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { workspaceRoot } from "../workspace.ts"

/** What a configuration of `deploy/proxies` is changed to, so that it runs here. */
export interface Place {
  readonly folder: string
  readonly port: number
  /** Of servers of ours, `host:port`. */
  readonly servers: ReadonlyArray<string>
  readonly certificate: string
  readonly key: string
}

export interface Proxy {
  readonly name: string
  readonly program: string
  readonly configuration: (place: Place) => string
  readonly args: (file: string, place: Place) => ReadonlyArray<string>
}

const written = (name: string) => readFileSync(join(workspaceRoot, "deploy/proxies", name), "utf8")

/** The text with each of the replacements made; one that finds nothing is a configuration that the check does not know. */
const replaced = (text: string, replacements: ReadonlyArray<readonly [from: string | RegExp, to: string]>) =>
  replacements.reduce((before, [from, to]) => {
    const after = before.replace(from, () => to)
    if (after === before) throw new Error(`deploy/proxies: there is no ${String(from)}`)
    return after
  }, text)

const nginx: Proxy = {
  name: "nginx",
  program: "nginx",
  configuration: ({ certificate, folder, key, port, servers }) => {
    const site = replaced(written("nginx.conf"), [
      [/server \{\s+listen 80;[^}]+\}/, ""],
      ["listen 443", `listen 127.0.0.1:${port}`],
      [/ +server 127.0.0.1:8080 (.*)/, servers.map((one) => `server ${one} max_fails=1 fail_timeout=2s;`).join("\n")],
      ["/etc/ssl/countersign/fullchain.pem", certificate],
      ["/etc/ssl/countersign/privkey.pem", key]
    ])
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join("\n")
    return `worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log stderr warn;
events {}
http { access_log off;
${temporary}
${site} }`
  },
  args: (file, { folder }) => ["-c", file, "-p", folder, "-e", "stderr"]
}

const caddy: Proxy = {
  name: "Caddy",
  program: "caddy",
  configuration: ({ certificate, key, port, servers }) =>
    `{\n\tadmin off\n\tauto_https off\n}\n${replaced(written("Caddyfile"), [
      ["verify.example.com {", `https://verify.example.com:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
      ["reverse_proxy 127.0.0.1:8080", `reverse_proxy ${servers.join(" ")}`]
    ])}`,
  args: (file) => ["run", "--adapter", "caddyfile", "--config", file]
}

export const proxies: ReadonlyArray<Proxy> = [nginx, caddy]

export const isInstalled = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0
