import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '../../../services/kernel/base/service-names.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { databaseUrlOf, environment, givenDatabases, operatorBroker } from '../../environment.ts'
import { memberViews } from '../../published.ts'
import { operatorAccount } from '../../stack/broker-config.ts'
import { lockFolder } from '../../stack/lock.ts'
import { LaunchError, messageOf } from '../../stack/messages.ts'
import { ensureFolder, grantMemberViews, startStack } from '../../stack/stack.ts'
import { type CliCommand, CommandError, type CommandRequest, exitCodes } from '../command.ts'
import { dataDirOf } from '../operator-settings.ts'
import { type Manifest, secretsFile, verifiedManifest } from './manifest.ts'
import { restoreBackup } from './put-back.ts'

/** Restores a backup into an installation that isn't running: the configured servers, else a data folder. */
export const restoreCommand: CliCommand = {
  name: 'restore',
  summary: 'restores a backup into an empty, stopped installation after verifying every checksum',
  words: ['folder'],
  options: {
    force: { help: 'replaces existing data; refused while a process is connected' },
    'other-secrets': { help: 'proceeds although secrets differ from those of the backup' },
    'dry-run': { help: 'verifies every checksum and changes nothing' },
  },
  async run(ask) {
    const folder = ask.words[0] ?? ''
    const manifest = await verifiedManifest(folder)
    const { version, takenAt } = manifest
    if (ask.optionValues['dry-run'] === true)
      return { data: { version, takenAt, isWhole: true }, text: `The backup of ${takenAt} is intact.` }
    const force = ask.optionValues['force'] === true
    const otherSecrets = ask.optionValues['other-secrets'] === true
    const work = { folder, manifest, force, otherSecrets, print: ask.print }
    await withServers(ask, folder, manifest, env => restoreBackup({ env, ...work }))
    return {
      data: { restored: true, version, takenAt },
      text: `\nThe backup of ${takenAt} is restored. Start the platform: it migrates the databases to its version.`,
    }
  },
}

/** The configured servers if all are set; else those of the data folder, started for the time of the work. */
async function withServers(
  { env, print }: CommandRequest,
  folder: string,
  manifest: Manifest,
  work: (env: Environment) => Promise<void>,
): Promise<void> {
  const dataDir = dataDirOf(env)
  const base = { ...env, DATA_DIR: dataDir }
  if (serviceNames.every(name => databaseUrlOf(env, name)) && operatorBroker(env)) return explained(work(base))
  let unlock = () => {}
  try {
    ensureFolder(dataDir)
    unlock = lockFolder(dataDir)
    const secrets = join(dataDir, 'secrets.json')
    if (manifest.hasSecrets && !existsSync(secrets)) copyFileSync(join(folder, secretsFile), secrets)
    const stack = await startStack({
      dataDir,
      print,
      ...givenDatabases(env),
      natsUrl: operatorBroker(env) || undefined,
    })
    try {
      const broker = { OPERATOR_AMQP_GATEWAY_URL: stack.natsUrlOf(operatorAccount) }
      await explained(work(environment(stack, stack.secrets, { ...broker, ...base })))
      // Granted here, because consumers start on pending events before a start could grant it.
      await grantMemberViews(stack, memberViews)
    } finally {
      await stack.stop()
    }
  } catch (error) {
    if (error instanceof LaunchError) throw new CommandError(error.message)
    throw error
  } finally {
    unlock()
  }
}

const explained = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      `The restore is incomplete: ${messageOf(error)}. Fix the cause, then repeat with --force.`,
      exitCodes.unreachable,
    )
  })
