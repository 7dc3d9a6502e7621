import { join } from 'node:path'
import { buildBundles } from '../build/bundles.ts'
import { root } from '../run.ts'
import { packClients } from './pack.ts'

/** npm run pack: the packages for those who build on the platform, in `dist/packages/`. */
await buildBundles()
for (const tarball of packClients(join(root, 'dist/packages'))) console.log(tarball)
