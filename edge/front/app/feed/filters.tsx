import type { Category } from '../../../../gen/client/news.ts'
import { CategoryMark } from '../page/category.tsx'
import { changeQuery, Link } from '../platform/router.tsx'
import { useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import type { FeedFilter } from './feed-list.ts'

/** Filters of the news, kept in the address. */
export function Filters({ filter, categories }: { filter: FeedFilter; categories: Category[] }) {
  const t = useTexts('feed/filters')
  const { categoryId, isUnread } = filter
  return (
    <div class="news-filters">
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
      <Link to="/saved" class="icon-button" aria-label={t.saved} title={t.saved}>
        <Icon name="bookmark" />
      </Link>
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
