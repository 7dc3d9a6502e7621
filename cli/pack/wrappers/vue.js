import { defineComponent, h, onMounted, shallowRef } from 'vue'

/**
 * <platform-inbox> in Vue. Attributes and listeners are passed to the element. A server renders the empty element; the
 * component's script loads in the browser.
 */
export const Inbox = defineComponent({
  name: 'PlatformInbox',
  props: { token: { type: Function } },
  setup(props) {
    const element = shallowRef()
    onMounted(() => {
      if (props.token) element.value.token = mustRenew => props.token(mustRenew)
      void import('./inbox.js')
    })
    return () => h('platform-inbox', { ref: element })
  },
})
