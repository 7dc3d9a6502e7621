/** The pair of a sign-in (document 1, "Token Management"). */
export type Tokens = { accessToken: string; refreshToken: string }

/**
 * Holds the tokens of a client. However many calls find theirs expired at one moment, the refresh token is exchanged
 * once: it is spent by its first use, and a second use would end the whole sign-in.
 */
export function tokenKeeper(
  first: Tokens | undefined,
  told: ((tokens: Tokens | null) => void) | undefined,
  exchange: (refreshToken: string) => Promise<Tokens>,
) {
  let tokens: Tokens | null = first ?? null
  let running: Promise<boolean> | undefined
  const keep = (next: Tokens | null) => {
    tokens = next
    told?.(next)
  }

  async function renew(refreshToken: string): Promise<boolean> {
    try {
      const { accessToken, refreshToken: next } = await exchange(refreshToken)
      keep({ accessToken, refreshToken: next })
      return true
    } catch (error) {
      // Only a refusal ends the sign-in; a platform out of reach may be back for the next call.
      if ((error as { status?: number }).status === 401) keep(null)
      return false
    }
  }

  return {
    current: () => tokens,
    keep,
    /** Whether there are newer tokens than the one that was refused, exchanging them if need be. */
    async refresh(refused: string): Promise<boolean> {
      if (!tokens) return false
      if (tokens.accessToken !== refused) return true
      running ??= renew(tokens.refreshToken).finally(() => {
        running = undefined
      })
      return running
    },
  }
}
