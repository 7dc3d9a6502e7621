import { listeners } from '../../edge/config.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { readSetting } from '../../services/kernel/process/config.ts'
import { isProduction } from '../../services/kernel/process/mode.ts'
import { messageOf } from '../stack/messages.ts'
import { type Call, call, endSession, type RouteAnswer, type Urls } from '../tour/client.ts'
import { CommandError, type CommandRequest, exitCodes, faultsOf, type Option, textOf } from './command.ts'
import { settingsOf } from './operator-settings.ts'

/** Options of every command that calls the platform. */
export const accessOptions: Record<string, Option> = {
  host: { value: 'address', help: 'address of the platform; default 127.0.0.1' },
  token: {
    value: 'token',
    help: "a platform administrator's access token; default PLATFORM_TOKEN, else the bootstrap administrator signs in",
  },
}

/** Address of each REST service. */
export function urlsOf({ env, optionValues }: Pick<CommandRequest, 'env' | 'optionValues'>): Urls {
  const host = textOf(optionValues, 'host') ?? '127.0.0.1'
  const names = Object.keys(listeners) as RestService[]
  const url = (name: RestService) =>
    `http://${host}:${readSetting(env, '', listeners[name].setting) ?? listeners[name].port}`
  return Object.fromEntries(names.map(name => [name, url(name)])) as Urls
}

/** Refuses a command in production, and on another machine, whose mode isn't known here. */
export function refuseProduction({ env, optionValues }: CommandRequest, consequence: string): void {
  if (isProduction(settingsOf(env))) throw new CommandError(`In production, ${consequence}`)
  if (!/^(127\.[\d.]+|localhost|\[::1\])$/.test(textOf(optionValues, 'host') ?? 'localhost'))
    throw new CommandError(`On another machine, ${consequence}`)
}

/** Address of the sandbox, which receives the mails outside production. */
export const sandboxUrlOf = (env: CommandRequest['env']): string =>
  `http://127.0.0.1:${readSetting(env, '', 'SANDBOX_PORT') ?? 3010}`

/**
 * The platform administrator created at the first start.
 * @param orElse the alternative to name in the message when none is known
 */
export function administratorOf(env: CommandRequest['env'], orElse = ''): { email: string; password: string } {
  const settings = settingsOf(env)
  const email = readSetting(settings, '', 'BOOTSTRAP_ADMIN_EMAIL') ?? ''
  const password = readSetting(settings, '', 'BOOTSTRAP_ADMIN_PASSWORD')
  if (!password)
    throw new CommandError(`No administrator credentials found: ${orElse}set BOOTSTRAP_ADMIN_PASSWORD or DATA_DIR.`)
  return { email, password }
}

/** Calls a documented route as a platform administrator and returns its body. */
export async function request(
  ask: CommandRequest,
  service: RestService,
  method: string,
  path: string,
  body?: unknown,
): Promise<RouteAnswer['body']> {
  const urls = urlsOf(ask)
  const token = givenToken(ask) ?? (await (ask.session ??= signIn(ask, urls)))
  return callRoute(urls, service, method, path, { token, ...(body === undefined ? {} : { body }) })
}

/** A query string of the given options, with its question mark; empty without any. */
export function queryOf(values: Record<string, string | undefined>): string {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}

/** The access token that was passed, if any. */
export const givenToken = ({ env, optionValues }: CommandRequest): string | undefined =>
  textOf(optionValues, 'token') ?? readSetting(env, '', 'PLATFORM_TOKEN')

/** Signs in once for all calls of a command; main.ts signs out at its end. */
async function signIn({ env }: CommandRequest, urls: Urls): Promise<string> {
  const body = administratorOf(env, 'pass --token, or ')
  const { accessToken } = await callRoute(urls, 'auth', 'POST', '/auth/login', { body })
  return String(accessToken)
}

/** Ends the command's own session, if it has one. A platform that is gone meanwhile ends it by itself. */
export async function signOut(ask: CommandRequest): Promise<void> {
  const token = await ask.session?.catch(() => undefined)
  if (token !== undefined) await endSession(urlsOf(ask), token).catch(() => undefined)
}

/** Whether a call failed because nobody answers. */
export const isUnanswered = (error: unknown): boolean => error instanceof TypeError && error.cause !== undefined

/** The error of a platform that doesn't answer. */
export const unreachable = (address: string, reason: string): CommandError =>
  new CommandError(
    `${address} is not responding (${reason}). Is the platform running? Start it with npm start.`,
    exitCodes.unreachable,
  )

async function callRoute(urls: Urls, service: RestService, method: string, path: string, options: Call) {
  const answer = await call(urls, service, method, path, options).catch((error: unknown) => {
    throw unreachable(urls[service], messageOf(error))
  })
  if (answer.status < 300) return answer.body
  const { error, message: text, msg } = answer.body ?? {}
  const message = Array.isArray(error) ? faultsOf(error) : (text ?? msg ?? 'refused')
  throw new CommandError(`${method} ${path}: ${answer.status} ${message}`, exitCodes.fault, answer.status)
}
