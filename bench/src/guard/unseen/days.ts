export { attacks } from "./attacks.ts"
export { ordinary } from "./ordinary.ts"
