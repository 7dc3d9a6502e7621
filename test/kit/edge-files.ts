import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { MediaService } from '../../gen/platform/media/v1/media_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { service as media } from '../../services/media/service.ts'
import { startTestEdge } from './edge.ts'
import { separateTemporary } from './temporary.ts'

export type Part = [name: string, value: string | Uint8Array, fileName?: string, type?: string]

/** A form built by hand, so that the test controls the order and the oddities of its parts. */
export function form(...parts: Part[]): Buffer {
  const sections = parts.map(([name, value, fileName, type]) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: ${type ?? 'text/plain'}`
    return Buffer.concat([
      Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ])
  })
  return Buffer.concat([...sections, Buffer.from('--edge--\r\n')])
}

export const multipart = 'multipart/form-data; boundary=edge'

/** The media service behind an edge, with a tenant that has room for a GB; others have the default quota of one MO. */
export async function filesForTest(extra: Environment = {}) {
  const temporary = await separateTemporary()
  const folder = path.join(temporary.folder, 'media')
  const { host, urls, end } = await startTestEdge([media], {
    MEDIA_DIR: folder,
    MEDIA_DEFAULT_QUOTA_MO: '1',
    MEDIA_MAX_FILE_MO: '900',
    ...extra,
  })
  const url = urls.media
  const apiKey = String(host.env['SERVICE_API_KEY'])
  const ecosystemId = newId()
  await host.client(MediaService).setMediaQuota({ ecosystemId, maxSize: 1000, unit: 'MO' })

  return {
    url,
    apiKey,
    ecosystemId,
    tenant: ['ecosystemId', ecosystemId] satisfies Part as Part,
    /** Spooled files that still have a name. */
    underWay: temporary.uploads,
    /** Files that the media service has begun and not stored. */
    drafts: () => readdir(path.join(folder, 'incoming')),
    async usedBy(tenantId: string): Promise<unknown> {
      const usage = await fetch(`${url}/media/usage/${tenantId}`, { headers: { 'x-api-key': apiKey } })
      return ((await usage.json()) as Record<string, unknown>)['usedBytes']
    },
    /** Uploads, and returns the result and the paths of the fields that its errors name. */
    async post(body: Buffer, headers: Record<string, string> = {}) {
      const response = await fetch(`${url}/media/upload`, {
        method: 'POST',
        headers: { 'content-type': multipart, 'x-api-key': apiKey, ...headers },
        body: new Uint8Array(body),
      })
      const answer = (await response.json()) as Record<string, unknown>
      const fieldPaths = Array.isArray(answer['error'])
        ? (answer['error'] as { path: string }[]).map(one => one.path)
        : []
      return { status: response.status, answer, fieldPaths }
    },
    async end() {
      await end()
      await temporary.remove()
    },
  }
}
