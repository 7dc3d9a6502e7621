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

  async function renew(spent: Tokens): Promise<boolean> {
    // Whoever signed out, or in anew, while the exchange was under way has the last word.
    const keepInstead = (next: Tokens | null): void => {
      if (tokens === spent) keep(next)
    }
    try {
      const { accessToken, refreshToken } = await exchange(spent.refreshToken)
      keepInstead({ accessToken, refreshToken })
    } catch (error) {
      // Only a refusal ends the sign-in; a platform out of reach may be back for the next call.
      if ((error as { status?: number }).status === 401) keepInstead(null)
    }
    return tokens !== null && tokens !== spent
  }

  return {
    current: () => tokens,
    keep,
    /** Whether there are newer tokens than the one that was refused, exchanging them if need be. */
    async refresh(refused: string): Promise<boolean> {
      if (!tokens) return false
      if (tokens.accessToken !== refused) return true
      running ??= renew(tokens).finally(() => {
        running = undefined
      })
      return running
    },
  }
}
