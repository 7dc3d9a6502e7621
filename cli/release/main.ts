import { join } from 'node:path'
import { root, run } from '../run.ts'
import { LaunchError } from '../stack/messages.ts'
import { release } from './release.ts'

/** npm run release: everything of the last commit's version, in `dist/release/<version>/`. */
if (run('git', 'status', '--porcelain').output) console.log('Uncommitted changes are not in the release.')
try {
  console.log(release(join(root, 'dist/release')))
} catch (error) {
  console.error(error instanceof LaunchError ? error.message : error)
  process.exitCode = 1
}
