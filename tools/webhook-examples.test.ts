import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "vitest"
import { sign } from "../packages/core/src/account/webhook/signature.ts"
import { workspaceRoot } from "./workspace.ts"

const folder = join(workspaceRoot, "docs", "webhooks")

interface Case {
  readonly secret: string
  readonly now: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Verifies a request as a receiver, by the Standard Webhooks headers and by the older header. */
type Verdict = readonly [standard: boolean, service: boolean]

interface Expected {
  readonly given: Case
  readonly verdict: Verdict
}

const vector = JSON.parse(readFileSync(join(folder, "vector.json"), "utf8")) as Case
const otherSecret = "whsec_YW5vdGhlciBpbnZlbnRlZCBzZWNyZXQsIDMyIGIuLi4="

const headers = (changed: Readonly<Record<string, string | null>>): Case => ({
  ...vector,
  headers: Object.fromEntries(
    Object.entries({ ...vector.headers, ...changed }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]]
    )
  )
})
const signature = vector.headers["webhook-signature"] ?? ""
const wrong = `v1,${"A".repeat(43)}=`

const cases: Readonly<Record<string, Expected>> = {
  "the vector itself": { given: vector, verdict: [true, true] },
  "a changed body": {
    given: { ...vector, body: vector.body.replace("9876543210", "9876543211") },
    verdict: [false, false]
  },
  "a space more": { given: { ...vector, body: vector.body.replace(",", ", ") }, verdict: [false, false] },
  "a body without its accents": {
    given: { ...vector, body: vector.body.replace("चाय", "???") },
    verdict: [false, false]
  },
  "another secret": { given: { ...vector, secret: otherSecret }, verdict: [false, false] },
  "five minutes later": { given: { ...vector, now: vector.now + 300 }, verdict: [true, true] },
  "more than five minutes later": { given: { ...vector, now: vector.now + 301 }, verdict: [false, true] },
  "from the future": { given: { ...vector, now: vector.now - 301 }, verdict: [false, true] },
  "another time than was signed": {
    given: headers({ "webhook-timestamp": String(vector.now - 1) }),
    verdict: [false, true]
  },
  "another id than was signed": { given: headers({ "webhook-id": "evt_other" }), verdict: [false, true] },
  "a time that is no number": { given: headers({ "webhook-timestamp": "soon" }), verdict: [false, true] },
  "two signatures, ours second": {
    given: headers({ "webhook-signature": `${wrong} ${signature}` }),
    verdict: [true, true]
  },
  "two signatures, ours first": {
    given: headers({ "webhook-signature": `${signature} ${wrong}` }),
    verdict: [true, true]
  },
  "another version of signature": {
    given: headers({ "webhook-signature": signature.replace("v1,", "v2,") }),
    verdict: [false, true]
  },
  "half a signature": { given: headers({ "webhook-signature": signature.slice(0, 20) }), verdict: [false, true] },
  "an empty signature": { given: headers({ "webhook-signature": "" }), verdict: [false, true] },
  "a signature of other letters": {
    given: headers({ "webhook-signature": `é${signature.slice(1)}`, "x-service-signature": "é".repeat(64) }),
    verdict: [false, false]
  },
  "only the older header": {
    given: headers({ "webhook-id": null, "webhook-timestamp": null, "webhook-signature": null }),
    verdict: [false, true]
  },
  "none of the older header": { given: headers({ "x-service-signature": null }), verdict: [true, false] }
}

/**
 * The commands that make each example judge all cases: they are in `cases.json`, and the verdicts go to standard output
 * as JSON.
 */
interface Language {
  readonly name: string
  readonly file: string
  readonly probe: readonly [program: string, ...args: ReadonlyArray<string>]
  readonly driver: Readonly<Record<string, string>>
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>]
}

const languages: ReadonlyArray<Language> = [
  {
    name: "Node",
    file: "verify.mjs",
    probe: [process.execPath, "--version"],
    driver: {
      "drive.mjs": `import { readFileSync } from "node:fs"
import { verifyServiceSignature, verifyWebhook } from ${JSON.stringify(pathToFileURL(join(folder, "verify.mjs")).href)}
const verdicts = JSON.parse(readFileSync("cases.json", "utf8")).map(({ secret, now, headers, body }) => [
  verifyWebhook(secret, headers, body, now) !== null,
  verifyServiceSignature(secret, headers, Buffer.from(body)) !== null
])
console.log(JSON.stringify(verdicts))`
    },
    command: [process.execPath, "drive.mjs"]
  },
  {
    name: "Python",
    file: "verify.py",
    probe: ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"],
    driver: {
      "drive.py": `import json
from verify import verify_service_signature, verify_webhook
verdicts = []
for case in json.load(open("cases.json", encoding="utf-8")):
    body = case["body"].encode()
    verdicts.append([
        verify_webhook(case["secret"], case["headers"], body, case["now"]) is not None,
        verify_service_signature(case["secret"], case["headers"], body) is not None,
    ])
print(json.dumps(verdicts))`
    },
    command: ["python3", "drive.py"]
  },
  {
    name: "Go",
    file: "verify.go",
    probe: ["go", "version"],
    driver: {
      "go.mod": "module drive\n\ngo 1.19\n",
      "main.go": `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"

	webhook "drive/webhook"
)

func main() {
	var cases []struct {
		Secret, Body string
		Now          int64
		Headers      map[string]string
	}
	text, _ := os.ReadFile("cases.json")
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	verdicts := [][2]bool{}
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		body := []byte(one.Body)
		verdicts = append(verdicts, [2]bool{
			webhook.Verify(one.Secret, header, body, time.Unix(one.Now, 0)),
			webhook.VerifyServiceSignature(one.Secret, header, body),
		})
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}`
    },
    command: ["go", "run", "."]
  },
  {
    name: "PHP",
    file: "verify.php",
    probe: ["php", "--version"],
    driver: {
      "drive.php": `<?php
require 'verify.php';
$verdicts = [];
foreach (json_decode(file_get_contents('cases.json'), true) as $case) {
    ['secret' => $secret, 'headers' => $headers, 'body' => $body, 'now' => $now] = $case;
    $verdicts[] = [
        verify_webhook($secret, $headers, $body, $now) !== null,
        verify_service_signature($secret, $headers, $body) !== null,
    ];
}
echo json_encode($verdicts);`
    },
    command: ["php", "drive.php"]
  }
]

const works = ([program, ...args]: Language["probe"]) => {
  try {
    execFileSync(program, args, { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const judge = ({ command: [program, ...args], driver, file, name }: Language): ReadonlyArray<Verdict> => {
  const place = mkdtempSync(join(tmpdir(), "webhook-example-"))
  try {
    const module = name === "Go" ? join(place, "webhook") : place
    mkdirSync(module, { recursive: true })
    if (name !== "Node") cpSync(join(folder, file), join(module, file))
    for (const [path, text] of Object.entries(driver)) writeFileSync(join(place, path), text)
    writeFileSync(join(place, "cases.json"), JSON.stringify(Object.values(cases).map(({ given }) => given)))
    const output = execFileSync(program, args, {
      cwd: place,
      encoding: "utf8",
      env: { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local" }
    })
    return JSON.parse(output) as ReadonlyArray<Verdict>
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

describe("the examples that verify a webhook's signature", () => {
  it("have a test vector with the service's signature", () => {
    const { body, headers, now, secret } = vector
    assert.deepEqual(sign([secret], headers["webhook-id"] ?? "", now * 1000, body), headers)
  })

  for (const language of languages) {
    const there = works(language.probe)
    if (!there)
      console.warn(`The webhook example in ${language.name} is not run: there is no ${language.probe[0]} here`)
    it.skipIf(!there)(`${language.name} accepts the signed request, and no other`, { timeout: 120_000 }, () => {
      const verdicts = judge(language)
      assert.deepEqual(
        Object.fromEntries(Object.keys(cases).map((name, index) => [name, verdicts[index]])),
        Object.fromEntries(Object.entries(cases).map(([name, { verdict }]) => [name, verdict]))
      )
    })
  }
})
