import { PlatformError } from '../../../client/client.ts'
import { type Texts, useTexts } from '../platform/texts.ts'

/** Beginnings of the platform's messages, and the text that explains each. */
const refusalTexts: [status: number, message: RegExp, text: keyof Texts['members/refusals']][] = [
  [403, /^Cannot manage this member/, 'notBelow'],
  [403, /./, 'tooStrong'],
  [409, /administrator/i, 'lastAdministrator'],
  [409, /owner/i, 'lastOwner'],
  [409, /already (has )?a member/i, 'present'],
  [409, /role/i, 'roleInUse'],
  [409, /taken|exists|in use/i, 'taken'],
]

/** Explanations of refused changes to people, for `statusTexts` of `Problem`. */
export function useRefusals(): (error: unknown) => Record<number, string> {
  const t = useTexts('members/refusals')
  return error => {
    if (!(error instanceof PlatformError)) return {}
    const explanation = refusalTexts.find(([status, message]) => status === error.status && message.test(error.message))
    return explanation ? { [explanation[0]]: t[explanation[2]] } : {}
  }
}
