import type { Template } from '../../../../gen/client/news.ts'
import { useRights } from '../page/page-rights.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { go } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, IconButton, TextArea, TextField } from '../ui/controls.tsx'
import { Empty, Loaded, notify, Problem } from '../ui/feedback.tsx'
import { confirmAction, FormDialog, useFields } from '../ui/form.tsx'
import { BackLink, useTitle } from '../ui/page.tsx'
import type { Fields } from './fields.ts'
import { Row } from './write-row.tsx'

/** Pages to begin from. */
export function Templates() {
  const t = useTexts('editor/templates')
  const typeNames = useTexts('editor/options').types
  const rights = useRights()
  const workspaceId = useMemberContext().workspace.id
  useTitle(t.templates)
  const load = useLoad(`templates/${workspaceId}`, signal => platform.news.listTemplates({ workspaceId }, { signal }))
  const use = useAction(async ({ id }: Template) => {
    const page = await platform.news.createPageFromTemplate({ templateId: id, body: {} })
    go(`/write/${page.id}`)
  })
  const remove = ({ id }: Template) =>
    confirmAction({ title: t.removeTitle, text: t.removeText, submit: t.delete, isDanger: true }, async () => {
      await platform.news.deleteTemplate({ id })
      load.change(list => ({ ...list, data: list.data.filter(one => one.id !== id) }))
      notify(t.removed)
      void load.reload()
    })
  return (
    <div class="wide">
      <BackLink to="/write" text={t.back} />
      <h1>{t.templates}</h1>
      <Problem error={use.error} />
      <Loaded
        load={{ ...load, value: load.value?.data.filter(one => one.isActive) }}
        empty={<Empty icon="copy" title={t.none} text={t.noneText} />}
      >
        {list => (
          <ul class="write-rows rows box" aria-label={t.templates}>
            {list.map(one => (
              <Row
                key={one.id}
                icon="copy"
                title={one.name}
                facts={
                  <>
                    {one.description && <bdi>{one.description}</bdi>}
                    <span class="tag">{typeNames[one.pageType] ?? one.pageType}</span>
                    <span>{fill(t.pages, { count: one.usageCount })}</span>
                  </>
                }
              >
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
                      onClick={() => void remove(one)}
                    />
                  )}
                </span>
              </Row>
            ))}
          </ul>
        )}
      </Loaded>
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
