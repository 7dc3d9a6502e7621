import { root, run } from './run.ts'
import { singularOf, writeResource } from './scaffold/resource.ts'
import { messageOf } from './stack/messages.ts'

const help = `npm run new -- resource <plural> [<singular>]
Writes a resource of the news service after the example of the guides: proto, migration, statements, handlers, tests, and
its rows in the tables of others. Decisions that are open are marked; npm run check fails until the marks are gone.`

const [kind, plural = '', singular = singularOf(plural), ...extraArguments] = process.argv.slice(2)
const asksForHelp = process.argv.includes('--help')
if (asksForHelp || kind !== 'resource' || plural === '' || extraArguments.length > 0) {
  console.error(help)
  process.exit(asksForHelp ? 0 : 1)
}
try {
  const paths = writeResource(root, { plural, singular })
  console.log([`Many ${plural}, one ${singular}:`, ...paths].join('\n  '))
} catch (error) {
  console.error(messageOf(error))
  process.exit(1)
}
// Names have other lengths and another order than those of the example.
for (const script of ['cli/gen.ts', 'cli/fix.ts']) {
  const { ok, output } = run(process.execPath, script)
  if (!ok) console.error(output)
}
const open = run('git', 'grep', '--untracked', '-n', `${'TO' + 'DO'}(decide)`, '--', ':!gen', ':!docs')
console.log(`\nDecide these, and remove the marks:\n${open.output}`)
