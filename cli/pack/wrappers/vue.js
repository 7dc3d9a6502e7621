import { defineComponent, h, onMounted, shallowRef, watch } from 'vue'

/**
 * <platform-inbox> in Vue. Attributes and listeners are passed to the element. A server renders the empty element; the
 * component's script loads in the browser.
 */
export const Inbox = defineComponent({
  name: 'PlatformInbox',
  props: { token: { type: Function } },
  setup(props) {
    const element = shallowRef()
    const isGiven = () => props.token !== undefined
    const setToken = () => {
      element.value.token = isGiven() ? mustRenew => props.token(mustRenew) : undefined
    }
    onMounted(() => {
      if (isGiven()) setToken()
      void import('./inbox.js')
    })
    watch(isGiven, setToken)
    return () => h('platform-inbox', { ref: element })
  },
})
