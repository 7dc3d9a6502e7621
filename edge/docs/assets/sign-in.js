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

  /** Gets tokens, shows whose they are, and renews them a minute before they expire. */
  const signIn = async (path, body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(auth + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      () => undefined,
    )
    const { accessToken, refreshToken, expiresIn = 900, user, message } = (await answer?.json()) ?? {}
    if (!accessToken) {
      status.textContent = message ?? 'The platform can’t be reached.'
      delete sessionStorage[refreshKey]
      return
    }
    status.textContent = user ? `Signed in as ${user.email}.` : 'Signed in.'
    sessionStorage[refreshKey] = refreshToken
    ui.preauthorizeApiKey('bearer', accessToken)
    setTimeout(renew, (expiresIn - 60) * 1e3)
  }
  /** Does nothing after a sign-out. */
  const renew = () => {
    const refreshToken = sessionStorage[refreshKey]
    if (refreshToken) void signIn('/auth/refreshToken', { refreshToken })
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    void signIn('/auth/login', Object.fromEntries(new FormData(form))).then(() => form.reset())
  })
  renew()
}
