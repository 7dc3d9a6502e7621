import { join } from 'node:path'
import { buildBundles } from '../build/bundles.ts'
import { root } from '../run.ts'
import { packClients } from './pack.ts'
import { packWheel } from './wheel.ts'

/** npm run pack: the packages for those who build on the platform, in `dist/packages/`. */
await buildBundles()
const folder = join(root, 'dist/packages')
for (const path of [...packClients(folder), packWheel(folder)]) console.log(path)
