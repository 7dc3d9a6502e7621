import { MemberAccessChangedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { PageUpdatedSchema } from '../../../gen/platform/events/v1/page_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { startWorld } from '../../../test/kit/live/live.ts'
import { disconnect, join, numbers, offsetOf } from '../../../test/kit/live/recovery.ts'
import type { LivePerson, Page } from '../../../test/kit/live/services.ts'

const test = suite('recovery after changed rights')

const [workspace, hotel] = [newId(), newId()]
const person = (): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [{ workspaceId: workspace, ecosystemId: hotel }],
})
const [ben, ivo] = [person(), person()]
const hiddenPage: Page = { id: newId(), workspaceId: workspace }
const world = await startWorld([ben, ivo], [hiddenPage])
const other = await world.anotherEdge()
test.after(() => world.end())

const say = (n: number, rooms = [`workspace:${workspace}`]) => world.publish(rooms, 'n', { n })

/** Publishes a change of rights as the member service does. */
async function announceRights({ memberId }: LivePerson): Promise<void> {
  world.rightsChanged([memberId])
  await world.emit(MemberAccessChangedSchema, { id: memberId, memberIds: [memberId], workspaceId: workspace }, {})
}

test('a member who was suspended recovers only frames since the reactivation, on any process', async () => {
  const formerWorkspaces = ivo.workspaces
  const client = await world.open('news', ivo)
  await join(client, 'joinWorkspace', workspace)
  say(60)
  const offset = await offsetOf(client, 60)
  await disconnect(client)
  const witnesses = [await world.open('news', ben), await other.open('news', ben)]
  for (const witness of witnesses) await join(witness, 'joinWorkspace', workspace)
  ivo.workspaces = []
  await announceRights(ivo)
  say(61)
  for (const witness of witnesses) await offsetOf(witness, 61)
  ivo.workspaces = formerWorkspaces
  await announceRights(ivo)
  // First while only the core message has arrived, then on a process that started after everything.
  const atOnce = await world.open('news', ivo)
  assert.is((await join(atOnce, 'joinWorkspace', workspace, offset))['recovered'], false)
  assert.equal(numbers(atOnce.frames), [])
  await disconnect(atOnce)
  say(62)
  for (const witness of witnesses) await offsetOf(witness, 62)
  const lateEdge = await world.anotherEdge()
  for (const edge of [world, other, lateEdge]) {
    const returnedClient = await edge.open('news', ivo)
    const { recovered } = await join(returnedClient, 'joinWorkspace', workspace, offset)
    assert.equal([numbers(returnedClient.frames), recovered], [[62], false])
    await disconnect(returnedClient)
  }
  await Promise.all(witnesses.map(disconnect))
})

test('a change of a whole workspace’s rights applies to each of its members', async () => {
  const client = await world.open('news', ivo)
  await join(client, 'joinWorkspace', workspace)
  say(70)
  const offset = await offsetOf(client, 70)
  await disconnect(client)
  const witness = await other.open('news', ben)
  await join(witness, 'joinWorkspace', workspace)
  say(71)
  await offsetOf(witness, 71)
  await world.emit(
    MemberAccessChangedSchema,
    { id: workspace, memberIds: [], workspaceId: workspace, ecosystemId: hotel },
    {},
  )
  await eventually(async () => {
    const returnedClient = await other.open('news', ivo)
    const { recovered } = await join(returnedClient, 'joinWorkspace', workspace, offset)
    await disconnect(returnedClient)
    return recovered === false && numbers(returnedClient.frames).length === 0
  })
  await disconnect(witness)
})

test('frames of a page’s room from before its readers had access are not recovered', async () => {
  const update = async (status: string): Promise<void> =>
    world.emit(
      PageUpdatedSchema,
      { id: hiddenPage.id, title: 'T', pageType: 'article', changes: { status } },
      { workspaceId: workspace },
    )
  const [editor, reader] = [await world.open('news', ben), await world.open('news', ivo)]
  for (const client of [editor, reader]) {
    await join(client, 'joinPage', hiddenPage.id)
    await join(client, 'joinWorkspace', workspace)
  }
  say(80)
  const offset = await offsetOf(reader, 80)
  await disconnect(reader)
  hiddenPage.draftOf = ben.memberId
  await update('draft')
  await editor.next('page.updated')
  say(81, [`page:${hiddenPage.id}`])
  await offsetOf(editor, 81)
  delete hiddenPage.draftOf
  await update('published')
  await editor.next('page.updated')
  say(82, [`page:${hiddenPage.id}`])
  await offsetOf(editor, 82)
  for (const edge of [world, other]) {
    const returnedClient = await edge.open('news', ivo)
    const { recovered } = await join(returnedClient, 'joinPage', hiddenPage.id, offset)
    assert.equal([numbers(returnedClient.frames), recovered], [[82], false])
    await disconnect(returnedClient)
  }
  await disconnect(editor)
})

test.run()
