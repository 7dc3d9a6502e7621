import { basePath } from '../place.ts'

/** The platform's key for pushes; empty when it sends none to browsers. */
const publicKey = document.querySelector('meta[name=platform-push]')?.getAttribute('content') ?? ''

export const sendsPushes = publicKey !== ''

/** Whether the browser can receive pushes. On iPhones, only the installed client can. */
export const canReceivePushes = (): boolean =>
  'PushManager' in globalThis && 'Notification' in globalThis && navigator.serviceWorker !== undefined

/** Subscribes this device at the browser's push service. The browser asks the person first. */
export async function subscribeDevice(): Promise<PushSubscription> {
  if (!(await registration())) throw new DOMException('There is no service worker', 'AbortError')
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    // The platform had another key when the device was subscribed.
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
    await unsubscribeDevice()
    return pushManager.subscribe(options)
  }
}

const registration = () => navigator.serviceWorker?.getRegistration(basePath)

export async function unsubscribeDevice(): Promise<void> {
  const subscription = await (await registration())?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}

/** Ends the pushes to this device, and removes those that it shows. */
export async function silenceDevice(): Promise<void> {
  await unsubscribeDevice()
  for (const notification of (await (await registration())?.getNotifications()) ?? []) notification.close()
  await showUnread(0)
}

/** Shows a number on the icon of the installed client, where browsers can. */
export const showUnread = async (count: number): Promise<void> => navigator.setAppBadge?.(count).catch(() => undefined)
