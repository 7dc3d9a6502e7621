import { type Cipher, cipher } from '../../kernel/base/secrets.ts'
import type { Context } from '../context.ts'

/** Dependencies of the legacy handlers: the common ones, and a key for each kind of encrypted token. */
export type LegacyContext = Context & { refreshBox: Cipher; resetBox: Cipher; createBox: Cipher }

/** A separate purpose per kind, so that a token of one kind isn't accepted as another. */
export const legacyContext = (parts: Context): LegacyContext => ({
  ...parts,
  refreshBox: cipher('legacy-refresh-token', parts.config.refreshSecrets),
  resetBox: cipher('legacy-reset-token', parts.config.refreshSecrets),
  createBox: cipher('legacy-create-password-token', parts.config.refreshSecrets),
})
