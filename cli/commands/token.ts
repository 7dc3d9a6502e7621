import type { CliCommand } from './command.ts'
import { personOptions, signInAsPerson, withClient } from './person.ts'

const { token: _, ...options } = personOptions

/** Signs in for other programs. Its session stays, because the token would end with it. */
export const tokenCommand: CliCommand = {
  name: 'token',
  summary: 'signs in and prints an access token; its session stays until POST /auth/logout, or for seven days',
  options,
  run: ask =>
    withClient(ask, async client => {
      const tokens = await signInAsPerson(client, ask)
      return { data: tokens, text: tokens.accessToken }
    }),
}
