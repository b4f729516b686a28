/** Where the repository is published: COUNTERSIGN_REPOSITORY, or what GitHub's workflows say of themselves. */
export const repository = (env: NodeJS.ProcessEnv = process.env): string | null => {
  const given = env["COUNTERSIGN_REPOSITORY"]
  if (given !== undefined && given !== "") return given.replace(/\/+$/, "")
  const { GITHUB_REPOSITORY: name, GITHUB_SERVER_URL: server } = env
  return server === undefined || name === undefined ? null : `${server}/${name}`
}
