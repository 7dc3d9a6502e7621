import { openAddress } from '../router.tsx'
import { platform, pushKey, session } from '../session.ts'
import { staysSignedIn } from '../session-route.ts'
import { createStore } from '../store.ts'
import { canReceivePushes, sendsPushes, subscribeDevice, unsubscribeDevice } from './device.ts'

/** Whether the person wants pushes on this device; undefined until they say so. */
export const pushChoice = createStore(localStorage.getItem(pushKey) ?? undefined)
/** Whether the person is being asked. */
export const isPushOffered = createStore(false)

function keepChoice(choice: 'on' | 'off'): void {
  localStorage.setItem(pushKey, choice)
  pushChoice.set(choice)
  isPushOffered.set(false)
}

/**
 * Asks whether this device should receive pushes, unless the person has answered before. Without staying signed in, the
 * device is signed out with the browser and receives none.
 */
export function offerPushes(): void {
  if (!sendsPushes || !canReceivePushes() || !staysSignedIn() || localStorage.getItem(pushKey)) return
  if (Notification.permission !== 'denied') isPushOffered.set(true)
}

/** Subscribes this device, here and on the platform. */
async function subscribe(): Promise<void> {
  const { endpoint = '', keys = {} } = (await subscribeDevice()).toJSON()
  const { p256dh = '', auth = '' } = keys
  await platform.notification.subscribeBrowser({ body: { endpoint, p256dh, auth } })
}

/** Throws what the browser or the platform refuses. */
export async function turnPushesOn(): Promise<void> {
  // Stored first, so that the next start completes what a closed page has left.
  localStorage.setItem(pushKey, 'on')
  try {
    await subscribe()
  } catch (error) {
    localStorage.removeItem(pushKey)
    await unsubscribeDevice()
    throw error
  }
  keepChoice('on')
}

export async function turnPushesOff(): Promise<void> {
  await unsubscribeDevice()
  keepChoice('off')
  await platform.notification.unsubscribeBrowser()
}

export const declinePushes = (): void => keepChoice('off')

let isRenewed = false
// A subscription belongs to a session, and browsers may replace it: each start of the client renews it.
session.subscribe(({ kind }) => {
  const choice = localStorage.getItem(pushKey) ?? undefined
  pushChoice.set(choice)
  if (kind !== 'in') return isPushOffered.set(false)
  if (choice !== 'on' || isRenewed) return
  isRenewed = true
  // The person may have taken the permission back in the browser.
  subscribe().catch(error => error instanceof DOMException && keepChoice('off'))
})

/** Opens what a clicked notification is about, and marks it as clicked. */
navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ id: string; address: string }>) => {
  openAddress(data.address)
  void platform.notification.clickNotification({ id: data.id }).catch(() => undefined)
})
