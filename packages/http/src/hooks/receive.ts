import { HookReceiver } from "@countersign/core"
import { Effect } from "effect"
import type { BodyMemory } from "../BodyMemory.ts"
import * as ClientAddress from "../ClientAddress.ts"
import { BodyUnreadable, MethodUnknown, PathUnknown } from "../Fault.ts"
import type { WireRequest } from "../WireRequest.ts"
import type { WireResponse } from "../WireResponse.ts"
import { CountersignError, type Failure } from "../wire.ts"

/** Sign-in systems send requests to `/v1/hooks/{kind}/{hookId}`. */
export const prefix = "/v1/hooks/"

/** Supabase sends the whole user with each request, with the data that the app keeps there. */
const largestBody = 256 * 1024
/** The bodies of one hook in one process at the same time. Anyone can send bodies to its address. */
const mostOfHook = 4 * 1024 * 1024

const describe = (failure: Failure) => new CountersignError(failure)

/**
 * Passes the requests of sign-in systems to their hook as bytes, because signatures cover the exact bytes. The answer is
 * the one that the sign-in system expects.
 */
export const make = (
  { trustedProxies = [] }: { readonly trustedProxies?: ClientAddress.TrustedProxies | undefined },
  bodyMemory: BodyMemory
) =>
  Effect.map(HookReceiver, (receiver) => {
    const isCompressed = ({ header }: WireRequest) => (header("content-encoding") ?? "identity") !== "identity"

    return (request: WireRequest): Effect.Effect<WireResponse, Failure> =>
      Effect.gen(function* () {
        const [kind = "", id = "", ...rest] = request.path.slice(prefix.length).split("/")
        // An unknown hook is answered like any unknown path, before a body is read.
        if (rest.length > 0) return yield* new PathUnknown()
        const hook = yield* Effect.catchTag(receiver.find(kind, id), "UnknownHook", () =>
          Effect.fail(new PathUnknown())
        )
        if (request.method !== "POST") return yield* new MethodUnknown({ allow: ["POST"] })
        if (isCompressed(request)) {
          return yield* new BodyUnreadable({ problem: "must not be compressed; omit Content-Encoding" })
        }
        return yield* bodyMemory.within(
          { name: `hooks/${id}`, pool: "anybody", most: mostOfHook },
          request,
          (counted) =>
            Effect.flatMap(counted.body(largestBody), (body) =>
              receiver.receive(
                hook,
                { header: request.header, body },
                { address: () => ClientAddress.of(request, trustedProxies), describe }
              )
            )
        )
      })
  })
