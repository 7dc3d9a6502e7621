import { basePath } from './place.ts'
import { workerAddress } from './trusted.ts'

/** Registers the service worker, which answers what was read while there is no connection. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.register(workerAddress(), { scope: basePath }).catch(() => undefined)
}
