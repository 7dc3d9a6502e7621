import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNeighbours } from '../live/sides.ts'
import { line } from '../support/figures.ts'
import { bySize } from '../support/size.ts'
import { type Edge, kill, measuresOf, processorMeter, startOne, weigh, within } from './edges.ts'
import * as size from './plan.ts'
import { startPublisher } from './publisher.ts'
import { startSwarm } from './swarm.ts'
import { type Costs, costsOf, goalsOf, heads, maxOf, rowOf, type Storm, seconds } from './table.ts'

const { total } = size
const patienceMs = bySize(300_000, 180_000, 30_000)
/** How long the last frames may take to arrive, and a client to tell of a gap. */
const lastFramesMs = 60_000
const lastGapsMs = 2_000

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

/** The processes of the bench, with every socket open. */
async function openAll() {
  const { edges: count, clients, files, perEdge } = size.plan()
  const neighbours = await startNeighbours(size.countPeople(), size.workspaces)
  const env = { ...neighbours.env, EDGE_MAX_SOCKETS: String(perEdge) }
  const start = () => Promise.all(Array.from({ length: count }, () => startOne(env, files)))
  const world = { neighbours, start, edges: await start(), swarm: startSwarm(clients, files) }
  // One after another: a process that collects garbage answers nobody meanwhile.
  const weighAll = async () => {
    const weights = []
    for (const edge of world.edges) weights.push(await weigh(edge))
    return weights
  }
  const before = await weighAll()
  const costs = meterOf(world)
  const began = Date.now()
  await world.swarm.open(size.membersOf(neighbours), world.edges.map(urlOf))
  const [ms, cost] = [Date.now() - began, costs()]
  const after = await weighAll()
  const growth = (key: 'resident' | 'heap') =>
    (after.reduce((sum, one, edge) => sum + one[key] - (before[edge]?.[key] ?? 0), 0) * 1_024) / total
  const resident = after.map(one => one.resident.toFixed(0)).join(', ')
  const summary = [
    `${total} sockets of ${neighbours.people.length} people in ${size.workspaces} workspaces, over ${count} edges; ${size.framesPerSecond} frames a second, each to a workspace.`,
    ...(count > size.fewestEdges ? [`More than ${size.fewestEdges} edges: a process may open ${files} files.`] : []),
    `Opened in ${seconds(ms)} s by ${clients} processes; processor ms per socket: ${costsOf(cost, total)}.`,
    `Memory of the edges after a collection: ${resident} MiB; per socket ${growth('resident').toFixed(1)} KiB, of it heap ${growth('heap').toFixed(1)}.`,
  ]
  return { ...world, perEdge, summary }
}

type World = Omit<Awaited<ReturnType<typeof openAll>>, 'summary' | 'perEdge'>

const urlOf = ({ url }: Edge): string => url

function meterOf(world: Pick<World, 'neighbours' | 'edges' | 'swarm'>): () => Costs {
  const edges = processorMeter(() => world.edges.map(edge => edge.process))
  const services = processorMeter(() => [world.neighbours.process])
  const clients = processorMeter(() => world.swarm.children)
  return () => ({ edges: edges(), services: services(), clients: clients() })
}

/** Kills one edge, then all, and measures until every socket is back and has every frame. */
async function storms(world: World): Promise<Storm[]> {
  const { swarm } = world
  const publisher = await startPublisher(
    world.neighbours.env,
    size.workspaceIdsOf(world.neighbours),
    size.framesPerSecond,
  )
  const measure = () => Promise.all(world.edges.map(measuresOf))
  const storm = async (title: string, lostSockets: number, begin: () => Promise<void>): Promise<Storm> => {
    // Each reading of the longest delay begins a new one.
    await measure()
    swarm.begin()
    const costs = meterOf(world)
    await begin()
    const areBack = await within(patienceMs, async () => (await swarm.look([])).open === total)
    const published = publisher.numbers()
    const haveAll = async () => (await swarm.look(published)).behind === 0
    const isWhole = areBack && (await within(lastFramesMs, haveAll))
    const cost = costs()
    await sleep(lastGapsMs)
    return { title, lostSockets, report: await swarm.report(), edges: await measure(), costs: cost, isWhole }
  }
  const [first, ...others] = world.edges
  if (!first) throw new Error('no edge has started')
  const phases: Storm[] = [await storm('none', 0, () => sleep(size.steadyMs))]
  const { sockets } = await measuresOf(first)
  phases.push(
    await storm('one edge killed', sockets, async () => {
      world.edges = others
      await kill(first)
      swarm.route(others.map(urlOf))
    }),
  )
  phases.push(
    await storm('all killed and restarted', total, async () => {
      swarm.route([])
      await Promise.all(world.edges.map(kill))
      world.edges = await world.start()
      swarm.route(world.edges.map(urlOf))
    }),
  )
  await publisher.stop()
  return phases
}

/** Whether sockets that are lost at once are back within a minute, with every frame. */
export async function benchStorm(): Promise<string> {
  const { summary, perEdge, ...world } = await openAll()
  const phases = await storms(world)
  for (const children of [world.swarm.children, world.edges.map(edge => edge.process), [world.neighbours.process]])
    await Promise.all(children.map(stop))
  return [
    ...summary,
    `Most sockets of an edge: ${Math.max(...phases.map(({ edges }) => maxOf(edges, 'sockets')))}, limit ${perEdge}.`,
    '',
    ...heads,
    ...phases.map(rowOf),
    '',
    line('goal', 'figure', 'wanted', ''),
    line('-', '-', '-', '-'),
    ...phases.slice(1).flatMap(goalsOf),
  ].join('\n')
}
