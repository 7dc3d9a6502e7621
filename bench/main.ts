import { buildBundles } from '../cli/build/bundles.ts'
import { benches } from './benches.ts'

/*
 * npm run bench -- [names] [--quick | --smallest]: the smallest form only shows that a benchmark runs.
 */
const names = process.argv.slice(2).filter(name => !name.startsWith('-'))
const unknownNames = names.filter(name => !Object.hasOwn(benches, name))
if (unknownNames.length > 0) {
  console.error(`no benchmark ${unknownNames.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
await buildBundles()
for (const [name, { title, run }] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue
  console.log(`\n## ${title}\n`)
  console.log(await run())
}
process.exit(0)
