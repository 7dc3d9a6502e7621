import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { platformManifest } from '../pack/packages.ts'
import { root } from '../run.ts'

/** What compose.yml, the manifests and the image itself call it. */
export const imageName = `platform:${platformManifest.version}`

/** Files that a release holds as they are. Links between the documents lead to the same places as here. */
const copiedNames = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs', '.env.example', 'deploy']

/** Writes the documents, compose.yml and the Kubernetes manifests of the image of this version. */
export function writeDeployment(folder: string): void {
  for (const name of copiedNames) cpSync(join(root, name), join(folder, name), { recursive: true })
  const compose = readFileSync(join(root, 'compose.yml'), 'utf8')
  const releasedCompose = compose.replace('\n  image: platform\n  build: .\n', `\n  image: ${imageName}\n`)
  if (releasedCompose === compose) throw new Error('compose.yml does not build the image as expected')
  writeFileSync(join(folder, 'compose.yml'), releasedCompose)
  const [name, version] = imageName.split(':')
  const images = `images:\n  - name: ${name}\n    newTag: ${version}\n`
  appendFileSync(join(folder, 'deploy/kubernetes/kustomization.yaml'), images)
}
