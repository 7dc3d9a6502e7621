import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { runCommand } from '../../kit/command.ts'
import { assert } from '../../kit/kit.ts'
import { accountsOf, type BrokerVersion } from '../../kit/platform/divided-bus.ts'
import type { OwnPlatform } from '../../kit/platform/platform.ts'

/** What the guides add to the schema of news. */
export const migrations = ['0099-notes', '0100-note-colors']

/** The version that the guides made in a folder, and what its operator does before its processes start. */
export function nextVersion(folder: string) {
  /** Runs a command of that version. @returns its JSON */
  const command = async (env: Environment, ...words: string[]) => {
    const child = spawn(process.execPath, ['cli/command.ts', ...words, '--json'], { cwd: folder, env })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', text => (output[name] += String(text)))
    const [code] = await once(child, 'close')
    assert.is(code, 0, output.stderr)
    return JSON.parse(output.stdout)
  }
  return {
    folder,
    command,
    /** A backup, the broker's accounts if it has some, and the databases, while processes of this version write. */
    async prepare({ env, bus }: OwnPlatform, backup: string): Promise<void> {
      const { status, stderr } = await runCommand(['backup', backup, '--with-secrets'], env)
      assert.is(status, 0, stderr)
      if (env['NEWS_AMQP_GATEWAY_URL']) {
        const parts = ['broker-config', 'broker-permissions'].map(name => import(join(folder, `cli/stack/${name}.ts`)))
        bus.reload(accountsOf(bus.stream, Object.assign({}, ...(await Promise.all(parts))) as BrokerVersion))
      }
      const { applied } = await command(env, 'migrate')
      assert.equal(applied.news, migrations)
    },
  }
}
