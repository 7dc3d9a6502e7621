import { createElement, useEffect, useRef } from 'react'

const eventOfProp = {
  onNotificationClick: 'notification-click',
  onNotificationNew: 'notification-new',
  onUnreadChange: 'unread-change',
  onTokenNeeded: 'token-needed',
}

/** <platform-inbox> in React. A server renders the empty element; the component's script loads in the browser. */
export function Inbox({ token, onNotificationClick, onNotificationNew, onUnreadChange, onTokenNeeded, ...attributes }) {
  const element = useRef(null)
  const latest = useRef({})
  // Handlers may be new at each render; the element keeps its own.
  useEffect(() => {
    latest.current = { token, onNotificationClick, onNotificationNew, onUnreadChange, onTokenNeeded }
  })
  const isGiven = token !== undefined
  useEffect(() => {
    const controller = new AbortController()
    for (const [prop, event] of Object.entries(eventOfProp))
      element.current.addEventListener(event, one => latest.current[prop]?.(one), { signal: controller.signal })
    if (isGiven) element.current.token = mustRenew => latest.current.token(mustRenew)
    else if (element.current.token) element.current.token = undefined
    void import('./inbox.js')
    return () => controller.abort()
  }, [isGiven])
  return createElement('platform-inbox', { ...attributes, ref: element })
}
