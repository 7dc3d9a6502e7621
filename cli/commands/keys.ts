import { join } from 'node:path'
import { readSetting } from '../../services/kernel/process/config.ts'
import { type RotatableSecret, rotatableSecrets } from '../stack/secrets.ts'
import { type CliCommand, CommandError, type CommandRequest, exitCodes, textOf } from './command.ts'
import { type KeyFile, keyFile } from './keys/file.ts'
import { type ResealCount, reseal } from './keys/reseal.ts'
import { type KeyStep, nextStep, retirement, stageOf, withFile } from './keys/steps.ts'
import { dataDirOf, settingsOf } from './operator-settings.ts'
import { count, table } from './print.ts'

const fileOption = { file: { value: 'path', help: 'file that holds the secrets; default: the file of npm start' } }
const names = rotatableSecrets.flatMap(name => [name, `${name}_NEXT`, `${name}_PREVIOUS`])

/** The file to change: the named one, or the secrets of npm start unless the environment overrides them. */
function fileOf({ env, optionValues }: CommandRequest): KeyFile {
  const path = textOf(optionValues, 'file')
  if (path !== undefined) return keyFile(path)
  if (!rotatableSecrets.some(name => readSetting(env, '', name))) return keyFile(join(dataDirOf(env), 'secrets.json'))
  throw new CommandError('The secrets come from the environment: pass the file that holds them with --file.')
}

function secretsNamed(word: string | undefined): readonly RotatableSecret[] {
  if (word === 'all') return rotatableSecrets
  const name = rotatableSecrets.find(secret => secret === word)
  if (!name)
    throw new CommandError(`The secret must be one of ${rotatableSecrets.join(', ')}, or all.`, exitCodes.usage)
  return [name]
}

/** Writes the steps and prints what to do before the next one. Values are never shown. */
function take(file: KeyFile, steps: KeyStep[], advice: string) {
  file.write(Object.assign({}, ...steps.map(({ changes }) => changes)))
  const data = { file: file.path, secrets: steps.map(({ name, stage }) => ({ name, stage })), next: advice }
  return { data, text: `${steps.map(({ name, stage }) => `${name} is ${stage}.`).join('\n')}\n\n${advice}` }
}

const restart = (file: KeyFile): string =>
  file.isJson ? 'Stop npm start and start it again' : 'Restart every process, one after the other'

/** Rotation of secrets while the platform runs; see docs/guides/operate.md. */
export const keyCommands: CliCommand[] = [
  {
    name: 'keys list',
    summary: 'rotation stage of each secret, without values',
    options: fileOption,
    async run(ask) {
      const file = fileOf(ask)
      const data = rotatableSecrets.map(name => ({ name, stage: stageOf(file, name) }))
      return {
        data: { file: file.path, data },
        text: table(
          ['secret', 'stage'],
          data.map(row => Object.values(row)),
        ),
      }
    },
  },
  {
    name: 'keys rotate',
    summary: 'takes the next step in rotating a secret, or all of them',
    words: ['secret'],
    options: {
      ...fileOption,
      'at-once': { help: 'for a platform that stops all processes before it starts any again' },
    },
    async run(ask) {
      const file = fileOf(ask)
      const atOnce = file.isJson || ask.optionValues['at-once'] === true
      const steps = secretsNamed(ask.words[0]).map(name => nextStep(file, name, atOnce))
      const isPrepared = steps.some(({ stage }) => stage === 'prepared')
      const advice = isPrepared
        ? `each then also accepts the next value. Then run \`platform keys rotate ${ask.words[0]}\` again.`
        : `the previous value stays accepted until you run \`platform keys retire ${ask.words[0]}\`. Run \`platform keys reseal\` first, and wait until earlier access tokens have expired.`
      return take(file, steps, `${restart(file)}: ${advice}`)
    },
  },
  {
    name: 'keys reseal',
    summary: 're-encrypts data stored under a previous PASSWORD_ENCRYPTION_KEY with the current one',
    options: { ...fileOption, 'dry-run': { help: 'only counts' } },
    async run(ask) {
      const isDry = ask.optionValues['dry-run'] === true
      const data = await reseal(withFile(settingsOf(ask.env), fileOf(ask), names), isDry)
      return { data: { data }, text: tableOf(data, isDry), isFault: data.some(({ unreadable }) => unreadable > 0) }
    },
  },
  {
    name: 'keys retire',
    summary: 'ends a rotation: the previous value is refused from the next restart on',
    words: ['secret'],
    options: fileOption,
    async run(ask) {
      const file = fileOf(ask)
      const steps = secretsNamed(ask.words[0]).map(name => retirement(file, name))
      if (steps.some(({ name }) => name === 'PASSWORD_ENCRYPTION_KEY')) await assertResealed(ask, file)
      return take(file, steps, `${restart(file)}: the previous value is then refused.`)
    },
  },
]

async function assertResealed(ask: CommandRequest, file: KeyFile): Promise<void> {
  const remaining = await reseal(withFile(settingsOf(ask.env), file, names), true)
  const remainingValues = remaining.reduce((sum, purpose) => sum + purpose.resealed, 0)
  if (remainingValues > 0)
    throw new CommandError(
      `${count(remainingValues, 'value')} can only be read with the previous key. Run \`platform keys reseal\` first.`,
    )
}

function tableOf(purposes: ResealCount[], isDry: boolean): string {
  const rows = purposes.map(purpose => [
    `${purpose.service}.${purpose.table}.${purpose.column}`,
    ...[purpose.examined, purpose.resealed, purpose.unreadable].map(String),
  ])
  return table(['column', 'examined', isDry ? 'to reseal' : 'resealed', 'unreadable'], rows)
}
