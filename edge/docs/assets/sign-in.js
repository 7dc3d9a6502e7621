/** Names in the tab's storage: what was entered under "Authorize", and the token that renews the sign-in. */
const key = 'docs.authorization'
const refreshKey = 'docs.refreshToken'

/** A plugin of Swagger UI that keeps credentials in the tab's storage. */
export const rememberSignIn = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: original => payload => {
          sessionStorage[key] = JSON.stringify({ ...JSON.parse(sessionStorage[key] ?? '{}'), ...payload })
          return original(payload)
        },
        logout: original => payload => {
          delete sessionStorage[key]
          delete sessionStorage[refreshKey]
          return original(payload)
        },
      },
    },
  },
})

/**
 * Restores the credentials, and makes the form get tokens where the page has the authentication service.
 * @param auth address of the authentication service; undefined without it
 */
export function showSignIn(ui, auth) {
  if (sessionStorage[key]) ui.authActions.authorize(JSON.parse(sessionStorage[key]))
  const form = document.querySelector('#sign-in')
  if (!form || auth === undefined) return
  const status = form.querySelector('[role=status]')
  let timer
  const renewIn = ms => {
    clearTimeout(timer)
    timer = setTimeout(renew, ms)
  }

  /**
   * Gets tokens, shows whose they are, and renews them a minute before they expire.
   * @returns the answer; undefined without one
   */
  const signIn = async (path, body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(auth + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      () => undefined,
    )
    const content = (await answer?.json().catch(() => undefined)) ?? {}
    const { accessToken, refreshToken, expiresIn = 900, user, error, message } = content
    if (!accessToken) {
      // Refused fields come as a list.
      status.textContent = error?.[0]?.message ?? message ?? 'The platform can’t be reached.'
      return answer
    }
    status.textContent = user ? `Signed in as ${user.email}.` : 'Signed in.'
    sessionStorage[refreshKey] = refreshToken
    ui.preauthorizeApiKey('bearer', accessToken)
    renewIn((expiresIn - 60) * 1e3)
    return answer
  }
  /** Does nothing after a sign-out. */
  const renew = async () => {
    const refreshToken = sessionStorage[refreshKey]
    if (!refreshToken) return
    const answer = await signIn('/auth/refreshToken', { refreshToken })
    if (answer?.status === 400 || answer?.status === 401) delete sessionStorage[refreshKey]
    else if (!answer?.ok) renewIn(60_000)
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    void signIn('/auth/login', Object.fromEntries(new FormData(form))).then(answer => answer?.ok && form.reset())
  })
  void renew()
}
