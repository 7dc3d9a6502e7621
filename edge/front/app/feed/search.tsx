import { changeQuery, go, place } from '../platform/router.tsx'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Form } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTyped } from '../ui/typed.ts'

/** The search of the header: narrows the news while somebody types, and opens them from other pages on Enter. */
export function NewsSearch() {
  const t = useTexts('feed/search')
  const [path = '', query] = useStore(place).split('?')
  const isNews = path === '/'
  const search = isNews ? (new URLSearchParams(query).get('q') ?? '') : ''
  const [typedText, setTypedText] = useTyped(search, q => isNews && changeQuery({ q }))
  const openNews = () => {
    if (!isNews && typedText.trim()) go(`/?q=${encodeURIComponent(typedText.trim())}`)
  }
  return (
    <search class="bar-search">
      <Form onSubmit={openNews}>
        <label>
          <Icon name="search" />
          <span class="unseen">{t.search}</span>
          <input
            type="search"
            dir="auto"
            placeholder={t.search}
            maxLength={500}
            value={typedText}
            onInput={event => setTypedText(event.currentTarget.value)}
          />
        </label>
      </Form>
    </search>
  )
}
