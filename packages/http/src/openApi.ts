import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"

/** The contract as an OpenAPI document. */
export const openApi = (): unknown => OpenApi.fromApi(Api)
