import type { ReactElement } from 'react'
import type { InboxProps } from './props.js'

export type { InboxProps }
export function Inbox(props: InboxProps): ReactElement
