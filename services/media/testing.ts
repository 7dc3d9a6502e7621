import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { AccessService } from '../../gen/platform/access/v1/access_pb.ts'
import {
  MediaService,
  type UploadHeadSchema,
  type UploadMediaRequestSchema,
} from '../../gen/platform/media/v1/media_pb.ts'
import type { Environment } from '../kernel/config.ts'
import { NotFoundError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { implement } from '../kernel/implement.ts'
import { startRpcServer } from '../kernel/server.ts'
import { startTestHost } from '../kernel/testing.ts'
import { service } from './service.ts'

type Membership = { memberId: string; ecosystemId: string; permissions: string[]; isSuperAdmin: boolean }

/** A media service of its own for one test file: database, disk, broker, and members that it may ask about. */
export async function mediaForTest(extra: Environment = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'media-'))
  const members = new Map<string, Membership>()
  const member = await memberAnswers(members)
  const host = await startTestHost([service], {
    MEDIA_DIR: folder,
    MEMBER_RPC_URL: `http://127.0.0.1:${member.port}`,
    ...extra,
  })
  return {
    host,
    folder,
    asService: host.client(MediaService),
    asNobody: host.as(MediaService),
    /** A client that calls as a new member of the ecosystem. */
    memberOf(ecosystemId: string, more: Partial<Membership> = {}) {
      const userId = newId()
      const member = { memberId: newId(), ecosystemId, permissions: [], isSuperAdmin: false, ...more }
      members.set(userId, member)
      return { client: host.as(MediaService, userId), memberId: member.memberId }
    },
    async end() {
      await host.end()
      await member.close(100)
      await rm(folder, { recursive: true })
    },
  }
}

/** The member service's side of the wire, answering from a table: its own rules are tested with it. */
function memberAnswers(members: ReadonlyMap<string, Membership>) {
  const rpc = implement(
    AccessService,
    {
      async getAccess({ userId }) {
        const found = members.get(userId)
        if (!found) throw new NotFoundError('Member not found')
        const { memberId, ecosystemId, permissions, isSuperAdmin } = found
        const ecosystems = ecosystemId ? [{ ecosystemId, role: 'member', isOwner: false, permissions }] : []
        return { memberId, userId, isSuperAdmin, ecosystems }
      },
    },
    ['getWorkspaceTenant'],
  )
  return startRpcServer({ rpcs: [rpc], interceptors: [], host: '127.0.0.1', port: 0, healthy: async () => true })
}

type Head = MessageInitShape<typeof UploadHeadSchema>
type Part = MessageInitShape<typeof UploadMediaRequestSchema>

/** The messages of an upload. */
export async function* uploadParts(head: Head, ...chunks: Uint8Array[]): AsyncGenerator<Part> {
  yield { part: { case: 'head', value: head } }
  for (const chunk of chunks) yield { part: { case: 'chunk', value: chunk } }
}

/** Uploads and gives the record back. */
export async function upload(client: Client<typeof MediaService>, head: Head, ...chunks: Uint8Array[]) {
  const { file } = await client.uploadMedia(uploadParts(head, ...chunks))
  if (!file) throw new Error('the answer holds no file')
  return file
}

/** Downloads a file whole: its head and its bytes. */
export async function download(client: Client<typeof MediaService>, id: string) {
  const parts: Uint8Array[] = []
  let head
  for await (const { chunk } of client.downloadMedia({ id })) {
    head ??= chunk?.head
    if (chunk) parts.push(chunk.data)
  }
  return { head, bytes: Buffer.concat(parts) }
}
