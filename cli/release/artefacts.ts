import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentOf } from '../../edge/docs/documents.ts'
import { asyncApiText } from '../../edge/docs/events-page.ts'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import { buildBundles } from '../build/bundles.ts'
import { packClients } from '../pack/pack.ts'
import { platformManifest } from '../pack/packages.ts'
import { packWheel } from '../pack/wheel.ts'
import { root } from '../run.ts'
import { billOfMaterials } from './bill.ts'
import { writeDeployment } from './deployment.ts'
import { buildImage } from './image.ts'

/*
 * node cli/release/artefacts.ts <folder> <commit> <time>: everything that is built, from the sources beside this file.
 * `npm run release` runs it in a fresh copy of the commit.
 */
const [folder = '', commit = '', time] = process.argv.slice(2)
const { name, version } = platformManifest
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)

await buildBundles()
packClients(join(folder, 'packages'))
packWheel(join(folder, 'packages'))
writeDeployment(folder)
mkdirSync(join(folder, 'api'))
// As at the web client's address.
const query = { names: [...serviceNames], pathOf: (service: string) => `services/${service}` }
write('api/openapi.json', documentOf(query).text)
write('api/openapi-3.1.json', documentOf({ ...query, version: '3.1' }).text)
write('api/asyncapi.json', asyncApiText)
write('licences.txt', execFileSync(process.execPath, ['cli/licences.ts'], { cwd: root, encoding: 'utf8' }))
const labels = { 'org.opencontainers.image.version': version, 'org.opencontainers.image.revision': commit }
const archive = join(folder, `${name}-${version}-image.tar`)
write('sbom.json', billOfMaterials(await buildImage({ archive, labels, time: Number(time) })))
