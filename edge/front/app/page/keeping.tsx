import type { Page, PagePreference } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import type { Load } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Problem } from '../ui/feedback.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'

type Choice = keyof Pick<PagePreference, 'isFavorite' | 'isBookmarked' | 'isFollowing'>
const icons: Record<Choice, IconName> = { isFavorite: 'star', isBookmarked: 'bookmark', isFollowing: 'bell' }

/** Turns one choice on or off. Each has a separate action, so that one does not wait for another. */
function useToggle(page: Load<Page>, choice: Choice) {
  return useAction(async () => {
    if (!page.value) return
    const body = { [choice]: !page.value.userInteractions?.[choice] }
    const preference = await platform.news.updatePagePreference({ pageId: page.value.id, body })
    page.change(({ userInteractions, ...rest }) => ({
      ...rest,
      userInteractions: userInteractions && { ...userInteractions, [choice]: preference[choice] },
    }))
  })
}

/** What a person keeps of a page for themselves. */
export function Keeping({ page }: { page: Load<Page> }) {
  const t = useTexts('page/keeping')
  const interactions = page.value?.userInteractions
  const toggles = {
    isFavorite: useToggle(page, 'isFavorite'),
    isBookmarked: useToggle(page, 'isBookmarked'),
    isFollowing: useToggle(page, 'isFollowing'),
  }
  return (
    <>
      <div class="keeping" role="group" aria-label={t.group}>
        {(Object.keys(icons) as Choice[]).map(choice => (
          <button
            key={choice}
            type="button"
            class="chip"
            aria-pressed={interactions?.[choice] ?? false}
            onClick={() => void toggles[choice].run()}
          >
            <Icon name={icons[choice]} />
            <span>{t[choice]}</span>
          </button>
        ))}
      </div>
      <Problem error={toggles.isFavorite.error ?? toggles.isBookmarked.error ?? toggles.isFollowing.error} />
    </>
  )
}
