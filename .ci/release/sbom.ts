import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

/** A bill of materials (CycloneDX), with the fields that are used here. */
export interface Sbom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/**
 * The bill of materials of the bundles in a built checkout. npm lists all packages of the lock file, development tools too;
 * the licences that the build writes name those that are bundled.
 */
export function describeBundles(checkout: string): Sbom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error']
  const all: Sbom = JSON.parse(
    execFileSync('npm', args, { cwd: checkout, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }),
  )
  const bundled = listBundled(readFileSync(join(checkout, 'dist/LICENSES.txt'), 'utf8'))
  const components = bundled.map(ref => {
    const component = all.components.find(component => component['bom-ref'] === ref)
    if (!component) throw new Error(`The lock file does not hold ${ref}, which is bundled: run npm ci and build again.`)
    return { ...component, properties: [] }
  })
  // npm names the root after its folder.
  const root = { ...all.metadata.component, name: 'stack-parity' }
  const isBundled = (ref: string) => bundled.includes(ref)
  return {
    ...all,
    metadata: { ...all.metadata, component: root },
    components,
    dependencies: [
      { ref: root['bom-ref'], dependsOn: bundled },
      ...all.dependencies
        .filter(({ ref }) => isBundled(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isBundled) })),
    ],
  }
}

/** Reads the packages from the headings of the licence texts: name and version. */
function listBundled(licences: string): readonly string[] {
  const headings = licences.split(`\n${'-'.repeat(80)}\n\n`).map(text => text.slice(0, text.indexOf('\n')))
  return [...new Set(headings.map(heading => heading.replace(' ', '@')))]
}
