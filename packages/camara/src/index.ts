/** Facts from mobile operators, through the CAMARA APIs. */
export * as Camara from "./Camara.ts"
/** Number verification over mobile data, through CAMARA. */
export * as NumberVerification from "./NumberVerification.ts"
