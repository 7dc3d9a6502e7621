import type { AcceptInvitationRequest, User } from '../../../../gen/client/auth.ts'
import type { MyWorkspace } from '../../../../gen/client/member.ts'
import { answerOf, inTurn, tokensOf } from '../../../client/browser-session.ts'
import { PlatformError, platformClient } from '../../../client/client.ts'
import { beginStart, type ReadAnswers, sendAfterStart, startEnd } from './first-reads.ts'
import { forgetLoads, reloadAll, restoreAnswer } from './load.ts'
import { serviceAddress } from './place.ts'
import { silenceDevice } from './push/device.ts'
import { fetchSession, signOutKey, stayKey, staysSignedIn, takeEarlyExchange } from './session-route.ts'
import { createStore } from './store.ts'
import { forgetLanguage, type InterfaceLanguage, languageOf, showLanguage } from './texts.ts'
import { profileZone } from './zone.ts'

/** Who is signed in, and where. */
export type SignedInSession = {
  kind: 'in'
  user: User
  /** Active, pending and suspended memberships, oldest first. */
  workspaces: MyWorkspace[]
  /** The workspace that is shown; undefined without an active membership. */
  workspace: MyWorkspace | undefined
  /** Language and time zone of the profile, once they are known. */
  language?: InterfaceLanguage | undefined
  timezone?: string | undefined
}

export type Session =
  | { kind: 'starting' }
  | { kind: 'out' }
  /** The session ended elsewhere or expired. */
  | { kind: 'ended' }
  /** The password is temporary: nothing else works before it is changed. */
  | { kind: 'must-change-password'; currentPassword: string; staySignedIn: boolean }
  /** The platform can't be reached, or refuses for a while, and nothing was kept for offline use. */
  | { kind: 'unreachable' }
  | SignedInSession

type SessionAnswer = { accessToken: string; userId: string; requirePasswordChange?: boolean; reads?: ReadAnswers }
type Form = { email: string; password: string; staySignedIn: boolean }

/** The REST services that the client calls. */
const services = ['auth', 'member', 'hotel', 'media', 'news', 'notification', 'payment'] as const

export const session = createStore<Session>({ kind: 'starting' })

/** When the platform accepts refreshes again, after too many. The shown page stays meanwhile. */
export const pausedUntil = createStore<Date | undefined>(undefined)

/** The platform's REST routes. The refresh token stays in a cookie that scripts can't read. */
export const platform = platformClient({
  addresses: Object.fromEntries(services.map(name => [name, serviceAddress(name)])),
  fetch: (address, init) => sendAfterStart(address as string, init ?? {}, () => platform.accessToken()),
  refresh: async () => tokensOf(await exchangeCookie()),
  onTokens: tokens => {
    if (tokens === null && session.get().kind === 'in') void endSession('ended')
  },
})

const workspaceKey = 'front.workspace'
const sessionKey = 'front.session'

/** What the person has chosen about pushes to this device. */
export const pushKey = 'front.push'

/** Where the signed-in person is stored: until the browser closes, or longer if they stay signed in on this device. */
const signInStorage = (): Storage => (staysSignedIn() ? localStorage : sessionStorage)

/**
 * Resumes the session of the cookie. Shows the stored session at once: what its screen reads is answered with the
 * exchange of the cookie.
 */
export async function restoreSession(): Promise<void> {
  // Only then, because it waits for its turn, which the page's early exchange holds.
  if (localStorage.getItem(signOutKey)) await sendSignOut()
  if (!localStorage.getItem(stayKey)) return endSession('out')
  const text = signInStorage().getItem(sessionKey)
  const lastSignIn = text ? (JSON.parse(text) as SignedInSession) : undefined
  const start = beginStart()
  if (lastSignIn) {
    restoreAnswer()
    showSession(lastSignIn)
  }
  const loaded = loadSession().catch(() => lastSignIn ?? session.set({ kind: 'unreachable' }))
  try {
    const answer = await exchangeCookie(await start.reads())
    if (!answer) return await endSession('out')
    platform.keepTokens(tokensOf(answer))
    start.answer(answer.reads)
  } catch (error) {
    const isPaused = isRefusal(error, 429)
    if (error instanceof PlatformError && !(isPaused && lastSignIn)) return session.set({ kind: 'unreachable' })
    // Offline or without a token, the service worker answers from its cache. After the browser was closed, only a
    // person who stays signed in is known to be the reader.
    if (!lastSignIn) return await endSession('out')
    start.answer()
  } finally {
    start.end()
  }
  await loaded
}

let onlineStart: Promise<void> | undefined

/**
 * The access token for sockets. After a start without a connection, gets the first one.
 * @throws TypeError while there is no connection
 */
export async function accessToken(isRefused: boolean): Promise<string | undefined> {
  await startEnd()
  const token = await platform.accessToken(isRefused)
  if (token || session.get().kind !== 'in') return token
  onlineStart ??= startOnline().finally(() => {
    onlineStart = undefined
  })
  await onlineStart
  return platform.accessToken()
}

async function startOnline(): Promise<void> {
  const answer = await exchangeCookie()
  if (!answer) return endSession('ended')
  platform.keepTokens(tokensOf(answer))
  reloadAll()
  await loadSession()
}

export const signIn = (form: Form): Promise<void> => startSession('session', form, form.password)

type NewAccount = AcceptInvitationRequest & { password: string; staySignedIn: boolean }

/** Accepts an invitation with a new account. */
export const signUp = (form: NewAccount): Promise<void> => startSession('session/accept', form, form.password)

/** Accepts an invitation with the account that is signed in, and enters its workspace. */
export async function joinInvited(token: string): Promise<void> {
  // Renews an expired access token: acceptance is a public route, where it would be refused.
  await platform.auth.getMe()
  const { workspaceId } = await platform.member.acceptInvitation({ token, body: {} })
  await loadSession()
  chooseWorkspace(workspaceId)
}

async function startSession(path: string, form: { staySignedIn: boolean }, password: string): Promise<void> {
  await deleteCachedAnswers()
  const answer = await runExclusively(() => callSessionRoute('POST', path, form))
  endPushes()
  platform.keepTokens(tokensOf(answer))
  const { staySignedIn } = form
  if (answer?.requirePasswordChange)
    return session.set({ kind: 'must-change-password', currentPassword: password, staySignedIn })
  await enterAfterSignIn(staySignedIn)
}

/** Shows the client after a sign-in. From then on, starting the client resumes the session. */
export async function enterAfterSignIn(staySignedIn: boolean): Promise<void> {
  localStorage.setItem(stayKey, staySignedIn ? 'yes' : 'no')
  await loadSession()
}

/** Counts the ends of sessions on this page. */
let endCount = 0

/** Loads who is signed in and their workspaces; changes nothing once the session has ended meanwhile. */
export async function loadSession(): Promise<void> {
  const startCount = endCount
  const [user, { data: workspaces }] = await Promise.all([platform.auth.getMe(), platform.member.listMyWorkspaces()])
  if (endCount !== startCount) return
  const before = session.get()
  const active = workspaces.filter(isOpen)
  const chosenId = localStorage.getItem(workspaceKey)
  const workspace =
    active.find(({ id }) => id === chosenId) ?? active.find(({ id }) => id === user.workspaceId) ?? active[0]
  const { language, timezone } = before.kind === 'in' ? before : {}
  showSession({ kind: 'in', user, workspaces, workspace, language, timezone })
  const isOpenStill = ({ id }: MyWorkspace): boolean => active.some(one => one.id === id)
  if (before.kind === 'in' && !before.workspaces.filter(isOpen).every(isOpenStill)) await deleteCachedAnswers()
  if (user.memberId) void loadSettings(user.memberId)
}

async function loadSettings(id: string): Promise<void> {
  const settings = await platform.member.getMemberSettings({ id }).catch(() => undefined)
  if (settings) adoptSettings(settings)
}

/** Adopts language and time zone of the profile, which mails and notifications use too. */
export function adoptSettings({ language, timezone }: { language: string; timezone: string }): void {
  const now = session.get()
  // After a sign-out meanwhile, nothing is stored.
  if (now.kind === 'in') showSession({ ...now, language: languageOf(language) ?? 'fr', timezone })
}

/** Whether its member may enter a workspace: only its administrators may enter an inactive one. */
export const isOpen = ({ status, isActive, isAdmin }: MyWorkspace): boolean =>
  status === 'active' && (isActive || isAdmin)

export function chooseWorkspace(id: string): void {
  localStorage.setItem(workspaceKey, id)
  forgetLoads()
  const now = session.get()
  if (now.kind !== 'in') return
  showSession({ ...now, workspace: now.workspaces.find(workspace => workspace.id === id) ?? now.workspace })
}

function showSession(now: SignedInSession): void {
  signInStorage().setItem(sessionKey, JSON.stringify(now))
  showLanguage(now.language)
  profileZone.set(now.timezone)
  session.set(now)
}

/** Ends the session here and on the platform; while offline, on the platform once reconnected. */
export async function signOut(): Promise<void> {
  endCount++
  session.set({ kind: 'starting' })
  localStorage.setItem(signOutKey, 'yes')
  await sendSignOut()
  forgetLanguage()
  showLanguage()
  await endSession('out')
}

/** Sends a sign-out that the platform hasn't received, if there is one and the platform can be reached. */
const sendSignOut = (): Promise<void> => runExclusively(async () => {}).catch(() => undefined)
addEventListener('online', () => void sendSignOut())

/** Removes who was signed in last from this device. */
function forgetSignIn(): void {
  for (const storage of [localStorage, sessionStorage]) storage.removeItem(sessionKey)
}

async function endSession(kind: 'out' | 'ended'): Promise<void> {
  endCount++
  forgetSignIn()
  localStorage.removeItem(stayKey)
  endPushes()
  profileZone.set(undefined)
  session.set({ kind })
  platform.keepTokens(null)
  await deleteCachedAnswers()
}

/** Ends what one person gets on this device. */
function endPushes(): void {
  localStorage.removeItem(pushKey)
  void silenceDevice().catch(() => undefined)
}

/** Removes the cached answers of one person from this device. */
async function deleteCachedAnswers(): Promise<void> {
  forgetLoads()
  await globalThis.caches?.delete('readings')
}

/** Whether the signed-in person holds a permission in the workspace that is shown. */
export const may = ({ workspace }: SignedInSession, permission: string): boolean =>
  workspace?.permissions.includes(permission) ?? false

/**
 * Runs a call of the session alone among the tabs. A sign-out that the platform hasn't received goes first: its session
 * can't be resumed, and the next one isn't ended by it.
 */
const runExclusively = <Value>(call: () => Promise<Value>): Promise<Value> =>
  inTurn('front', async () => {
    if (localStorage.getItem(signOutKey)) {
      await callSessionRoute('DELETE', 'session')
      localStorage.removeItem(signOutKey)
    }
    return call()
  })

const isRefusal = (error: unknown, status: number): boolean => error instanceof PlatformError && error.status === status

/**
 * Exchanges the refresh token of the cookie; undefined once its session has ended. Retries a refused exchange once: a
 * page reloaded during an exchange sends the used token, and the new cookie arrives with the answer to the previous
 * page.
 */
const exchangeCookie = async (reads: string[] = []) => {
  if (pausingRefusal) throw pausingRefusal
  const answer = await runExclusively(async () => {
    try {
      const response = await (takeEarlyExchange() ?? fetchSession('POST', 'session/refresh', { reads }))
      return await answerOf<SessionAnswer>(response).catch(async error => {
        if (!isRefusal(error, 401)) throw error
        await new Promise(resolve => setTimeout(resolve, 1_000))
        return callSessionRoute('POST', 'session/refresh', { reads })
      })
    } catch (error) {
      if (isRefusal(error, 401)) return undefined
      if (isRefusal(error, 429)) pauseAfter(error as PlatformError)
      throw error
    }
  })
  const now = session.get()
  if (!answer || now.kind !== 'in' || answer.userId === now.user.id) return answer
  // Another person signed in in another tab, and this page must not act in their name.
  forgetSignIn()
  forgetLoads()
  location.reload()
  throw new Error('another person has signed in')
}

/** The refusal (429) after which exchanges pause. */
let pausingRefusal: PlatformError | undefined

function pauseAfter(refusal: PlatformError): void {
  const waitMs = (refusal.retryAfterSeconds ?? 60) * 1_000
  pausingRefusal = refusal
  pausedUntil.set(new Date(Date.now() + waitMs))
  setTimeout(() => void endPause().catch(() => undefined), waitMs)
}

async function endPause(): Promise<void> {
  pausingRefusal = undefined
  pausedUntil.set(undefined)
  const { kind } = session.get()
  if (kind === 'unreachable') return restoreSession()
  if (kind !== 'in') return
  await accessToken(false)
  reloadAll()
}

const callSessionRoute = async (method: string, path: string, body?: object) =>
  answerOf<SessionAnswer>(await fetchSession(method, path, body))
