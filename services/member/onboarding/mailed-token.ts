import { NotFoundError } from '../../kernel/base/errors.ts'
import { keyedDigest, sameSecret } from '../../kernel/base/secrets.ts'
import type { MailedTokens } from '../context.ts'

/**
 * Tokens of mailed links: that of the invitation, which its sender knows too, and a proof that only the mail shows. Who
 * has the proof has opened the mailbox [D521].
 * @param keys the first one proves, all of them check
 */
export function mailedTokens(keys: string[]): MailedTokens {
  const proofOf = (key: string, token: string) => keyedDigest(key, `mailed invitation ${token}`).slice(0, 32)
  return {
    mailedToken: token => `${token}.${proofOf(keys[0] ?? '', token)}`,
    readToken(typed) {
      const [token = '', proof, ...rest] = typed.split('.')
      if (proof === undefined) return { token, isMailed: false }
      if (rest.length === 0 && keys.some(key => sameSecret(proof, proofOf(key, token))))
        return { token, isMailed: true }
      throw new NotFoundError('Invitation not found')
    },
  }
}
