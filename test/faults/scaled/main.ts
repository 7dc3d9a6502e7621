import { fileURLToPath } from 'node:url'
import { programsFor } from '../../../cli/test-run/programs.ts'
import { galeraPrograms } from '../cluster/galera.programs.ts'
import { inOwnNetwork, isInOwnNetwork } from './own-network.ts'
import { smallest, whole } from './platform.ts'
import { heading, line, runScaled } from './trial.ts'

/*
 * npm run faults -- scaled [rounds] [requests a second] [part | part:action …] [--small]: the platform behind HAProxy:
 * three edges, two processes of each service, three NATS servers and a database cluster of three nodes, each in a
 * network namespace. Under traffic, each part in turn is killed, replaced and cut off (edge, news, nats:kill, "database
 * in use:cut"). One round at 20 requests a second by default; --small starts fewer processes. Needs root.
 */
const words = process.argv.slice(3).filter(word => word !== '--small')
const isSmall = words.length < process.argv.length - 3
const [rounds = 1, rate = 20] = words.slice(0, 2).map(Number)
const named = words.slice(2)
if (!Number.isInteger(rounds) || rounds < 1 || !(rate > 0)) {
  console.error('usage: npm run faults -- scaled [rounds] [requests a second] [part | part:action …] [--small]')
  process.exit(2)
}
if (!isInOwnNetwork()) {
  if (process.getuid?.() !== 0) {
    console.error('only root may create the network namespaces of this trial')
    process.exit(2)
  }
  const programs = await programsFor(['faults/scaled'], text => console.log(text))
  if (!programs['TEST_HAPROXY']) {
    console.error('HAProxy is missing: apt-get install haproxy')
    process.exit(2)
  }
  await galeraPrograms()
  process.exit(await inOwnNetwork(fileURLToPath(import.meta.url), process.argv.slice(2), programs))
}

const began = Date.now()
const { rows, faults, requests, acknowledged, slowest, gaps } = await runScaled({
  rounds,
  rate,
  ...(isSmall ? smallest : whole),
  includes: ({ name }, action) => named.length === 0 || named.includes(name) || named.includes(`${name}:${action}`),
  say: text => console.log(text),
})
console.log([heading, ...rows.map(line)].join('\n'))
for (const { call, cause, during } of faults.wrong)
  console.log(`not expected: ${call}: ${cause}, during ${during.join()}`)
for (const each of [...faults.lost, ...faults.doubled, ...faults.untold, ...faults.toldTwice, ...faults.unheard])
  console.log(each)
console.log({ requests, acknowledged, slowest, gaps })
const counts = Object.entries(faults).map(([name, list]) => `${name} ${list.length}`)
const isGood = Object.values(faults).every(list => list.length === 0)
console.log(`${isGood ? 'HOLDS' : 'FAILED'} after ${Math.round((Date.now() - began) / 1000)} s: ${counts.join(', ')}`)
process.exit(isGood ? 0 : 1)
