import { assert, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses } from '../kit/platform/shared-person.ts'

/** How people join a workspace, what others are shown of it, and what remains when they leave, over HTTP. */
const test = suite('colleagues over HTTP')
let platform: Platform
let at: Houses
let ours: House
let theirs: House

test.before(async () => {
  platform = await sharedPlatform()
  at = await houses(platform)
  ours = await at.house('Le Phare', 'ada')
  theirs = await at.house('Autre', 'eve')
})

test('teams, departments and workspaces may share a name, and departments a code', async () => {
  const workspaceId = ours.workspace
  const twins: [path: string, body: object][] = [
    ['/teams', { workspaceId, name: 'Night' }],
    ['/departments', { workspaceId, name: 'Floor', code: 'FLR' }],
    ['/workspaces', { name: 'Annexe', ecosystemId: ours.ecosystem }],
  ]
  for (const [path, body] of twins) {
    const answers = [await at.member('POST', path, ours.token, body), await at.member('POST', path, ours.token, body)]
    assert.equal(
      answers.map(answer => answer.status),
      [201, 201],
      `${path} ${JSON.stringify(answers[1]?.body)}`,
    )
    assert.is.not(answers[0]?.body['id'], answers[1]?.body['id'])
    assert.is((await at.member('POST', path, theirs.token, body)).status, 403, path)
  }
})

test.run()
