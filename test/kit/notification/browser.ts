import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../../services/kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../../services/kernel/database/database.ts'
import type { TestHost } from '../kit.ts'

/** Sessions in the authentication service of a host, as sign-ins begin them. */
export function sessionsOf(host: TestHost) {
  const db = openDatabase<unknown>(host.databaseUrl('auth'))
  return {
    async begin(): Promise<string> {
      const id = newId()
      await sql`
        insert into sessions (id, last_activity, created_at, updated_at) values (${id}, now(3), now(3), now(3))
      `.execute(db)
      return id
    },
    /** Sets columns of a session. */
    async change(id: string, columns: string): Promise<void> {
      await sql`update sessions set ${sql.raw(columns)} where id = ${id}`.execute(db)
    },
    close: () => closeDatabase(db),
  }
}

/** What the platform sends to a browser. */
export type PushPayload = {
  id: string
  title: string
  body: string
  language: string
  address: string
  unread: number
}

/**
 * A browser with a subscription at the sandbox's push service, whose keys the test knows.
 * @param kind `stale` for one that is gone
 */
export function newBrowser(sandboxUrl: string, kind = 'browser') {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const secret = randomBytes(16)
  const name = `${kind}-${newId()}`
  return {
    name,
    subscription: {
      endpoint: `${sandboxUrl}/webpush/${name}`,
      p256dh: publicKey.toString('base64url'),
      auth: secret.toString('base64url'),
    },
    /** Decrypts a push as RFC 8291 has browsers do it. */
    decrypt(base64url: string): PushPayload {
      const record = Buffer.from(base64url, 'base64url')
      const salt = record.subarray(0, 16)
      const senderKey = record.subarray(21, 86)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const input = Buffer.from(hkdfSync('sha256', pair.computeSecret(senderKey), secret, info, 32))
      const derive = (label: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${label}\0`, bytes))
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      decipher.setAuthTag(record.subarray(-16))
      const text = Buffer.concat([decipher.update(record.subarray(86, -16)), decipher.final()]).toString()
      // The delimiter of the last record, and padding, follow.
      return JSON.parse(text.slice(0, text.lastIndexOf('\u0002'))) as PushPayload
    },
  }
}
