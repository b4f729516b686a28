export { listener } from "./listener.ts"
export { makeLogin } from "./login.ts"
