/** The tokens of a sign-in (docs/contract.md). */
export type Tokens = { accessToken: string; refreshToken: string }

/**
 * Holds a client's tokens. The refresh token is exchanged once for all concurrent calls that find theirs expired: it is
 * single-use, and a second use would end the sign-in.
 */
export function tokenKeeper(
  first: Tokens | undefined,
  told: ((tokens: Tokens | null) => void) | undefined,
  exchange: (spent: Tokens) => Promise<Tokens>,
) {
  let tokens: Tokens | null = first ?? null
  let running: Promise<boolean> | undefined
  const keep = (next: Tokens | null) => {
    tokens = next
    told?.(next)
  }

  async function renew(spent: Tokens): Promise<boolean> {
    // A sign-out or new sign-in during the exchange takes precedence.
    const keepInstead = (next: Tokens | null): void => {
      if (tokens === spent) keep(next)
    }
    try {
      const { accessToken, refreshToken } = await exchange(spent)
      keepInstead({ accessToken, refreshToken })
    } catch (error) {
      // Only a refusal ends the sign-in; an unreachable platform may be back for the next call.
      if ((error as { status?: number }).status === 401) keepInstead(null)
    }
    return tokens !== null && tokens !== spent
  }

  return {
    current: () => tokens,
    keep,
    /** Whether there are newer tokens than the refused one, exchanging them if needed. */
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
