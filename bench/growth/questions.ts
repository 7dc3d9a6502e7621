import { strict as assert } from 'node:assert'
import { createClient } from '@connectrpc/connect'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { AccessService } from '../../gen/platform/access/v1/access_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { remoteTransport } from '../../services/kernel/rpc/remote.ts'
import type { Platform } from '../../test/kit/platform/platform.ts'
import { request } from '../support/request.ts'
import { bulk, type Scene } from './rows.ts'

export type Question = {
  name: string
  /** Asks once; resolves to the time it took in ms. */
  ask(): Promise<number>
}

/** A platform with its hotel, signed in, and the number of rows. */
export type GrowthSide = { platform: Platform; scene: Scene; token: string; rows: number }

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

const readOf = (side: GrowthSide, url: string, isAnswer: (body: Answer) => boolean) => () =>
  timed(async () => {
    const body = JSON.parse(await request(url, { token: side.token })) as Answer
    assert.ok(isAnswer(body), `${url}: ${JSON.stringify(body).slice(0, 300)}`)
  })

type Answer = {
  data?: unknown[]
  meta?: { total: number }
  members?: unknown[]
  subordinates?: unknown[]
  id?: string
  count?: number
  cursor?: string
}

const write = (side: GrowthSide, url: string, body: object) => request(url, { token: side.token, body })

/** A draft that is then published. @returns the time of the publication in ms, until `done` */
async function publish(side: GrowthSide, done: () => Promise<unknown> = async () => {}): Promise<number> {
  const url = `${side.platform.urls.news}/api/v1/pages`
  const { workspaceId } = side.scene
  const draft = { workspaceId, title: 'The spa opens again', content: { blocks: [] } }
  const { id } = JSON.parse(await write(side, url, draft)) as { id: string }
  return timed(async () => {
    await write(side, `${url}/${id}/publish`, {})
    await done()
  })
}

export function newsQuestions(side: GrowthSide): Question[] {
  const { platform, scene, rows } = side
  const url = `${platform.urls.news}/api/v1`
  const { idOf } = bulk(rows)
  const pageId = idOf('page', rows)
  let liked = 0
  return [
    {
      name: 'feed',
      ask: readOf(side, `${url}/pages?workspaceId=${scene.workspaceId}`, ({ data }) => data?.length === 20),
    },
    { name: 'page, with its view', ask: readOf(side, `${url}/pages/${pageId}`, ({ id }) => id === pageId) },
    { name: 'comments', ask: readOf(side, `${url}/comments/page/${pageId}`, ({ data }) => (data?.length ?? 0) >= 50) },
    {
      name: 'comment',
      // Not on the page whose comments are read, which would grow by the measurement.
      ask: () => timed(() => write(side, `${url}/comments`, { pageId: idOf('page', rows - 10), content: 'Lovely.' })),
    },
    {
      name: 'like',
      ask: () => {
        const page = idOf('page', rows - 10 * (++liked % (rows / 10)))
        return timed(() => write(side, `${url}/likes`, { pageId: page, reactionType: 'like' }))
      },
    },
    { name: 'publish to 1,000, answer', ask: () => publish(side) },
  ]
}

export function notificationQuestions(side: GrowthSide, db: Connection): Question[] {
  const url = `${side.platform.urls.notification}/api/v1/notifications`
  const [receiver = ''] = side.scene.memberIds
  const newest = async (): Promise<string> => {
    const [[row]] = await db.query<RowDataPacket[]>(
      'select max(notification_id) as id from receivers where member_id = ?',
      [receiver],
    )
    return String(row?.['id'] ?? '')
  }
  return [
    { name: 'inbox page', ask: readOf(side, url, ({ data }) => data?.length === 20) },
    { name: 'unread count', ask: readOf(side, `${url}/unread-count`, ({ count }) => Number(count) > 0) },
    {
      name: 'publish to 1,000, all stored',
      async ask() {
        const before = await newest()
        return publish(side, async () => {
          while ((await newest()) === before) await new Promise(resolve => setTimeout(resolve, 1))
        })
      },
    },
  ]
}

export function memberQuestions(side: GrowthSide): Question[] {
  const { platform, scene } = side
  const url = platform.urls.member
  const { workspaceId, memberId } = scene
  const transport = remoteTransport(platform.env['MEMBER_RPC_URL'] ?? '')
  const rights = createClient(AccessService, transport)
  const headers = { 'x-api-key': platform.env['SERVICE_API_KEY'] ?? '' }
  const list = `${url}/members/get/all?workspaceId=${workspaceId}`
  const part = scene.memberIds[500]?.slice(-4) ?? ''
  let cursor = ''
  return [
    {
      name: 'effective rights',
      ask: () =>
        timed(async () => {
          const access = await rights.getAccess({ memberId }, { headers })
          assert.ok(access.workspaces.some(one => one.workspaceId === workspaceId))
        }),
    },
    { name: 'member list', ask: readOf(side, list, ({ data }) => data?.length === 20) },
    { name: 'member search', ask: readOf(side, `${list}&search=${part}`, ({ data }) => (data?.length ?? 0) > 0) },
    {
      name: 'hierarchy',
      ask: readOf(side, `${url}/members/hierarchy/${memberId}`, ({ subordinates }) => subordinates?.length === 10),
    },
    {
      name: 'audit',
      ask: readOf(side, `${url}/audit/workspace/${workspaceId}`, ({ data }) => data?.length === 20),
    },
    {
      name: 'sync',
      async ask() {
        if (cursor === '') cursor = await synced(side, { workspaceId })
        return timed(() => synced(side, { workspaceId, cursor }))
      },
    },
    {
      name: 'invite',
      ask: () => {
        const body = { workspaceId, email: `${newId()}@growth.example`, workspaceRole: 'member' }
        return timed(() => write(side, `${url}/onboarding/invite`, body))
      },
    },
  ]
}

async function synced(side: GrowthSide, body: object): Promise<string> {
  const { cursor } = JSON.parse(await write(side, `${side.platform.urls.member}/sync/members`, body)) as Answer
  assert.ok(cursor)
  return cursor
}
