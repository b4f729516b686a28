/** The version of this package, which is the version of the contract. */
// generated from package.json: npx -y pnpm@12 write-docs
export const version = "0.0.0"
// /generated
