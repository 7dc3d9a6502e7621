import { Blocks } from '../page/blocks.tsx'
import { Attachments, Gallery } from '../page/medias.tsx'
import { EventFacts } from '../page/page-head.tsx'
import { PollPreview } from '../page/poll.tsx'
import { useTexts } from '../platform/texts.ts'
import { type Fields, type PollInput, pollBodyOf } from './fields.ts'

type PreviewFields = Pick<Fields, 'title' | 'excerpt' | 'content' | 'medias'> & Partial<Fields>

/** A page as its readers see it. */
export function Preview({ fields, poll }: { fields: PreviewFields; poll?: PollInput }) {
  const t = useTexts('common')
  const { title, excerpt, content, medias, eventStartsAt = null, eventEndsAt = null, eventLocation = null } = fields
  return (
    <article class="preview card page" aria-label={t.preview}>
      <h2 class="preview-title" dir="auto">
        {title || t.untitled}
      </h2>
      {excerpt && (
        <p class="preview-lead" dir="auto">
          {excerpt}
        </p>
      )}
      {fields.pageType === 'event' && <EventFacts page={{ eventStartsAt, eventEndsAt, eventLocation }} />}
      <Gallery medias={medias} />
      <Blocks content={content} />
      <Attachments medias={medias} />
      {fields.pageType === 'poll' && poll && <PollPreview poll={pollBodyOf(poll)} />}
    </article>
  )
}
