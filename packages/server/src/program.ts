import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Exit } from "effect"
import { countersign, exitCodeOf } from "./countersign.ts"

/** `pnpm start -- --simulate` passes the `--` on to this program. */
const given = process.argv.slice(2).filter((argument) => argument !== "--")

NodeRuntime.runMain(countersign(given), {
  disableErrorReporting: true,
  teardown: (exit, done) => {
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return done(0)
    if (!Cause.hasFails(exit.cause)) process.stderr.write(`${Cause.pretty(exit.cause)}\n`)
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
    done(exitCodeOf(failure?.error))
  }
})
