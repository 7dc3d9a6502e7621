import { startWorld, type Person } from '../../edge/live/testing.ts'
import { newId } from '../../services/kernel/ids.ts'

/*
 * The sockets of an edge process with their bus, as they run in production. Who the members are comes from a list:
 * no database has to be seeded with thousands of accounts. BENCH_SOCKETS says for how many sockets members are needed.
 */
const sockets = Number(process.env['BENCH_SOCKETS'])
const workspace = { workspaceId: newId(), ecosystemId: newId() }
const people: Person[] = Array.from({ length: Math.ceil(sockets / 10) }, () => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [workspace],
}))
const world = await startWorld(people)
const filler = { id: newId(), title: 'Weekly news', text: 'x'.repeat(170) }

let left = 0
let heard = 0
let burst = 1
const emit = (): void => {
  left--
  heard = 0
  for (let index = 0; index < burst; index++) world.tell([`workspace:${workspace.workspaceId}`], 'news.created', filler)
}
const { bus } = world.host
// What is read here has just been read by the edge as well.
bus.tail('live.frames', () => void (++heard === burst && left > 0 && emit()), { stream: bus.passingStream })

/** Emits events, `size` at a time, the next when the last have come back from the broker. */
process.on('message', ({ size, times }: { size: number; times: number }) => {
  left = times
  burst = size
  emit()
})
process.on('SIGTERM', () => void world.end().then(() => process.exit(0)))
process.send?.({
  url: `${world.addressOf('notification')}/ws`,
  headers: Array.from({ length: sockets }, (_, index) => {
    const person = people[Math.floor(index / 10)]
    return { Authorization: `Bearer ${person ? world.tokenOf(person, 3_600) : ''}` }
  }),
})
