import { MemberAccessChangedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { PageUpdatedSchema } from '../../../gen/platform/events/v1/page_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { startWorld } from '../../../test/kit/live/live.ts'
import { disconnect, join, numbers, offsetOf } from '../../../test/kit/live/recovery.ts'
import type { LivePerson, Page } from '../../../test/kit/live/services.ts'

const test = suite('recovery after changed rights')

const [here, hotel] = [newId(), newId()]
const person = (): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [{ workspaceId: here, ecosystemId: hotel }],
})
const [ben, ivo] = [person(), person()]
const hidden: Page = { id: newId(), workspaceId: here }
const world = await startWorld([ben, ivo], [hidden])
const other = await world.anotherEdge()
test.after(() => world.end())

const say = (n: number, rooms = [`workspace:${here}`]) => world.publish(rooms, 'n', { n })

/** Publishes a change of rights as the member service does. */
async function announceRights({ memberId }: LivePerson): Promise<void> {
  world.rightsChanged([memberId])
  await world.emit(MemberAccessChangedSchema, { id: memberId, memberIds: [memberId], workspaceId: here }, {})
}

test('a member who was suspended recovers only frames since the reactivation, on any process', async () => {
  const away = ivo.workspaces
  const client = await world.open('news', ivo)
  await join(client, 'joinWorkspace', here)
  say(60)
  const offset = await offsetOf(client, 60)
  await disconnect(client)
  const witnesses = [await world.open('news', ben), await other.open('news', ben)]
  for (const witness of witnesses) await join(witness, 'joinWorkspace', here)
  ivo.workspaces = []
  await announceRights(ivo)
  say(61)
  for (const witness of witnesses) await offsetOf(witness, 61)
  ivo.workspaces = away
  await announceRights(ivo)
  // First while only the core message has arrived, then on a process that started after everything.
  const atOnce = await world.open('news', ivo)
  assert.is((await join(atOnce, 'joinWorkspace', here, offset))['recovered'], false)
  assert.equal(numbers(atOnce.frames), [])
  await disconnect(atOnce)
  say(62)
  for (const witness of witnesses) await offsetOf(witness, 62)
  const late = await world.anotherEdge()
  for (const edge of [world, other, late]) {
    const back = await edge.open('news', ivo)
    const { recovered } = await join(back, 'joinWorkspace', here, offset)
    assert.equal([numbers(back.frames), recovered], [[62], false])
    await disconnect(back)
  }
  await Promise.all(witnesses.map(disconnect))
})

test('a change of a whole workspace’s rights applies to each of its members', async () => {
  const client = await world.open('news', ivo)
  await join(client, 'joinWorkspace', here)
  say(70)
  const offset = await offsetOf(client, 70)
  await disconnect(client)
  const witness = await other.open('news', ben)
  await join(witness, 'joinWorkspace', here)
  say(71)
  await offsetOf(witness, 71)
  await world.emit(MemberAccessChangedSchema, { id: here, memberIds: [], workspaceId: here, ecosystemId: hotel }, {})
  await eventually(async () => {
    const back = await other.open('news', ivo)
    const { recovered } = await join(back, 'joinWorkspace', here, offset)
    await disconnect(back)
    return recovered === false && numbers(back.frames).length === 0
  })
  await disconnect(witness)
})

test('frames of a page’s room from before its readers had access are not recovered', async () => {
  const update = async (status: string): Promise<void> =>
    world.emit(
      PageUpdatedSchema,
      { id: hidden.id, title: 'T', pageType: 'article', changes: { status } },
      { workspaceId: here },
    )
  const [editor, reader] = [await world.open('news', ben), await world.open('news', ivo)]
  for (const client of [editor, reader]) {
    await join(client, 'joinPage', hidden.id)
    await join(client, 'joinWorkspace', here)
  }
  say(80)
  const offset = await offsetOf(reader, 80)
  await disconnect(reader)
  hidden.draftOf = ben.memberId
  await update('draft')
  await editor.next('page.updated')
  say(81, [`page:${hidden.id}`])
  await offsetOf(editor, 81)
  delete hidden.draftOf
  await update('published')
  await editor.next('page.updated')
  say(82, [`page:${hidden.id}`])
  await offsetOf(editor, 82)
  for (const edge of [world, other]) {
    const back = await edge.open('news', ivo)
    const { recovered } = await join(back, 'joinPage', hidden.id, offset)
    assert.equal([numbers(back.frames), recovered], [[82], false])
    await disconnect(back)
  }
  await disconnect(editor)
})

test.run()
