import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { Registry } from 'prom-client'
import {
  MediaService,
  type UploadHeadSchema,
  type UploadMediaRequestSchema,
} from '../../gen/platform/media/v1/media_pb.ts'
import { ConflictError, InternalServerError, invalid } from '../../services/kernel/base/errors.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../services/kernel/database/database.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { silentLog } from '../../services/kernel/process/log.ts'
import { mediaConfig } from '../../services/media/config.ts'
import { openStorage } from '../../services/media/objects/open.ts'
import { service } from '../../services/media/service.ts'
import { type MediaTables, tenantTables } from '../../services/media/tables.ts'
import { startTestHost } from './kit.ts'
import { type StandInMember, standInMember, startMemberStandIn } from './partly.ts'
import { quickProviders, sandboxForTest } from './sandbox.ts'

/** The kinds of storage; tests of one must pass for the other. */
export const storageKinds = ['disk', 's3'] as const
export type StorageKind = (typeof storageKinds)[number]

/** A storage for one test file: its settings, and the names of everything in it, drafts included. */
export async function storageForTest(kind: StorageKind) {
  if (kind === 'disk') {
    const folder = await mkdtemp(join(tmpdir(), 'media-'))
    return {
      env: { MEDIA_DIR: folder } as Environment,
      sandbox: undefined,
      async stored() {
        const entries = await readdir(folder, { recursive: true, withFileTypes: true })
        return entries.filter(entry => entry.isFile()).map(entry => entry.name)
      },
      end: () => rm(folder, { recursive: true }),
    }
  }
  const sandbox = await sandboxForTest()
  return {
    env: {
      MEDIA_STORAGE: 's3',
      S3_ENDPOINT: `${sandbox.url}/storage`,
      S3_BUCKET: 'media',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      ...quickProviders,
    } as Environment,
    sandbox,
    async stored() {
      const { json } = await sandbox.call('GET', '/_state/storage')
      const objects = [...json.data, ...json.uploads] as { path: string }[]
      return objects.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
    },
    end: () => sandbox.close(),
  }
}

/** A separate media service for one test file: database, storage, broker, and the members it may ask about. */
export async function mediaForTest(extra: Environment = {}, kind: StorageKind = 'disk') {
  const storage = await storageForTest(kind)
  const members = new Map<string, StandInMember>()
  const member = await startMemberStandIn(members, { checkGrant: checkGrant as never })
  const host = await startTestHost([service], {
    ...storage.env,
    MEMBER_RPC_URL: `http://127.0.0.1:${member.port}`,
    ...extra,
  })
  const { databaseUrl, storage: storageSettings } = mediaConfig({
    ...host.env,
    MEDIA_DATABASE_URL: host.databaseUrl('media'),
  })
  const db = openDatabase<MediaTables>(databaseUrl, { tables: tenantTables })
  const objects = await openStorage(storageSettings, host.env, { log: silentLog, registry: new Registry() })
  return {
    host,
    sandbox: storage.sandbox,
    /** Database and store, as another process of the service has them. */
    places: { db, objects, log: silentLog },
    /** Names of everything stored, drafts included. */
    stored: storage.stored,
    asService: host.client(MediaService),
    asNobody: host.as(MediaService),
    /** A client that calls as a new member of the ecosystem. */
    memberOf(ecosystemId: string, fields: Partial<StandInMember> = {}) {
      const userId = newId()
      const member = standInMember({ ecosystemId, ...fields })
      members.set(userId, member)
      return { client: host.as(MediaService, userId), memberId: member.memberId }
    },
    async end() {
      await closeDatabase(db)
      objects.close()
      await host.end()
      await member.close(100)
      await storage.end()
    },
  }
}

/** An ecosystem unknown to the member service, one for which it has no answer, and one whose hotel is closed. */
export const [unheardOf, unsaid, closedHotel] = ['0'.repeat(24), '1'.repeat(24), '2'.repeat(24)]

/** Stands in for the member service's check of an ecosystem. */
async function checkGrant({ ecosystemId }: { ecosystemId: string }): Promise<object> {
  if (ecosystemId === unheardOf) throw invalid('ecosystemId', 'is not one', 'unknown_ecosystem')
  if (ecosystemId === closedHotel) throw new ConflictError('The hotel is closed')
  if (ecosystemId === unsaid) throw new InternalServerError()
  return {}
}

type Head = MessageInitShape<typeof UploadHeadSchema>
type Part = MessageInitShape<typeof UploadMediaRequestSchema>

/** The messages of an upload. */
export async function* uploadParts(head: Head, ...chunks: Uint8Array[]): AsyncGenerator<Part> {
  yield { part: { case: 'head', value: head } }
  for (const chunk of chunks) yield { part: { case: 'chunk', value: chunk } }
}

/** Uploads and returns the record. */
export async function upload(client: Client<typeof MediaService>, head: Head, ...chunks: Uint8Array[]) {
  const { file } = await client.uploadMedia(uploadParts(head, ...chunks))
  if (!file) throw new Error('the answer holds no file')
  return file
}

/** Downloads a file: its head and its bytes. */
export async function download(
  client: Client<typeof MediaService>,
  id: string,
  variant?: string,
  headers: Record<string, string> = {},
) {
  const parts: Uint8Array[] = []
  let head
  for await (const { chunk } of client.downloadMedia({ id, ...(variant && { variant }) }, { headers })) {
    head ??= chunk?.head
    if (chunk) parts.push(chunk.data)
  }
  return { head, bytes: Buffer.concat(parts) }
}
