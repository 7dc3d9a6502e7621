import type { Page, PagePreference } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import type { Load } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Problem } from '../ui/feedback.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'

type Preference = keyof Pick<PagePreference, 'isFavorite' | 'isBookmarked' | 'isFollowing'>
const icons: Record<Preference, IconName> = { isFavorite: 'star', isBookmarked: 'bookmark', isFollowing: 'bell' }

/** Turns one preference on or off. Each has its own action, so that none waits for another. */
function useToggle(page: Load<Page>, preference: Preference) {
  return useAction(async () => {
    if (!page.value) return
    const body = { [preference]: !page.value.userInteractions?.[preference] }
    const updatedPreference = await platform.news.updatePagePreference({ pageId: page.value.id, body })
    page.change(({ userInteractions, ...rest }) => ({
      ...rest,
      userInteractions: userInteractions && { ...userInteractions, [preference]: updatedPreference[preference] },
    }))
  })
}

/** Buttons to favorite, bookmark and follow a page. */
export function PageToggles({ page }: { page: Load<Page> }) {
  const t = useTexts('page/page-toggles')
  const interactions = page.value?.userInteractions
  const toggles = {
    isFavorite: useToggle(page, 'isFavorite'),
    isBookmarked: useToggle(page, 'isBookmarked'),
    isFollowing: useToggle(page, 'isFollowing'),
  }
  return (
    <>
      <div class="page-toggles" role="group" aria-label={t.group}>
        {(Object.keys(icons) as Preference[]).map(preference => (
          <button
            key={preference}
            type="button"
            class="icon-button"
            aria-label={t[preference]}
            title={t[preference]}
            aria-pressed={interactions?.[preference] ?? false}
            onClick={() => void toggles[preference].run()}
          >
            <Icon name={icons[preference]} />
          </button>
        ))}
      </div>
      <Problem error={toggles.isFavorite.error ?? toggles.isBookmarked.error ?? toggles.isFollowing.error} />
    </>
  )
}
