import type { Page } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import type { Load } from '../platform/load.ts'
import { offerPushes } from '../platform/push/push.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'

/** The tag at the top of a page that everyone has to acknowledge. */
export function MustReadTag() {
  const t = useTexts('page/must-read')
  return (
    <span class="tag must">
      <Icon name="warning" size={16} />
      {t.mustRead}
    </span>
  )
}

/** The button at the end of such a page, or a note once it is acknowledged. */
export function Acknowledgement({ page }: { page: Load<Page> }) {
  const t = useTexts('page/must-read')
  const acknowledge = useAction(async () => {
    if (!page.value) return
    await platform.news.acknowledgePage({ pageId: page.value.id })
    page.change(({ userInteractions, ...rest }) => ({
      ...rest,
      userInteractions: userInteractions && { ...userInteractions, hasAcknowledged: true },
    }))
    notify(t.thanks)
    offerPushes()
  })
  if (page.value?.userInteractions?.hasAcknowledged)
    return (
      <p class="note acknowledged">
        <Icon name="check" />
        {t.done}
      </p>
    )
  return (
    <section class="acknowledge" aria-label={t.mustRead}>
      <div>
        <strong>{t.mustRead}</strong>
        <p>{t.text}</p>
      </div>
      <Button variant="main" icon="check" isBusy={acknowledge.isRunning} onClick={() => void acknowledge.run()}>
        {t.act}
      </Button>
      <Problem error={acknowledge.error} />
    </section>
  )
}
