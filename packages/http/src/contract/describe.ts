import { OpenApi } from "effect/http-api"

/** What the published document says of an endpoint. */
export const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })
