import { text } from 'node:stream/consumers'
import { type ClientTokens, type PlatformClient, PlatformError, platformClient } from '../../edge/client/client.ts'
import { readSetting } from '../../services/kernel/process/config.ts'
import { messageOf } from '../stack/messages.ts'
import { accessOptions, administratorOf, givenToken, isUnanswered, unreachable, urlsOf } from './access.ts'
import { CommandError, type CommandRequest, exitCodes, faultsOf, type Option, textOf } from './command.ts'

/** Options of a command that anybody with an account may run. */
export const personOptions: Record<string, Option> = {
  ...accessOptions,
  token: { value: 'token', help: 'an access token; default PLATFORM_TOKEN, else a sign-in' },
  email: {
    value: 'address',
    help: 'who signs in, with PLATFORM_PASSWORD or a password on standard input; default the bootstrap administrator',
  },
}

/** Signs in as the options say. @returns the tokens of the new session */
export async function signInAsPerson(client: PlatformClient, ask: CommandRequest): Promise<ClientTokens> {
  const email = textOf(ask.optionValues, 'email')
  const credentials =
    email === undefined
      ? administratorOf(ask.env, 'pass --email or --token, or ')
      : { email, password: await passwordOf(ask) }
  const { accessToken, refreshToken } = await client.auth.login({ body: credentials })
  return { accessToken, refreshToken }
}

const howToPass = 'set PLATFORM_PASSWORD, or pass the password on standard input.'

async function passwordOf({ env }: CommandRequest): Promise<string> {
  const password = readSetting(env, '', 'PLATFORM_PASSWORD')
  if (password !== undefined) return password
  if (process.stdin.isTTY) throw new CommandError(howToPass, exitCodes.usage)
  const input = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (input === '') throw new CommandError(`No password: ${howToPass}`, exitCodes.usage)
  return input
}

/** The REST client of a command. Its refusals become errors of the command. */
export async function withClient<Value>(
  ask: CommandRequest,
  work: (client: PlatformClient) => Promise<Value>,
): Promise<Value> {
  const addresses = urlsOf(ask)
  try {
    return await work(platformClient({ addresses }))
  } catch (error) {
    if (error instanceof PlatformError) {
      const message = `${error.status} ${faultsOf(error.violations) || error.message}`
      throw new CommandError(message, exitCodes.fault, error.status)
    }
    if (isUnanswered(error)) throw unreachable(new URL(addresses.auth).host, messageOf(error))
    throw error
  }
}

/** Works as a person: with the given token, or in a session that ends with the work. */
export const asPerson = <Value>(
  ask: CommandRequest,
  work: (client: PlatformClient) => Promise<Value>,
): Promise<Value> =>
  withClient(ask, async client => {
    const token = givenToken(ask)
    client.keepTokens(token ? { accessToken: token, refreshToken: '' } : await signInAsPerson(client, ask))
    try {
      return await work(client)
    } finally {
      if (!token) await client.signOut().catch(() => undefined)
    }
  })

/** The workspace of the option, or else of the person. */
export async function workspaceOf({ optionValues }: CommandRequest, client: PlatformClient): Promise<string> {
  const workspaceId = textOf(optionValues, 'workspace') ?? (await client.auth.getMe()).workspaceId
  if (!workspaceId) throw new CommandError('This account belongs to no hotel: pass --workspace.', exitCodes.usage)
  return workspaceId
}
