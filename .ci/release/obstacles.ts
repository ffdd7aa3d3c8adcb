import type { Manifest } from './pack.ts'

/** The state of a checkout and of its machine, as far as a release depends on it. */
export interface ReleaseContext {
  readonly manifest: Manifest
  readonly changelog: string
  /** Uncommitted changes, as git prints them. */
  readonly changes: string
  /** The tags of the commit. */
  readonly tags: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The obstacles to a release, and the further ones to its publication. */
export function listObstacles({ manifest, changelog, changes, tags, env }: ReleaseContext) {
  const { version, repository } = manifest
  const [, newest, day] = /^## (\S+) - (\S+)$/m.exec(changelog) ?? []
  const isDated = /^\d{4}-\d\d-\d\d$/.test(day ?? '')
  const hasIdentity = env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined || env.SIGSTORE_ID_TOKEN !== undefined
  const toRelease = [
    changes !== '' && `These changes are not committed:\n${changes}`,
    newest !== version && `CHANGELOG.md is about ${newest}, package.json about ${version}.`,
  ]
  const toPublish = [
    !isDated && `CHANGELOG.md needs the day of ${version}.`,
    !tags.includes(`v${version}`) && `The commit needs the tag v${version}.`,
    repository === undefined &&
      'package.json needs "repository": the registry refuses a package that does not name where it was built.',
    !hasIdentity &&
      'Provenance needs a CI with an identity token: GitHub with `permissions: { id-token: write }`, or GitLab with SIGSTORE_ID_TOKEN.',
  ]
  return { toRelease: toRelease.filter(Boolean), toPublish: toPublish.filter(Boolean) }
}
