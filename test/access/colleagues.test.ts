import { assert, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses } from '../kit/platform/shared-person.ts'

/** How people join a workspace, what others are shown of it, and what remains when they leave, over HTTP. */
const test = suite('colleagues over HTTP')
let platform: Platform
let hotels: Houses
let ownHotel: House
let otherHotel: House

test.before(async () => {
  platform = await sharedPlatform()
  hotels = await houses(platform)
  ownHotel = await hotels.house('Le Phare', 'ada')
  otherHotel = await hotels.house('Autre', 'eve')
})

test('teams, departments and workspaces may share a name, and departments a code', async () => {
  const workspaceId = ownHotel.workspace
  const twins: [path: string, body: object][] = [
    ['/teams', { workspaceId, name: 'Night' }],
    ['/departments', { workspaceId, name: 'Floor', code: 'FLR' }],
    ['/workspaces', { name: 'Annexe', ecosystemId: ownHotel.ecosystem }],
  ]
  for (const [path, body] of twins) {
    const answers = [
      await hotels.member('POST', path, ownHotel.token, body),
      await hotels.member('POST', path, ownHotel.token, body),
    ]
    assert.equal(
      answers.map(answer => answer.status),
      [201, 201],
      `${path} ${JSON.stringify(answers[1]?.body)}`,
    )
    assert.is.not(answers[0]?.body['id'], answers[1]?.body['id'])
    assert.is((await hotels.member('POST', path, otherHotel.token, body)).status, 403, path)
  }
})

test.run()
