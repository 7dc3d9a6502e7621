import type { DefineComponent } from 'vue'
import type { InboxProps } from './props.js'

export type { InboxProps }
export const Inbox: DefineComponent<InboxProps>
