import { OpenApi } from "effect/http-api"

/** The summary and description of an endpoint in the published document. */
export const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })
