/** Facts from mobile operators, through the CAMARA APIs. */
export * as Camara from "./Camara.ts"
