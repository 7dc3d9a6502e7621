import { useState } from 'preact/hooks'
import type { Template } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { go } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, IconButton, TextArea, TextField } from '../ui/controls.tsx'
import { Confirm, FormDialog } from '../ui/dialogs.tsx'
import { Empty, Loading, notify, Problem } from '../ui/feedback.tsx'
import { useFields } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/title.ts'
import type { Fields } from './fields.ts'
import { pageTypes } from './options.tsx'
import { useRights } from './rights.ts'

/** Pages to begin from. */
export function Templates() {
  const t = useTexts('editor/templates')
  const typeNames = useTexts('editor/options').types
  const rights = useRights()
  const workspaceId = useMemberContext().workspace.id
  const [templateToRemove, setTemplateToRemove] = useState<Template>()
  useTitle(t.templates)
  const load = useLoad(`templates/${workspaceId}`, signal => platform.news.listTemplates({ workspaceId }, { signal }))
  const use = useAction(async ({ id }: Template) => {
    const page = await platform.news.createPageFromTemplate({ templateId: id, body: {} })
    go(`/write/${page.id}`)
  })
  const remove = useAction(async ({ id }: Template) => {
    await platform.news.deleteTemplate({ id })
    load.change(list => ({ ...list, data: list.data.filter(one => one.id !== id) }))
    setTemplateToRemove(undefined)
    notify(t.removed)
    void load.reload()
  })
  const list = load.value?.data.filter(one => one.isActive)
  return (
    <div class="wide">
      <BackLink to="/write" text={t.back} />
      <h1>{t.templates}</h1>
      <Problem error={use.error ?? load.error} />
      {!list && load.isLoading && <Loading />}
      {list?.length === 0 && (
        <Empty icon="copy" title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      <ul class="write-rows" aria-label={t.templates}>
        {list?.map(one => {
          const type = pageTypes.find(name => name === one.pageType)
          return (
            <li class="write-row" key={one.id}>
              <span class="row-icon">
                <Icon name="copy" />
              </span>
              <div>
                <p class="row-title" dir="auto">
                  {one.name}
                </p>
                {one.description && (
                  <p class="row-facts" dir="auto">
                    {one.description}
                  </p>
                )}
                <p class="row-facts">
                  {type && <span class="tag">{typeNames[type]}</span>}
                  <span>{fill(t.pages, { count: one.usageCount })}</span>
                </p>
              </div>
              <span class="actions">
                {rights.create && (
                  <Button
                    class="small"
                    aria-label={fill(t.useOne, { name: one.name })}
                    onClick={() => void use.run(one)}
                  >
                    {t.use}
                  </Button>
                )}
                {rights.remove && (
                  <IconButton
                    name={fill(t.remove, { name: one.name })}
                    icon="trash"
                    onClick={() => setTemplateToRemove(one)}
                  />
                )}
              </span>
            </li>
          )
        })}
      </ul>
      {templateToRemove && (
        <Confirm
          title={t.removeTitle}
          text={t.removeText}
          submit={t.delete}
          isDanger
          action={{ ...remove, run: () => remove.run(templateToRemove) }}
          onClose={() => setTemplateToRemove(undefined)}
        />
      )}
    </div>
  )
}

/** Makes a template of the page that is written. */
export function TemplateDialog({ fields, onClose }: { fields: Fields; onClose: () => void }) {
  const t = useTexts('editor/templates')
  const workspaceId = useMemberContext().workspace.id
  const { values, field } = useFields({ name: fields.title, description: '' })
  const save = useAction(async () => {
    const pageType = fields.pageType === 'event' || fields.pageType === 'poll' ? fields.pageType : 'article'
    await platform.news.createTemplate({
      body: {
        name: values.name.trim(),
        description: values.description.trim() || null,
        pageType,
        content: fields.content,
        workspaceId,
      },
    })
    onClose()
    notify(t.made)
  })
  return (
    <FormDialog title={t.make} submit={t.save} action={save} onClose={onClose}>
      <p>{t.makeText}</p>
      <TextField label={t.name} required maxLength={255} {...field('name', save)} />
      <TextArea label={t.description} maxLength={5000} {...field('description', save)} />
    </FormDialog>
  )
}
