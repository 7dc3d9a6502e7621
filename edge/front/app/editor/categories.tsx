import type { Category } from '../../../../gen/client/news.ts'
import { emojiOf } from '../page/category.tsx'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, Select, TextField } from '../ui/controls.tsx'
import { openDialog } from '../ui/dialogs.tsx'
import { FormDialog, useFields } from '../ui/form.tsx'

export function useCategories() {
  const workspaceId = useMemberContext().workspace.id
  return useLoad(`categories/${workspaceId}`, signal => platform.news.listCategories({ workspaceId }, { signal }))
}

/** A category in lists of choices. */
export const categoryText = ({ icon, name }: Pick<Category, 'icon' | 'name'>): string =>
  [emojiOf(icon), name].filter(Boolean).join(' ')

type CategoryFieldProps = { value: string | null; onValue: (id: string | null) => void; mayCreate: boolean }

/** Chooses the category of a page, and creates one that is missing. */
export function CategoryField({ value, onValue, mayCreate }: CategoryFieldProps) {
  const t = useTexts('editor/categories')
  const { value: list, reload } = useCategories()
  const choosableCategories = (list?.data ?? []).filter(one => one.isActive || one.id === value)
  const create = async (id: string) => {
    await reload()
    onValue(id)
  }
  const openForm = () => openDialog(close => <CategoryDialog onClose={close} onCreated={create} />)
  return (
    <div>
      <Select
        label={t.category}
        value={value ?? ''}
        onValue={id => onValue(id || null)}
        choices={[
          { value: '', text: t.none },
          ...choosableCategories.map(one => ({ value: one.id, text: categoryText(one) })),
        ]}
      />
      {mayCreate && (
        <Button variant="quiet" class="small" icon="plus" onClick={openForm}>
          {t.create}
        </Button>
      )}
    </div>
  )
}

type CategoryDialogProps = { onClose: () => void; onCreated: (id: string) => Promise<void> }

function CategoryDialog({ onClose, onCreated }: CategoryDialogProps) {
  const t = useTexts('editor/categories')
  const workspaceId = useMemberContext().workspace.id
  const { values, field } = useFields({ name: '', icon: '', color: '#0f5f5c' })
  const create = useAction(async () => {
    const body = { ...values, name: values.name.trim(), icon: values.icon.trim() || null, workspaceId }
    const { id } = await platform.news.createCategory({ body })
    await onCreated(id)
    onClose()
  })
  return (
    <FormDialog title={t.create} submit={t.save} action={create} statusTexts={{ 409: t.taken }} onClose={onClose}>
      <TextField
        label={t.name}
        required
        maxLength={255}
        autofocus
        {...field('name', create)}
        error={create.fields['name'] ?? create.fields['slug']}
      />
      <TextField label={t.icon} hint={t.iconHint} maxLength={64} {...field('icon', create)} />
      <TextField label={t.color} type="color" {...field('color', create)} />
    </FormDialog>
  )
}
