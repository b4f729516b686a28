import { paths } from "../../address/here.ts"
import type { Verification } from "../../life/result.ts"
import { Card } from "../../parts/Card.tsx"
import { Fact } from "../../parts/Fact.tsx"
import { say } from "./words.ts"

const facts = ["clientIp", "deviceId", "userAgent"] as const

/** What the backend said about the user's request. Each tag leads to all verifications with it. */
export function RequestContext({ verification: { context } }: { readonly verification: Verification }) {
  if (context === null) return null
  const tags = Object.entries(context.tags)
  // For who sees masked identities, nothing may be left to show.
  if (tags.length === 0 && facts.every((fact) => context[fact] === null)) return null
  return (
    <Card title={say.context}>
      <dl class="facts">
        {facts.map((fact) =>
          context[fact] === null ? null : (
            <Fact key={fact} title={say.contextFacts[fact]}>
              <span class="theirs">{context[fact]}</span>
            </Fact>
          )
        )}
        {tags.length === 0 ? null : (
          <Fact title={say.tags}>
            <span class="ver-tags">
              {tags.map(([name, value]) => (
                <a key={name} class="theirs" href={paths.verifications({ find: `tag:${name}:${value}` })}>
                  {name}: {value}
                </a>
              ))}
            </span>
          </Fact>
        )}
      </dl>
    </Card>
  )
}
