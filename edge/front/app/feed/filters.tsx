import type { Category } from '../../../../gen/client/news.ts'
import { CategoryMark } from '../page/category.tsx'
import { changeQuery } from '../platform/router.tsx'
import { useTexts } from '../platform/texts.ts'
import { useTyped } from '../platform/typed.ts'
import { Icon } from '../ui/icon.tsx'
import type { FeedFilter } from './feed-list.ts'

/** Filters of the news, kept in the address. */
export function Filters({ filter, categories }: { filter: FeedFilter; categories: Category[] }) {
  const t = useTexts('feed/filters')
  const { categoryId, isUnread } = filter
  return (
    <div class="news-filters" role="search">
      <SearchField label={t.search} search={filter.search} />
      <div class="chips" role="group" aria-label={t.filters}>
        <Chip isOn={!categoryId && !isUnread} text={t.all} onPick={() => changeQuery({ category: '', unread: '' })} />
        <Chip isOn={isUnread} text={t.unread} onPick={() => changeQuery({ unread: isUnread ? '' : '1' })} />
        {categories.map(({ id, name, icon, color }) => (
          <Chip
            key={id}
            isOn={categoryId === id}
            text={name}
            onPick={() => changeQuery({ category: categoryId === id ? '' : id })}
          >
            <CategoryMark icon={icon} color={color} />
          </Chip>
        ))}
      </div>
    </div>
  )
}

type ChipProps = { isOn: boolean; text: string; onPick: () => void; children?: preact.ComponentChildren }

const Chip = ({ isOn, text, onPick, children }: ChipProps) => (
  <button type="button" class="chip" aria-pressed={isOn} onClick={onPick}>
    {children}
    <span dir="auto">{text}</span>
  </button>
)

function SearchField({ label, search }: { label: string; search: string }) {
  const [typed, setTyped] = useTyped(search, q => changeQuery({ q }))
  return (
    <label class="news-search">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        type="search"
        dir="auto"
        placeholder={label}
        maxLength={500}
        value={typed}
        onInput={event => setTyped(event.currentTarget.value)}
      />
    </label>
  )
}
