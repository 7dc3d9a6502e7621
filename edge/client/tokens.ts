/** The tokens of a sign-in (docs/contract.md). */
export type ClientTokens = { accessToken: string; refreshToken: string }

/**
 * Holds a client's tokens. The refresh token is exchanged once for all concurrent calls that find theirs expired: it is
 * single-use, and a second use would end the sign-in.
 */
export function tokenKeeper(
  initialTokens: ClientTokens | undefined,
  onTokens: ((tokens: ClientTokens | null) => void) | undefined,
  exchange: (spentTokens: ClientTokens) => Promise<ClientTokens>,
) {
  let tokens: ClientTokens | null = initialTokens ?? null
  let refreshing: Promise<boolean> | undefined
  const keep = (next: ClientTokens | null) => {
    tokens = next
    onTokens?.(next)
  }

  async function renewTokens(spentTokens: ClientTokens): Promise<boolean> {
    // A sign-out or new sign-in during the exchange takes precedence.
    const keepUnlessReplaced = (next: ClientTokens | null): void => {
      if (tokens === spentTokens) keep(next)
    }
    try {
      const { accessToken, refreshToken } = await exchange(spentTokens)
      keepUnlessReplaced({ accessToken, refreshToken })
    } catch (error) {
      // Only a refusal ends the sign-in; an unreachable platform may be back for the next call.
      if ((error as { status?: number }).status === 401) keepUnlessReplaced(null)
    }
    return tokens !== null && tokens !== spentTokens
  }

  return {
    current: () => tokens,
    keep,
    /** Whether there are newer tokens than the refused one, exchanging them if needed. */
    async refresh(refusedToken: string): Promise<boolean> {
      if (!tokens) return false
      if (tokens.accessToken !== refusedToken) return true
      refreshing ??= renewTokens(tokens).finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
  }
}
