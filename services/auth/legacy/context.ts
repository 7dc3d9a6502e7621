import { cipher, type Cipher } from '../../kernel/base/secrets.ts'
import type { Context } from '../context.ts'

/** What the legacy handlers take beside the common parts: a key for each kind of encrypted token. */
export type LegacyContext = Context & { refreshBox: Cipher; resetBox: Cipher; createBox: Cipher }

/** Purposes keep tokens of one kind from being taken for another. */
export const legacyContext = (parts: Context): LegacyContext => ({
  ...parts,
  refreshBox: cipher('legacy-refresh-token', parts.config.refreshSecrets),
  resetBox: cipher('legacy-reset-token', parts.config.refreshSecrets),
  createBox: cipher('legacy-create-password-token', parts.config.refreshSecrets),
})
